"""Which node a file of ours becomes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_pii_eval.collection.nodes import BankFile, CaseFile
from pytest_pii_eval.kinds import kind_of
from pytest_pii_eval.settings import SETTINGS

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from pytest_pii_eval.settings import FileKind, Settings

_HASH = re.compile("[0-9a-f]{16}")


def file_node(parent: pytest.Collector, path: Path, kind: FileKind) -> pytest.Collector | None:
    """Return the collector for the file at `path`; the rooms of quality suites are imported on use.

    Catalog bindings without records beside them are those that a corpora file names: no file of a suite. A
    prepared corpus is met by its corpora file, or by its own name, and not on the way through a cache.
    """
    if kind == "bank":
        return BankFile.from_parent(parent, path=path)
    if kind in ("positive", "negative"):
        return CaseFile.from_parent(parent, path=path, kind=kind)
    if kind in ("corpora", "freezes"):
        return _governing_node(parent, path, kind)
    if _is_prepared(path.parent) and not any(map(parent.session.isinitpath, (path, path.parent))):
        return None
    if kind == "bindings" and not _has_records(path.parent, parent.config.stash[SETTINGS]):
        return None
    from pytest_pii_eval.collection.quality import nodes  # noqa: PLC0415  # only for slices

    kinds: dict[FileKind, type[pytest.File]] = {
        "records": nodes.RecordsFile,
        "slices": nodes.SlicesFile,
        "unsupported": nodes.UnsupportedFile,
        "provenance": nodes.ProvenanceFile,
        "bindings": nodes.ProvenanceFile,
    }
    return kinds[kind].from_parent(parent, path=path)


def _governing_node(parent: pytest.Collector, path: Path, kind: FileKind) -> pytest.Collector:
    """Return the collector of a file that speaks of suites elsewhere."""
    if kind == "corpora":
        from pytest_pii_eval.collection.corpora.nodes import CorporaNode  # noqa: PLC0415  # only for corpora

        return CorporaNode.from_parent(parent, path=path)
    from pytest_pii_eval.collection.freezes.nodes import FreezesNode  # noqa: PLC0415  # only for freezes

    return FreezesNode.from_parent(parent, path=path)


def _has_records(folder: Path, settings: Settings) -> bool:
    return any(kind_of(path, settings) == "records" for path in folder.iterdir())


def _is_prepared(folder: Path) -> bool:
    """Whether `folder` is the suite of a corpus in some cache: `prepared/KEY/HASH` with a receipt."""
    if _HASH.fullmatch(folder.name) is None or folder.parents[1].name != "prepared":
        return False
    return (folder / "receipt.json").exists() and (folder.parents[2] / ".gitignore").exists()
