"""Which files set thresholds, and whether a change edits one of them; it judges nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import read_input
from pytest_pii_eval.contracts.yaml_file import MAX_FILE_BYTES, parse_yaml
from pytest_pii_eval.freezes.suites import SUITE
from pytest_pii_eval.freezes.touching import Touched

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pii_eval.freezes.changes import Change
    from pytest_pii_eval.freezes.git import Repository
    from pytest_pii_eval.freezes.standing import Standing

_OPEN: Final = "open"
_CORPORA: Final = "corpora"


def edited_thresholds(standing: Standing, repository: Repository, change: Change) -> list[Path]:
    """Return the files with thresholds that the change edits.

    One that was not there before, and never set a number since, is none: a project is set up in one change.
    """
    touched = Touched(repository, change.paths)
    of_ours = [standing.file.floors, *_suites(standing), *_corpora_files(standing, change)]
    edited = [path for path in of_ours if touched.holds(path) and not _is_set_up(path, repository, change)]
    # What a file of another kind sets cannot be told from its content.
    return [*dict.fromkeys([*edited, *(path for path in standing.file.thresholds if touched.holds(path))])]


def sets_numbers(payload: bytes | None) -> bool:
    """Whether a floors, suite or corpora file of this content sets a limit; one that cannot be read does."""
    if payload is None:
        return False
    try:
        document = parse_yaml(payload)
    except Fault:
        return True
    if not isinstance(document, dict):
        return True
    rows = [row for name in ("gates", "floors") for row in document.get(name, ())]
    return any(not isinstance(row, dict) or _is_set(row) for row in rows)


def now(path: Path) -> bytes | None:
    """Return the content of a file in the work tree: None where it is missing, empty where unreadable."""
    if not path.is_symlink() and not path.exists():
        return None
    try:
        return read_input(path, limit=MAX_FILE_BYTES)
    except Fault:
        return b""


def _is_set(row: dict[str, object]) -> bool:
    return any(row.get(name, _OPEN) != _OPEN for name in ("limit", "min", "max"))


def _suites(standing: Standing) -> list[Path]:
    return [one.suite / SUITE for one in standing.file.sets.values() if one.suite is not None]


def _corpora_files(standing: Standing, change: Change) -> list[Path]:
    """Return the corpora files beside the freezes file, removed ones too, where a set is one of a corpus."""
    if all(one.corpus is None for one in standing.file.sets.values()):
        return []
    folder = standing.file.path.parent
    beside = {path.name for path in change.paths} | {path.name for path in folder.iterdir()}
    return [folder / name for name in sorted(beside) if standing.kinds(folder / name) == _CORPORA]


def _is_set_up(path: Path, repository: Repository, change: Change) -> bool:
    """Whether a file was not there before the change, and no version of it in the change sets a number."""
    if change.base is not None and repository.content(change.base, path) is not None:
        return False
    span = (*change.commits[:1], *([f"^{change.base}"] if change.base else []))
    commits = repository.commits(*span, path=path) if change.commits else []
    versions = [repository.content(commit, path) for commit in commits]
    return not any(map(sets_numbers, [*versions, repository.staged(path), now(path)]))
