"""Ids made opaque, and documents as lines of JSON."""

from __future__ import annotations

import json

import pytest
from corpus_files import CANARY

from pytest_pii_eval.corpora.deriving import (
    Document,
    labels_line,
    opaque,
    provenance_line,
    record_line,
    text_line,
)

OPAQUE = ["a", "0", "A.b_c-9", "x" * 128, "d-", "d-0123", "t-" + "g" * 24, "D-" + "0" * 24, "d-" + "0" * 25]


OTHERS = [
    *("", " ", "a b", " a", "a ", "a\n", "\n", "-a", ".a", "_a", "a/b", "a+b", "x" * 129, "x" * 10_000),
    *("é", "e\u0301", "\u0430", "\0", "\ud800", "a\u2028", "\u202ea", "\uff21"),
    *("d-" + "0" * 24, "t-" + "0123456789abcdef01234567"),
]


@pytest.mark.parametrize("name", OPAQUE)
def test_an_opaque_id_stays(name) -> None:
    """What may be printed is not changed."""
    assert opaque(name, "d") == name


def test_other_ids_become_digests() -> None:
    """The digest is that of UTF-8, and shows nothing of the name."""
    # printf 'a b' | sha256sum
    assert opaque("a b", "d") == "d-c8687a08aa5d6ed2044328fa"
    assert opaque("a b", "t") == "t-c8687a08aa5d6ed2044328fa"
    assert opaque("", "t") == "t-e3b0c44298fc1c149afbf4c8"
    assert CANARY not in opaque(f"{CANARY} of Nowhere", "d")


def test_different_names_are_different_ids() -> None:
    """Look-alikes, and names that look like digests, stay apart; equal names are equal ids."""
    digests = [opaque(name, "d") for name in OTHERS]
    looks = digests + [opaque(name, "t") for name in OTHERS]  # what a corpus of ours may have as its own ids
    ids = [opaque(name, "d") for name in OPAQUE + OTHERS + looks]
    assert len(set(ids)) == len(OPAQUE) + len(OTHERS) + len(looks)
    assert ids == [opaque(name, "d") for name in OPAQUE + OTHERS + looks]


AWKWARD = Document(
    "d1",
    "t1",
    "test",
    '"\\/\b\f\n\r\t\x00\x1f\x7f\x85\u2028\u2029é😀\U0010ffff',
    ((0, 2, "person"), (1, 3, "email")),
)


def test_the_lines_are_json_of_their_fields() -> None:
    """A line is what the encoder of the standard library writes, compact and in UTF-8."""
    gold = [
        {"document_id": "d1", "entity_class": "person", "start": 0, "end": 2, "catalog_identity": None},
        {"document_id": "d1", "entity_class": "email", "start": 1, "end": 3, "catalog_identity": None},
    ]
    document = {"document_id": "d1", "text": AWKWARD.text, "text_view": "corpus_text", "split_role": "test"}
    wanted = {"document": document, "gold_spans": gold, "slice_ids": ["demo", "other"]}
    assert record_line(AWKWARD, ["demo", "other"]) == _json(wanted)
    bare = AWKWARD._replace(spans=())
    assert record_line(bare, ["demo"]) == _json({**wanted, "gold_spans": [], "slice_ids": ["demo"]})
    origin = {"document_id": "d1", "source_corpus": "demo@1f2e", "template_id": "t1"}
    assert provenance_line(AWKWARD, "demo@1f2e") == _json(origin)
    assert text_line(AWKWARD) == _json({"document_id": "d1", "split_role": "test", "text": AWKWARD.text})
    spans = [
        {"entity_class": "person", "start": 0, "end": 2},
        {"entity_class": "email", "start": 1, "end": 3},
    ]
    assert labels_line(AWKWARD) == _json({"document_id": "d1", "split_role": "test", "spans": spans})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain",
        '"',
        "\\",
        "\n",
        '\\"\\n\n"\\',
        "\\u0041",
        "\x7f\x80\x9f",
        "é\u2028😀\n",
        "\0",
        "\x1f",
        "\t\r",
        "/",
    ],
)
def test_a_text_is_escaped_as_json_does(text) -> None:
    """Whichever characters it holds, the record is what the encoder of the standard library writes."""
    document = {"document_id": "d1", "text": text, "text_view": "corpus_text", "split_role": "test"}
    wanted = {"document": document, "gold_spans": [], "slice_ids": ["demo"]}
    assert record_line(Document("d1", "t1", "test", text, ()), ["demo"]) == _json(wanted)


def _json(row: object) -> bytes:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
