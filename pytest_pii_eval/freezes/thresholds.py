"""What a change does to thresholds and to the sealed freeze, in whatever file; it judges nothing."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import read_input
from pytest_pii_eval.contracts.freezes_file import parse_freezes
from pytest_pii_eval.contracts.yaml_file import MAX_FILE_BYTES, parse_yaml
from pytest_pii_eval.freezes.suites import SUITE
from pytest_pii_eval.freezes.touching import Touched

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pytest_pii_eval.contracts.freezes_file import FreezesFile
    from pytest_pii_eval.freezes.changes import Change
    from pytest_pii_eval.freezes.git import Repository
    from pytest_pii_eval.freezes.standing import Standing

_OPEN: Final = "open"
_CORPORA: Final = "corpora"


def edited_thresholds(standing: Standing, repository: Repository, change: Change) -> list[Path]:
    """Return the files with thresholds that the change edits, whether the freezes file names them still.

    One that was not there before, and never set a number since, is none: a project is set up in one change.
    A freezes file that names other floors than before edits thresholds itself.
    """
    file, before = standing.file, _before(standing.file, repository, change)
    files = [file] if before is None else [file, before]
    touched = Touched(repository, change.paths)
    of_ours = [path for one in files for path in (one.floors, *_suites(one))]
    of_ours += _corpora_files(files, standing, change)
    edited = [path for path in of_ours if touched.holds(path) and not _is_set_up(path, repository, change)]
    if before is not None and not change.is_past and before.floors != file.floors:
        edited.append(file.path)
    # What a file of another kind sets cannot be told from its content.
    edited += [path for one in files for path in one.thresholds if touched.holds(path)]
    return [*dict.fromkeys(edited)]


def sealed_by(standing: Standing, repository: Repository, change: Change) -> Path | None:
    """Return the file by which the change makes the sealed freeze another one; None where it does not.

    That is its commitment, or the freezes file where it names another set or commitment than before.
    """
    file, touched = standing.file, Touched(repository, change.paths)
    sealed = file.sealed
    if _is_moved(file, repository, change):
        return None
    if sealed is not None and sealed.commitment is not None and touched.holds(sealed.commitment):
        return sealed.commitment
    if not touched.holds(file.path):
        return None
    before = _before(file, repository, change)
    return None if before is not None and _seal(before) == _seal(file) else file.path


def is_the_same_seal(repository: Repository, change: Change, places: Iterable[Path]) -> bool:
    """Whether a change of the past left the commitment what it was, and at most moved it."""
    if change.base is None:
        return False
    before, after = (
        {repository.content(revision, place) for place in places} - {None}
        for revision in (change.base, change.commits[0])
    )
    return bool(before) and before == after


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
    if not os.path.lexists(path):
        return None
    try:
        return read_input(path, limit=MAX_FILE_BYTES)
    except Fault:
        return b""


def _is_set(row: dict[str, object]) -> bool:
    return any(row.get(name, _OPEN) != _OPEN for name in ("limit", "min", "max"))


def _before(file: FreezesFile, repository: Repository, change: Change) -> FreezesFile | None:
    """Return the freezes file as it was before the change; None where it was not there, or was none."""
    payload = None if change.base is None else repository.content(change.base, file.path)
    if payload is None:
        return None
    try:
        return parse_freezes(parse_yaml(payload), file.path)
    except Fault:
        return None


def _is_moved(file: FreezesFile, repository: Repository, change: Change) -> bool:
    """Whether the sealed freeze is what it was before, and only its commitment lies elsewhere."""
    before = _before(file, repository, change)
    old, new = (None if one is None else _seal(one) for one in (before, file))
    if old is None or new is None or change.base is None or old[1] in (None, new[1]) or new[1] is None:
        return False
    content = None if old[1] is None else repository.content(change.base, old[1])
    return content is not None and old[0] == new[0] and content == now(new[1])


def _seal(file: FreezesFile) -> tuple[str, Path | None] | None:
    return None if file.sealed is None else (file.sealed.key, file.sealed.commitment)


def _suites(file: FreezesFile) -> list[Path]:
    return [one.suite / SUITE for one in file.sets.values() if one.suite is not None]


def _corpora_files(files: list[FreezesFile], standing: Standing, change: Change) -> list[Path]:
    """Return the corpora files that the change may have touched or removed, where a set is of a corpus."""
    if all(one.corpus is None for file in files for one in file.sets.values()):
        return []
    folder = standing.file.path.parent
    names = sorted({path.name for path in change.paths})
    return [folder / name for name in names if standing.kinds(folder / name) == _CORPORA]


def _is_set_up(path: Path, repository: Repository, change: Change) -> bool:
    """Whether a file was not there before the change, and no version of it in the change sets a number."""
    if change.base is not None and repository.content(change.base, path) is not None:
        return False
    span = (*change.commits[:1], *([f"^{change.base}"] if change.base else []))
    commits = repository.commits(*span, path=path) if change.commits else []
    versions = [repository.content(commit, path) for commit in commits]
    present = [] if change.is_past else [repository.staged(path), now(path)]
    return not any(map(sets_numbers, [*versions, *present]))
