"""Catalog bindings: closed rows that cover the gold of all records exactly, and give it identities."""

from __future__ import annotations

import json
import sys
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quality_rows import small_bank

from pytest_pii_eval.contracts.bindings import Bindings, read_bindings
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.records import Record
from pytest_pii_eval.contracts.spans import GoldSpan

if TYPE_CHECKING:
    from pathlib import Path

FULL = {"entity_id": "person", "name_id": "ada", "pattern_id": "full"}
FIRST = {**FULL, "pattern_id": "first"}


def row(start: int, end: int, identity: dict[str, str] | None = None, document: str = "doc-canary") -> Any:
    """A row of one span."""
    return {"document_id": document, "start": start, "end": end, "catalog_identity": identity}


def bindings_of(*rows: Any) -> Bindings:
    """Bindings of these rows, which stand on lines 1, 2, 3."""
    made = Bindings("bindings.jsonl", small_bank())
    for line, one in enumerate(rows, start=1):
        made.add(one, line)
    return made


def record_of(*gold: tuple[Any, ...], document: str = "doc-canary") -> Record:
    """A record with these gold spans: start, end, and what else a gold span has."""
    spans = tuple(GoldSpan(*((*span, "person") if len(span) == 2 else span)) for span in gold)
    return Record(document, "Ada Moe, ada@x.test, Ada Moe", "body", "train", spans, ("everyone",))


def refused(act: Any) -> str:
    """The fault of a call without arguments; ids and names stay out of it."""
    with pytest.raises(Fault) as caught:
        act()
    assert "canary" not in str(caught.value)
    return str(caught.value)


def test_gold_gets_its_identities() -> None:
    """Rows may come in any order; null says uncataloged; groups and order of the gold stay."""
    made = bindings_of(row(21, 28), row(0, 7, FULL))
    bound = made.bound(record_of((0, 7, "person", None, 0), (21, 28, "person", None, 0)))
    assert bound.gold == (
        GoldSpan(0, 7, "person", ("person", "ada", "full"), 0),
        GoldSpan(21, 28, "person", None, 0),
    )
    assert bound[:4] == record_of()[:4]
    made.finish()


def test_one_span_can_be_looked_up() -> None:
    """What is asked for counts as used."""
    made = bindings_of(row(0, 3, FIRST), row(21, 24))
    assert made.identity_of("doc-canary", 0, 3) == ("person", "ada", "first")
    assert made.identity_of("doc-canary", 21, 24) is None
    made.finish()
    assert refused(lambda: made.identity_of("doc-canary", 0, 4)) == (
        "gold_spans: have no row in bindings.jsonl for start 0 and end 4"
    )


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"document_id": "doc canary"}, "document_id: must match"),
        ({"start": "0"}, "start: must be an integer"),
        ({"start": True}, "start: must be an integer"),
        ({"start": -1}, "start: must be at least 0 and is -1"),
        ({"end": 0}, "end: must lie behind start (start 0, end 0)"),
        ({"entity_class": "person"}, "has an unknown field"),
        ({"catalog_identity": {"entity_id": "person"}}, "catalog_identity.name_id: is missing"),
        ({"catalog_identity": {**FULL, "canonical": "canary"}}, "catalog_identity: has an unknown field"),
        (
            {"catalog_identity": {**FULL, "pattern_id": "retired"}},
            "catalog_identity: names no active pattern",
        ),
        ({"catalog_identity": {**FULL, "name_id": "canary"}}, "catalog_identity: names no active pattern"),
    ],
)
def test_rows_are_closed(change: dict[str, Any], fault: str) -> None:
    """A field too many, too few or of another kind, and identities that are no active pattern of the bank."""
    assert refused(lambda: bindings_of({**row(0, 7), **change})).startswith(fault)


def test_a_row_without_identity_is_refused() -> None:
    """Null is said, never meant by leaving it out."""
    given = row(0, 7)
    del given["catalog_identity"]
    assert refused(lambda: bindings_of(given)) == "catalog_identity: is missing"


def test_a_file_is_read(tmp_path: Path) -> None:
    """Faults name the file as it is shown, the line and the field; a link is refused."""
    path = tmp_path / "b.jsonl"
    path.write_text(json.dumps(row(0, 7, FULL)) + "\n" + json.dumps(row(21, 28)) + "\n", encoding="utf-8")
    made = read_bindings(path, root=tmp_path, bank=small_bank())
    assert len(made) == 2
    assert made.bound(record_of((0, 7))).gold[0].identity == ("person", "ada", "full")
    path.write_text(json.dumps(row(0, 7)) + "\n" + json.dumps(row(0, "canary")) + "\n", encoding="utf-8")
    assert refused(lambda: read_bindings(path, shown="x/b.jsonl")) == "x/b.jsonl:2: end: must be an integer"
    path.write_text(json.dumps(row(0, 7)), encoding="utf-8")
    assert refused(lambda: read_bindings(path)).startswith(
        "b.jsonl:1: last line does not end with a line feed"
    )
    (tmp_path / "link.jsonl").symlink_to(path)
    assert refused(lambda: read_bindings(tmp_path / "link.jsonl")).startswith("link.jsonl: is a symlink")


def test_without_a_bank_any_identity_is_taken(tmp_path: Path) -> None:
    """Whoever only wants the cover need not load a bank."""
    path = tmp_path / "b.jsonl"
    path.write_text(json.dumps(row(0, 7, {**FULL, "name_id": "other"})) + "\n", encoding="utf-8")
    assert read_bindings(path).bound(record_of((0, 7))).gold[0].identity == ("person", "other", "full")


def test_a_span_named_twice_is_refused(tmp_path: Path) -> None:
    """Both places are named, also where the two rows say different things."""
    path = tmp_path / "b.jsonl"
    rows = [row(0, 7), row(0, 7, document="doc-2"), row(0, 7, FULL)]
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    assert refused(lambda: read_bindings(path)) == (
        "b.jsonl:3: names a span a second time; the first is b.jsonl:1"
    )


def test_gold_without_a_row_is_refused() -> None:
    """How many of the document's spans, and where the first lies; another document's row is none."""
    made = bindings_of(row(0, 3), row(0, 7, document="doc-2"))
    assert refused(lambda: made.bound(record_of((0, 3), (0, 7), (21, 28)))) == (
        "gold_spans: 2 of 3 have no row in bindings.jsonl; the first is that with start 0 and end 7"
    )


def test_rows_without_gold_are_refused() -> None:
    """How many of all rows, and the line of the first."""
    made = bindings_of(row(0, 3), row(4, 7), row(0, 7), row(0, 7, document="doc-2"))
    made.bound(record_of((0, 3), (0, 7)))
    assert refused(made.finish) == ("bindings.jsonl:2: names no gold span of the records; 2 of 4 rows do so")


def test_no_rows_cover_no_gold() -> None:
    """A population of documents without a name needs an empty file."""
    made = bindings_of()
    assert made.bound(record_of()) == record_of()
    made.finish()


def test_an_identity_of_another_class_is_refused() -> None:
    """The fault is the row's, and says so with its line."""
    made = bindings_of(row(4, 7), row(0, 3, FIRST))
    assert refused(lambda: made.bound(record_of((0, 3, "email")))) == (
        "bindings.jsonl:2: catalog_identity.entity_id: differs from the entity_class of its gold span"
    )
    assert made.bound(record_of((4, 7, "email"))).gold[0].identity is None


def test_two_classes_at_one_range_are_refused() -> None:
    """A row has no class, so it would speak of both."""
    made = bindings_of(row(0, 7))
    assert refused(lambda: made.bound(record_of((0, 3), (0, 7, "email"), (0, 7, "person")))) == (
        "gold_spans: holds two classes at start 0 and end 7; a row of bindings.jsonl cannot tell them apart"
    )


def test_gold_with_an_identity_of_its_own_is_refused() -> None:
    """Two files would say what one span is, even where they agree."""
    made = bindings_of(row(0, 7, FULL))
    assert refused(lambda: made.bound(record_of((0, 7, "person", ("person", "ada", "full"))))) == (
        "gold_spans: have a catalog identity already; where bindings.jsonl binds the gold, it must be null"
    )


def test_the_fingerprint_hangs_on_what_rows_say_alone() -> None:
    """Order of rows and keys changes nothing; a line more, an offset or an identity does."""
    rows = [row(0, 7, FULL), row(21, 28), row(0, 7, document="doc-2")]
    expected = bindings_of(*rows).fingerprint
    assert expected.startswith("sha256:")
    assert bindings_of(*reversed(rows)).fingerprint == expected
    assert bindings_of(*[dict(reversed(one.items())) for one in rows]).fingerprint == expected
    changed = [
        rows[:2],
        [*rows, row(0, 8, document="doc-2")],
        [rows[0], row(21, 27), rows[2]],
        [rows[0], row(21, 28, FULL), rows[2]],
        [row(0, 7, FIRST), *rows[1:]],
        [row(0, 7), rows[1], row(0, 7, FULL, document="doc-2")],
    ]
    assert len({expected, *[bindings_of(*others).fingerprint for others in changed]}) == 7


SPANS = st.tuples(st.sampled_from(["a", "b", "a1", "a11"]), st.integers(0, 30), st.integers(1, 12))


@settings(max_examples=50, deadline=None)
@given(
    st.dictionaries(SPANS, st.sampled_from([None, FULL, FIRST]), max_size=150),
    st.sets(SPANS, max_size=5),
    st.randoms(use_true_random=False),
)
def test_bindings_are_a_dict_of_spans(
    table: dict[tuple[str, int, int], dict[str, str] | None], others: set[tuple[str, int, int]], random: Any
) -> None:
    """Each span finds its own row and no other, and the rows left over are those not asked for."""
    rows = [(document, start, start + size, identity) for (document, start, size), identity in table.items()]
    random.shuffle(rows)
    made = bindings_of(*[row(start, end, identity, document) for document, start, end, identity in rows])
    for document, start, size in others - table.keys():
        with pytest.raises(Fault, match="no row"):
            made.identity_of(document, start, start + size)
    left = set(range(1, len(rows) + 1))
    for line, (document, start, end, identity) in enumerate(rows, start=1):
        if line % 4 or not others:
            left.remove(line)
            assert made.identity_of(document, start, end) == (identity and tuple(identity.values()))
    if left:
        assert refused(made.finish) == (
            f"bindings.jsonl:{min(left)}: names no gold span of the records;"
            f" {len(left)} of {len(rows)} rows do so"
        )
    else:
        made.finish()


def test_many_rows_take_little_memory_and_are_found() -> None:
    """Five thousand rows, each under 40 bytes, in many short buckets; identities are kept once."""
    made = Bindings("bindings.jsonl")
    for line in range(1, 5_001):
        made.add(row(line, line + 5, FULL if line % 2 else None), line)
    buckets = made._table._entries._buckets
    held = sum(map(sys.getsizeof, buckets)) + sys.getsizeof(buckets)
    assert held / 5_000 < 40
    assert max(map(len, buckets)) < 150 * 25
    assert made._identities == [None, ("person", "ada", "full")]
    for line in range(1, 5_001):
        found = made.identity_of("doc-canary", line, line + 5)
        assert found == (("person", "ada", "full") if line % 2 else None)
    made.finish()


def test_a_hash_that_lies_across_two_rows_is_no_row() -> None:
    """Nine bytes at the end of one packed row and seven at the start of the next look like a span's hash."""
    made = bindings_of(row(0, 7), row(0, 3))
    digest = blake2b(b"4 7 doc-canary", digest_size=16).digest()
    (bucket,) = made._table._entries._buckets
    bucket[16:32] = digest
    assert refused(lambda: made.identity_of("doc-canary", 4, 7)).startswith("gold_spans: have no row")
