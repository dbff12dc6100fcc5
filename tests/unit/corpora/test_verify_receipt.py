"""Verifying against the receipt: every field of it counts."""

from __future__ import annotations

import json
import shutil
from typing import Any

import pytest
from corpus_files import CANARY, FakeAdapter, recipe_of
from prepared_corpus import Prepared, canonical

from pytest_pii_eval.corpora.prepare import prepare


@pytest.fixture
def suite(tmp_path) -> Prepared:
    """A prepared corpus."""
    return Prepared(tmp_path)


_PATHS = (
    *("key", "recipe", "pin", "artifact.bytes", "artifact.sha256", "artifact.rows", "adapter"),
    *("adapter_version", "span_policy_sha256", "rows", "documents", "documents_without_gold", "spans"),
    *("spans_by_type.person", "excluded_spans", "quarantined.value_differs", "held_out.train.documents"),
    *("held_out.train.spans", "not_promotable", "content", "schema_version"),
    *(f"files.quality-records.jsonl.{name}" for name in ("bytes", "sha256", "rows")),
)


@pytest.mark.parametrize("path", _PATHS)
@pytest.mark.parametrize("how", ["other", "absent", "kind"])
def test_every_field_of_the_receipt_counts(suite, path, how) -> None:
    """Another value, none, and one of another kind are found, wherever it is."""
    *way, last = path.replace("quality-records.jsonl", "quality-records|jsonl").split(".")

    def change(row: dict[str, Any]) -> None:
        for step in way:
            row = row[step.replace("|", ".")]
        before = row.pop(last)
        if how == "kind":
            row[last] = True if isinstance(before, int) else [CANARY]
        elif how == "other":
            row[last] = (before or 0) + 1 if not isinstance(before, str) else f"{before}x"

    suite.edit(change)
    suite.refused()


@pytest.mark.parametrize(
    "change",
    [
        lambda row: row.update({CANARY: 1}),
        lambda row: row["quarantined"].update({CANARY: 1}),
        lambda row: row["notes"].update({CANARY: 1}),
        lambda row: row["held_out"].update({"validation": {"documents": 0, "spans": 0}}),
        lambda row: row["spans_by_type"].update({CANARY: 0}),
        lambda row: row["quarantined"].clear(),
        lambda row: row["held_out"].clear(),
        lambda row: row["files"].clear(),
        lambda row: row["spans_by_type"].update(person=2, email=2),
    ],
)
def test_nothing_is_added_to_a_receipt_or_taken(suite, change) -> None:
    """Keys that it may hold are those that deriving gives."""
    suite.edit(change)
    suite.refused()


def test_a_receipt_is_written_in_one_way(suite) -> None:
    """The same values in other bytes were not written by a prepare."""
    path = suite.folder / "receipt.json"
    row = json.loads(path.read_bytes())
    for payload in (
        json.dumps(row, sort_keys=True).encode(),
        canonical(row),
        canonical(row) + b" \n",
        canonical(row).replace(b"demo", b"\\u0064emo") + b"\n",
    ):
        path.write_bytes(payload)
        told = "receipt.json: is not written as a receipt is; run 'pii-eval corpus prepare demo'"
        assert suite.refused() == told
    path.write_bytes(canonical(row) + b"\n")
    suite.verify()


def test_the_receipt_of_another_recipe_is_found(suite, tmp_path) -> None:
    """A suite that lies under the name of another pin is not that of the pin."""
    other = recipe_of(FakeAdapter(), max_quarantined="2")
    prepare(other, suite.artifact, suite.cache)
    shutil.rmtree(suite.folder)
    suite.cache.prepared(other).rename(suite.folder)
    assert suite.refused() == (
        "receipt.json: recipe: is not what a prepare would write; run 'pii-eval corpus prepare demo'"
    )
