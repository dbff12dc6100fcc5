"""The files of an import: which may be read, what they hold by hash, and whether they stayed as they were."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, TypeAlias

from pytest_pii_eval.contracts.canonical import fingerprint
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import state_of
from pytest_pii_eval.corpora.adapters.brat_pairs import ANNOTATIONS, TEXT
from pytest_pii_eval.corpora.artifact import hashed
from pytest_pii_eval.corpora.receipt import Committed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

READS_FOLDERS: Final = "brat"
"""The adapter whose input may be a folder."""

State: TypeAlias = tuple[tuple[int, ...], ...]
"""What changes where somebody writes to one of the files."""


def committed(paths: Sequence[Path], adapter: str) -> Committed:
    """Return what the inputs hold together; raises `Fault` where one is refused or comes twice.

    One file is committed to by its own SHA-256. A folder stands for the sorted hashes of the texts and
    annotations in it, several inputs for their hashes in the order given.
    """
    found = [_one(path, adapter) for path in paths]
    for path, one in zip(paths, found, strict=True):
        if sum(other.sha256 == one.sha256 for other in found) > 1:
            raise Fault("is given twice, or under two names", file=path.name)
    return found[0] if len(found) == 1 else _together(found)


def states(paths: Iterable[Path]) -> State:
    """Return the state of every file of the inputs; one that is not there has none."""
    files = [file for path in paths for file in (_inside(path) if path.is_dir() else [path])]
    return tuple(state_of(file) if os.path.lexists(file) else () for file in files)


def _one(path: Path, adapter: str) -> Committed:
    if not path.is_dir():
        return hashed(path)
    if adapter != READS_FOLDERS:
        raise Fault(f"is a folder; only the format {READS_FOLDERS} is read from one", file=path.name)
    if path.is_symlink():
        raise Fault("is a symlink; name the real folder", file=path.name)
    found = []
    for file in _inside(path):
        try:
            found.append(hashed(file))
        except Fault as fault:  # its own name may be that of a person
            raise Fault(fault.rule, file=f"{path.name}/*{file.suffix}") from None
    return _together(sorted(found, key=lambda one: one.sha256))


def _inside(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.suffix in (TEXT, ANNOTATIONS))


def _together(found: Sequence[Committed]) -> Committed:
    return Committed(bytes=sum(one.bytes for one in found), sha256=fingerprint([one.sha256 for one in found]))
