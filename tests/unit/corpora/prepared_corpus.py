"""A prepared corpus with every kind of file, and ways to tamper with it."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import pytest
from corpus_files import FakeAdapter, artifact_in, cache_in, recipe_of

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.prepare import prepare
from pytest_pii_eval.corpora.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


GAPS = [{"dimension": "head_tail", "reason_code": "unknown"}]


FILES = (
    "COMMITTED",
    "documents.jsonl",
    "labels.jsonl",
    "quality-provenance.jsonl",
    "quality-records.jsonl",
    "quality-slices.jsonl",
    "receipt.json",
    "unsupported-slices.jsonl",
)


DATA = tuple(name for name in FILES if name.endswith(".jsonl"))


class Prepared:
    """A prepared corpus with every kind of file, to be tampered with."""

    def __init__(self, folder: Path) -> None:
        adapter = FakeAdapter()
        adapter.keeps_labels_apart = True
        self.recipe = recipe_of(adapter, unsupported=GAPS)
        self.cache = cache_in(folder)
        self.artifact = artifact_in(folder)
        self.receipt = prepare(self.recipe, self.artifact, self.cache)
        self.folder = self.cache.prepared(self.recipe)

    def verify(self):
        """Verify it."""
        return verify(self.recipe, self.cache, self.artifact)

    def refused(self) -> str:
        """Return why it does not verify; no text, id or path is told."""
        with pytest.raises(Fault) as caught:
            self.verify()
        told = str(caught.value)
        assert "Ottoline" not in told
        assert "Vale" not in told
        assert str(self.cache.root) not in told
        assert "\n" not in told
        return told

    def edit(self, change: Callable[[dict[str, Any]], object]) -> None:
        """Change the receipt, and write it as receipts are written."""
        path = self.folder / "receipt.json"
        row = json.loads(path.read_bytes())
        change(row)
        path.write_bytes(canonical(row) + b"\n")

    def rewrite(self, name: str, payload: bytes) -> None:
        """Change a file, and the receipt with it, but for the rows that it counts."""
        (self.folder / name).write_bytes(payload)
        digest = f"sha256:{hashlib.sha256(payload).hexdigest()}"
        said = {"bytes": len(payload), "sha256": digest}
        self.edit(lambda row: row["files"].update({name: row["files"].get(name, {"rows": 1}) | said}))


def canonical(row: object) -> bytes:
    """Return a row as receipts are written, without its line feed."""
    return json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
