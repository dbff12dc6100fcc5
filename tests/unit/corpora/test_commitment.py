"""What a run binds of a corpus and of its catalog bindings, and what it opens of a corpora file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from corpus_files import ARTIFACT_HASH, FakeAdapter, corpora_document, pin_document, pin_of, prepared

from pytest_pii_eval.collection.corpora.corpus import Corpus, own_rules
from pytest_pii_eval.collection.corpora.opening import Absent, open_corpora
from pytest_pii_eval.contracts.binding_table import BindingTable, Bound
from pytest_pii_eval.contracts.bindings import Bindings
from pytest_pii_eval.contracts.corpora_file import parse_corpora
from pytest_pii_eval.contracts.taxonomy import default_taxonomy
from pytest_pii_eval.settings import default_settings


def _file(**fields: Any):
    """A corpora file of two corpora, `demo` and `other`, with its gates and floors."""
    document = corpora_document()
    document["corpora"]["other"] = pin_document(label_map="open_pii_masking", excluded_labels=None)
    return parse_corpora(document | fields, Path("corpora.yaml"), default_taxonomy())


def _corpus(folder: Path, adapter: FakeAdapter | None = None, **changes: Any) -> Corpus:
    receipt, suite = prepared(folder, adapter, **changes)
    return Corpus(pin_of(**changes), receipt, suite, _file().suite, "corpora.yaml")


def _with(corpus: Corpus, **changes: Any) -> str:
    """The commitment of a corpus whose receipt says something else."""
    return corpus._replace(receipt=corpus.receipt.model_copy(update=changes)).commitment


def test_every_part_of_a_corpus_changes_its_commitment(tmp_path) -> None:
    """Recipe, artifact, and each file by name and hash: one changed, and all commitments differ."""
    corpus = _corpus(tmp_path)
    receipt = corpus.receipt
    assert receipt.artifact.sha256 == f"sha256:{ARTIFACT_HASH}"
    other = f"sha256:{'0' * 64}"
    files = receipt.files
    changed = [
        corpus.commitment,
        _with(corpus, recipe=other),
        _with(corpus, artifact=receipt.artifact.model_copy(update={"sha256": other})),
        *[
            _with(corpus, files=files | {name: one.model_copy(update={"sha256": other})})
            for name, one in files.items()
        ],
        *[_with(corpus, files={left: files[left] for left in files if left != name}) for name in files],
        _with(corpus, files=files | {"labels.jsonl": files["quality-records.jsonl"]}),
    ]
    assert len(files) == 3
    assert len(set(changed)) == len(changed) == 10


def test_another_adapter_or_label_changes_the_commitment(tmp_path) -> None:
    """Corpora that are prepared otherwise are bound as others, though their records may be equal."""
    versioned = FakeAdapter()
    versioned.version = "2"
    made = []
    for name, adapter, changes in (
        ("as it is", None, {}),
        ("adapter", versioned, {}),
        ("strength", None, {"label_strength": "structured_weak"}),
        ("quarantine", None, {"max_quarantined": "2"}),
    ):
        (tmp_path / name).mkdir()
        made.append(_corpus(tmp_path / name, adapter, **changes).commitment)
    assert len(set(made)) == 4


def test_what_decides_no_record_changes_no_commitment(tmp_path) -> None:
    """Licence, languages and notes are no part of it, nor is where the corpus lies."""
    made = set()
    for name, changes in (
        ("as it is", {}),
        ("words", {"licence": "MIT", "redistribution": "never", "languages": ["en", "pl"], "notes": "x"}),
        ("models", {"in_domain_for": ["vendor/model-1"]}),
    ):
        (tmp_path / name).mkdir()
        made.add(_corpus(tmp_path / name, **changes).commitment)
    assert len(made) == 1


def _gate(slice_: str, type_: str | None = None) -> dict[str, str]:
    return {"slice": slice_, "metric": "recall", "min": "0.5"} | ({"type": type_} if type_ else {})


def test_the_rules_of_a_corpus_are_its_own() -> None:
    """Those under its key, those of all slices, and of a type for all only where it has that type."""
    gates = [
        _gate("demo"),
        _gate("other"),
        _gate("demo", "email"),
        _gate("other", "email"),
        _gate("*"),
        _gate("*", "email"),
        _gate("*", "age"),
    ]
    floors = [_gate("other"), _gate("*", "age"), _gate("demo")]
    suite = _file(gates=gates, floors=floors).suite
    own = own_rules(suite, "demo", {"person", "email"})
    assert [(one.slice, one.type) for one in own.gates] == [
        ("demo", None),
        ("demo", "email"),
        ("*", None),
        ("*", "email"),
    ]
    assert [(one.slice, one.type) for one in own.floors] == [("demo", None)]
    everywhere = own_rules(suite, "other", {"person", "age"})
    assert [(one.slice, one.type) for one in everywhere.gates] == [
        ("other", None),
        ("other", "email"),
        ("*", None),
        ("*", "age"),
    ]
    assert [(one.slice, one.type) for one in everywhere.floors] == [("other", None), ("*", "age")]


def test_a_pin_without_a_hash_says_how_to_lock_it(tmp_path, monkeypatch) -> None:
    """There is nothing to download or prepare: the command is the one that gives the hash."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "corpora.yaml"
    document = corpora_document(pin_document(adapter="spans", sha256="unverified"), "unlocked")
    path.write_text(json.dumps(document), "utf-8")  # JSON is YAML
    (one,) = open_corpora(path, default_settings(tmp_path), lambda _: None)
    assert isinstance(one, Absent)
    assert one.key == "unlocked"
    assert "pii-eval corpus lock" in one.command
    assert "sha256" in one.command
    assert "prepare" not in one.command
    assert "download" not in one.command


@pytest.mark.parametrize(
    ("one", "other"),
    # Equal in four bytes of BLAKE2b, as a hash of four bytes and as the first of sixteen; found by search.
    [("doc-203926", "doc-212473"), ("doc-10683", "doc-36866")],
)
def test_rows_whose_short_hashes_are_equal_are_two(one, other) -> None:
    """Spans of two documents that four bytes of a hash cannot tell apart have two rows."""
    table = BindingTable()
    assert table.add((one, 0, 7), 1, 0) is None
    assert table.add((other, 0, 7), 2, 1) is None
    assert table.take((other, 0, 7)) == Bound(2, 1, taken=False)
    assert list(table) == [Bound(1, 0, taken=False), Bound(2, 1, taken=True)]


@pytest.mark.parametrize(
    ("one", "other"),
    # The same of whole rows: a hash of four bytes, and the last and the first four of 64.
    [("doc-63201", "doc-83429"), ("doc-13917", "doc-25027"), ("doc-47105", "doc-106469")],
)
def test_bindings_whose_short_hashes_are_equal_are_two(one, other) -> None:
    """The fingerprint of bindings tells apart rows that four bytes of a hash cannot."""
    made = []
    for name in (one, other):
        bindings = Bindings("bindings.jsonl")
        bindings.add({"document_id": name, "start": 0, "end": 7, "catalog_identity": None}, 1)
        made.append(bindings.fingerprint)
    assert made[0] != made[1]
