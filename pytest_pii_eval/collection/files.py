"""Which node a file of ours becomes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.collection.nodes import BankFile, CaseFile

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from pytest_pii_eval.settings import FileKind


def file_node(parent: pytest.Collector, path: Path, kind: FileKind) -> pytest.Collector:
    """Return the collector for the file at `path`; the rooms of quality suites are imported on use."""
    if kind == "bank":
        return BankFile.from_parent(parent, path=path)
    if kind in ("positive", "negative"):
        return CaseFile.from_parent(parent, path=path, kind=kind)
    if kind == "corpora":
        from pytest_pii_eval.collection.corpora.nodes import CorporaNode  # noqa: PLC0415  # only for corpora

        return CorporaNode.from_parent(parent, path=path)
    from pytest_pii_eval.collection.quality import nodes  # noqa: PLC0415  # only for slices

    kinds: dict[FileKind, type[pytest.File]] = {
        "records": nodes.RecordsFile,
        "slices": nodes.SlicesFile,
        "unsupported": nodes.UnsupportedFile,
        "provenance": nodes.ProvenanceFile,
        "bindings": nodes.ProvenanceFile,
    }
    return kinds[kind].from_parent(parent, path=path)
