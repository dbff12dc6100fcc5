"""Preparing: what is written, what is counted, and that it is private."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import tracemalloc
from typing import TYPE_CHECKING

from corpus_files import (
    ARTIFACT,
    ARTIFACT_HASH,
    CANARY,
    SUITE,
    FakeAdapter,
    artifact_in,
    cache_in,
    prepared,
    recipe_of,
    rows,
    tree,
)

from pytest_pii_eval.corpora import artifact as hashing
from pytest_pii_eval.corpora import files as module
from pytest_pii_eval.corpora.draft import Draft
from pytest_pii_eval.corpora.prepare import prepare
from pytest_pii_eval.corpora.verify import verify

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_pii_eval.corpora.draft import Unfit


def test_a_suite_is_written(tmp_path) -> None:
    """The files of a small corpus, field by field."""
    _, folder = prepared(tmp_path)
    assert tuple(sorted(path.name for path in folder.iterdir())) == SUITE
    first, second, third = rows(folder / "quality-records.jsonl")
    assert first == {
        "document": {
            "document_id": f"{CANARY}-1",
            "text": "Ada Vale wrote to ada@vale.example.",
            "text_view": "corpus_text",
            "split_role": "test",
        },
        "gold_spans": [
            {
                "document_id": f"{CANARY}-1",
                "entity_class": type_,
                "start": start,
                "end": end,
                "catalog_identity": None,
            }
            for start, end, type_ in ((0, 8, "person"), (18, 34, "email"))
        ],
        "slice_ids": ["demo"],
    }
    assert (second["document"]["document_id"], second["gold_spans"]) == ("d-a03f1d611645eb53ad16c1af", [])
    assert [span["start"] for span in third["gold_spans"]] == [5, 14]
    assert rows(folder / "quality-provenance.jsonl") == [
        {"document_id": name, "source_corpus": f"demo@{ARTIFACT_HASH[:12]}", "template_id": template}
        for name, template in (
            (f"{CANARY}-1", "t1"),
            ("d-a03f1d611645eb53ad16c1af", "t-fd555bee8f13792aff018619"),
            ("d4", "t1"),
        )
    ]


def test_the_slice_says_what_the_pin_says(tmp_path) -> None:
    """Scope, strength, regions and exclusions are those of the pin; the gaps stand in a file of their own."""
    gaps = [{"dimension": "head_tail", "reason_code": "unknown"}]
    _, folder = prepared(tmp_path, exclusions=["quoted"], unsupported=gaps, label_strength="structured_weak")
    (one,) = rows(folder / "quality-slices.jsonl")
    scope = one["annotation_scope"]
    assert (one["id"], one["entity_class"], one["cohort"]) == ("demo", "all_types", "all")
    assert (one["label_strength"], one["split_role"], one["promotion_gate"]) == (
        "structured_weak",
        "test",
        False,
    )
    assert (scope["document_regions"], scope["exclusions"]) == (["body"], ["excluded_labels", "quoted"])
    assert len(scope["entity_classes"]) == 18  # the 29 labels of gretel_finance give so many types
    assert one["text_view_descriptor"]["artifact_sha256"] == f"sha256:{ARTIFACT_HASH}"
    assert rows(folder / "unsupported-slices.jsonl") == [
        {"id": "demo.head_tail", "dimension": "head_tail", "reason_code": "unknown"}
    ]


def test_one_type_is_its_own_scope(tmp_path) -> None:
    """Where labels are types, the scope is what is there; a single one is the class of the slice."""
    drafts = [Draft(1, "d1", "Ada Vale", ((0, 8, "person"),), "t")]
    _, folder = prepared(tmp_path, FakeAdapter(drafts), label_map="types", excluded_labels=None)
    (one,) = rows(folder / "quality-slices.jsonl")
    assert (one["entity_class"], one["annotation_scope"]["entity_classes"]) == ("person", ["person"])


def test_the_receipt_counts(tmp_path) -> None:
    """All figures of the small corpus, by hand."""
    receipt, folder = prepared(tmp_path)
    assert (receipt.rows, receipt.documents, receipt.documents_without_gold) == (5, 3, 1)
    assert (receipt.spans, receipt.spans_by_type, receipt.excluded_spans) == (4, {"email": 1, "person": 3}, 1)
    assert (receipt.quarantined, receipt.notes) == ({"value_differs": 1}, {})
    assert {role: (one.documents, one.spans) for role, one in receipt.held_out.items()} == {"train": (1, 1)}
    assert (receipt.artifact.bytes, receipt.artifact.sha256) == (len(ARTIFACT), f"sha256:{ARTIFACT_HASH}")
    assert (receipt.key, receipt.adapter, receipt.adapter_version) == ("demo", "fake", "1")
    assert receipt.not_promotable == "public_corpus"
    assert {name: one.rows for name, one in receipt.files.items()} == {
        "quality-provenance.jsonl": 3,
        "quality-records.jsonl": 3,
        "quality-slices.jsonl": 1,
    }
    for name, one in receipt.files.items():
        found = subprocess.run(["sha256sum", folder / name], capture_output=True, check=True, text=True)  # noqa: S607  # an independent program, as the machine has it
        assert f"sha256:{found.stdout.split()[0]}" == one.sha256
        assert (folder / name).stat().st_size == one.bytes


def test_labels_may_be_kept_apart(tmp_path) -> None:
    """Documents and labels of every role lie in two files, for who may see one of them."""
    adapter = FakeAdapter()
    adapter.keeps_labels_apart = True
    adapter.not_promotable = "exploration_only"
    receipt, folder = prepared(tmp_path, adapter)
    documents, labels = rows(folder / "documents.jsonl"), rows(folder / "labels.jsonl")
    assert [one["split_role"] for one in documents] == ["test", "test", "test", "train"]
    assert documents[3] == {"document_id": "d5", "split_role": "train", "text": "Cy Kane was kept apart."}
    assert labels[3] == {
        "document_id": "d5",
        "split_role": "train",
        "spans": [{"entity_class": "person", "start": 0, "end": 7}],
    }
    assert (receipt.documents, receipt.not_promotable) == (3, "exploration_only")
    assert {"documents.jsonl", "labels.jsonl"} <= receipt.files.keys()


def test_the_receipt_holds_no_text_id_or_path(tmp_path) -> None:
    """Neither texts, ids, templates, surfaces nor places of this machine are in it."""
    words = [f"{CANARY}-{part}" for part in ("text", "id", "template", "label")]
    drafts = [
        Draft(1, words[1], words[0], ((0, 5, "name"),), words[2]),
        Draft(2, "d2", "x", ((0, 1, words[3]),), "t"),
    ]
    receipt, folder = prepared(tmp_path, FakeAdapter(drafts))
    told = (folder / "receipt.json").read_text("utf-8") + repr(receipt)
    assert "Ottoline" not in told
    assert str(tmp_path) not in told
    assert "artifact.bin" not in told
    assert json.loads((folder / "receipt.json").read_bytes())["content"] == "private_text"


def test_equal_bytes_wherever_it_is_prepared(tmp_path) -> None:
    """Two runs in two places give every file byte by byte, under the same name."""
    trees = []
    for name in ("one", "another"):
        (tmp_path / name).mkdir()
        prepared(tmp_path / name)
        trees.append(tree(tmp_path / name))
    assert trees[0] == trees[1]
    assert len(trees[0]) == len(SUITE) + 5  # the artifact, the cache and three folders in it


def test_it_is_private(tmp_path) -> None:
    """Folders are for their owner alone whatever the umask says, so are files, and git ignores them."""
    before = os.umask(0o000)
    try:
        _, folder = prepared(tmp_path)
    finally:
        os.umask(before)
    cache = tmp_path / "cache"
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in [cache, *cache.rglob("*")]}
    del modes[".gitignore"]
    assert modes.pop(".demo.lock") == 0o600
    assert {modes.pop(name) for name in ("cache", "prepared", "demo", folder.name)} == {0o700}
    assert (set(modes), set(modes.values())) == (set(SUITE), {0o600})
    assert "*" in (cache / ".gitignore").read_text().splitlines()


def test_git_sees_nothing_of_it(tmp_path) -> None:
    """In a work tree, a prepared corpus is not there for git."""
    git = ["git", "-C", str(tmp_path)]
    subprocess.run([*git, "init", "-q"], check=True)
    prepared(tmp_path)
    found = subprocess.run([*git, "status", "--short", "-uall"], capture_output=True, check=True, text=True)
    assert found.stdout == "?? artifact.bin\n"


def test_progress_is_told(tmp_path) -> None:
    """Rows are told now and then, and all of them at the end."""
    drafts = [Draft(row, f"d{row}", "x", ((0, 1, "name"),), "t") for row in range(1, 1201)]
    told: list[int] = []
    prepare(recipe_of(FakeAdapter(drafts)), artifact_in(tmp_path), cache_in(tmp_path), progress=told.append)
    assert told == [500, 1000, 1200]


def test_what_is_prepared_is_not_read_again(tmp_path) -> None:
    """The second time the receipt is that of the first; the artifact need not be there."""
    adapter = FakeAdapter()
    first, folder = prepared(tmp_path, adapter)
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    (tmp_path / "artifact.bin").unlink()
    recipe = recipe_of(adapter)
    assert prepare(recipe, tmp_path / "artifact.bin", cache_in(tmp_path)) == first
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == before
    assert adapter.reads == 1


def test_another_pin_is_another_suite(tmp_path) -> None:
    """A changed pin is prepared beside the old suite, which stays."""
    _, first = prepared(tmp_path)
    _, second = prepared(tmp_path, max_quarantined="2")
    assert first != second
    assert first.parent == second.parent
    assert len(list(first.parent.iterdir())) == 2


class _Many(FakeAdapter):
    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number

    def read(self, _: Path) -> Iterator[Draft | Unfit]:
        for row in range(1, self._number + 1):
            text = f"Ada Vale wrote {row}. " * 20
            yield Draft(row, f"d{row}", text, ((0, 8, "name"),), f"t{row % 9}")


def _peak(folder: Path, number: int) -> int:
    """Return the bytes that preparing and verifying took at most."""
    folder.mkdir()
    recipe, artifact, cache = recipe_of(_Many(number)), artifact_in(folder), cache_in(folder)
    tracemalloc.start()
    prepare(recipe, artifact, cache)
    verify(recipe, cache, artifact)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_ten_times_the_rows_take_the_memory_of_one(tmp_path, monkeypatch) -> None:
    """Beside some 30 bytes a row for ids that must not repeat, nothing grows."""
    monkeypatch.setattr(module, "_BUFFER", 1 << 14)
    monkeypatch.setattr(hashing, "_BLOCK", 1 << 14)
    _peak(tmp_path / "warm", 10)
    few, many = _peak(tmp_path / "few", 200), _peak(tmp_path / "many", 2000)
    assert many - few < 1800 * 90  # a record is 700 bytes
