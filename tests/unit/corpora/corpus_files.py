"""A tiny invented corpus on disk: its artifact, its pin, an adapter that gives what a test says."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_pii_eval.contracts.corpora_file import parse_corpora
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.taxonomy import default_taxonomy
from pytest_pii_eval.corpora.cache import Cache
from pytest_pii_eval.corpora.draft import Draft, Unfit
from pytest_pii_eval.corpora.prepare import prepare
from pytest_pii_eval.corpora.recipe import make_recipe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pytest_pii_eval.contracts.corpora_file import Pin
    from pytest_pii_eval.corpora.recipe import Recipe

CANARY = "Ottoline-Fensworth"
ARTIFACT = b"invented bytes, which no test reads as rows\n"
ARTIFACT_HASH = hashlib.sha256(ARTIFACT).hexdigest()

DRAFTS = (
    Draft(1, f"{CANARY}-1", "Ada Vale wrote to ada@vale.example.", ((0, 8, "name"), (18, 34, "email")), "t1"),
    Draft(2, "two words", "Nobody is here.", (), "t 2"),
    Unfit(3, "value_differs"),
    Draft(4, "d4", "Call Bo Reed, Bo Reed.", ((5, 12, "name"), (14, 21, "first_name"), (0, 4, "verb")), "t1"),
    Draft(5, "d5", "Cy Kane was kept apart.", ((0, 7, "name"),), "t5", "train"),
)
"""Five rows: three documents of the pin's role, one that does not fit, one that is held out."""


class FakeAdapter:
    """An adapter whose drafts a test gives; `before` is called before each of them, with its number."""

    name = "fake"
    version = "1"
    offset_unit = "codepoint"
    policy = "spans end where the test says"

    def __init__(
        self, drafts: Iterable[Draft | Unfit] = DRAFTS, before: Callable[[int, Path], None] | None = None
    ) -> None:
        self.drafts = drafts
        self.before = before
        self.reads = 0

    def read(self, path: Path) -> Iterator[Draft | Unfit]:
        """Yield the drafts."""
        self.reads += 1
        for number, draft in enumerate(self.drafts, 1):
            if self.before is not None:
                self.before(number, path)
            yield draft


def pin_document(**changes: Any) -> dict[str, Any]:
    """Return the entry of a pin of `ARTIFACT`; a change to None leaves the field out."""
    fields = {
        "source": {"kind": "local", "path": "artifact.bin"},
        "bytes": str(len(ARTIFACT)),
        "sha256": ARTIFACT_HASH,
        "licence": "CC0-1.0",
        "redistribution": "as you like",
        "adapter": "fake",
        "options": {},
        "label_map": "gretel_finance",
        "excluded_labels": ["verb"],
        "split_key": "template_id",
        "split_role": "test",
        "label_strength": "independent",
        "annotation_completeness": "exhaustive_within_scope",
        "regions": ["body"],
        "languages": ["en"],
        "max_quarantined": "1",
    }
    return {name: value for name, value in (fields | changes).items() if value is not None}


def corpora_document(pin: object = None, key: str = "demo", **fields: Any) -> dict[str, Any]:
    """Return a corpora file of one pin, decoded."""
    entry = pin_document() if pin is None else pin
    return {"version": "pii_eval.corpora.v1", "corpora": {key: entry}, **fields}


def pin_of(key: str = "demo", **changes: Any) -> Pin:
    """Return the pin of `ARTIFACT` with some fields changed."""
    document = corpora_document(pin_document(**changes), key)
    return parse_corpora(document, Path("corpora.yaml"), default_taxonomy()).pins[key]


def recipe_of(adapter: FakeAdapter | None = None, **changes: Any) -> Recipe:
    """Return the recipe of a pin with some fields changed."""
    return make_recipe(pin_of(**changes), adapter or FakeAdapter(), default_taxonomy())


def artifact_in(folder: Path, payload: bytes = ARTIFACT) -> Path:
    """Write the artifact."""
    path = folder / "artifact.bin"
    path.write_bytes(payload)
    return path


def cache_in(folder: Path) -> Cache:
    """Return a cache that is not there yet."""
    return Cache(folder / "cache")


def tree(root: Path) -> dict[str, bytes | None]:
    """Return every file and folder below `root` by its path, but the lock and the file for git."""
    return {
        str(path.relative_to(root)): path.read_bytes() if path.is_file() else None
        for path in sorted(root.rglob("*"))
        if path.name not in {".gitignore", ".demo.lock"}
    }


def rows(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file of lines."""
    return [json.loads(line) for line in path.read_text("utf-8").split("\n")[:-1]]


SUITE = (
    "COMMITTED",
    "quality-provenance.jsonl",
    "quality-records.jsonl",
    "quality-slices.jsonl",
    "receipt.json",
)


def prepared(folder: Path, adapter: FakeAdapter | None = None, artifact: bytes = ARTIFACT, **changes):
    """Prepare a corpus; return its receipt and the folder of its suite."""
    recipe, cache = recipe_of(adapter, **changes), cache_in(folder)
    receipt = prepare(recipe, artifact_in(folder, artifact), cache)
    return receipt, cache.prepared(recipe)


def refused(folder: Path, adapter: FakeAdapter | None = None, artifact: bytes = ARTIFACT, **changes) -> str:
    """Return the refusal of a corpus, of which nothing is left but empty folders."""
    with pytest.raises(Fault) as caught:
        prepared(folder, adapter, artifact, **changes)
    assert left(folder) == []
    assert CANARY not in str(caught.value)
    assert str(folder) not in str(caught.value)
    return str(caught.value)


def left(folder: Path) -> list[str]:
    """Return what is in the cache, beside its own folders."""
    return [name for name in tree(folder / "cache") if name not in {"prepared", "prepared/demo"}]
