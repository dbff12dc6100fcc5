"""The rules that git answers: what went into one change, and whether evidence is committed; reads no set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_pii_eval.contracts.faults import Fault, printable
from pytest_pii_eval.freezes.changes import SHORT, changes_of, changes_to
from pytest_pii_eval.freezes.finding import PASS, fail, unknown
from pytest_pii_eval.freezes.ledger_history import sealed_places
from pytest_pii_eval.freezes.thresholds import (
    edited_thresholds,
    is_the_same_seal,
    now,
    sealed_by,
    sets_numbers,
)
from pytest_pii_eval.freezes.touching import Touched
from pytest_pii_eval.reports import provenance

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_pii_eval.contracts.freezes_file import FreezesFile
    from pytest_pii_eval.freezes.changes import Change
    from pytest_pii_eval.freezes.finding import Finding
    from pytest_pii_eval.freezes.git import Repository
    from pytest_pii_eval.freezes.standing import Standing

_MIXED: Final = "sets floors and holds sealed scores (a line of the ledger, or a report)"
_APART: Final = "set floors from the dev freeze, in a commit without sealed scores"
_UNCOMMITTED: Final = "not committed as in the work tree; commit it"
_FILTERED: Final = "has other bytes than its commit, as a filter of git changes it; take the filter away"
_INSTALL: Final = "install it from a commit (pip install git+URL@REVISION), or run it from a checkout"


def sealed_and_thresholds_not_in_one_change(standing: Standing) -> Finding:
    """Fail where one change makes the sealed freeze another one and touches a threshold."""
    if standing.file.sealed is None:
        return unknown("the file names no sealed freeze")
    try:
        repository = _known(standing)
        changes = changes_of(repository, standing.git_range, standing.environment)
        mixed = [reason for one in changes for reason in _mixed(standing, repository, one)]
    except Fault as fault:
        return fail(str(fault))
    return fail(*mixed) if mixed else PASS


def sealed_and_thresholds_never_in_one_change(standing: Standing) -> Finding:
    """Fail where any change since the sealed freeze was first committed to touched a threshold, too.

    A sealed run looks at the whole history: what a pull request mixed stays mixed once it is merged.
    """
    sealed = standing.file.sealed
    if sealed is None or sealed.commitment is None:
        return unknown("the file names no sealed freeze")
    try:
        repository = _known(standing)
        mixed = list(_mixed_in_the_past(standing, repository, sealed.commitment))
    except Fault as fault:
        return fail(str(fault))
    return fail(*mixed) if mixed else PASS


def floors_set_without_sealed_scores(standing: Standing) -> Finding:
    """Fail where a commit that touched floors with numbers also holds sealed scores, or is about to."""
    file = standing.file
    try:
        repository = _known(standing)
        scored = {one for path in (file.ledger, file.reports) for one in repository.versions(path)}
        mixed = [
            f"commit {commit[:SHORT]}"
            for commit in repository.versions(file.floors)
            if commit in scored and _mixes(repository, commit, file)
        ]
        if _mixes_now(repository, file):
            mixed.append("what is uncommitted")
    except Fault as fault:
        return fail(str(fault))
    return fail(*(f"{one} {_MIXED}: {_APART}" for one in mixed)) if mixed else PASS


def evidence_is_committed(standing: Standing) -> Finding:
    """Tell nothing where a file that the run is bound to is not committed as it stands."""
    file = standing.file
    held = [one for kept in (file.dev, file.sealed) if kept for one in (kept.attestation, kept.commitment)]
    paths = [file.path, file.floors, *filter(None, held), *(file.train_lists or ())]
    try:
        repository = _known(standing)
        edited = [path for path in paths if not repository.is_clean(path)]
        other = [path for path in paths if path not in edited and not repository.holds(path)]
    except Fault as fault:
        return unknown(str(fault))
    found = ((edited, _UNCOMMITTED), (other, _FILTERED))
    reasons = [f"{_named(repository, ones)}: {words}" for ones, words in found if ones]
    return unknown(*reasons) if reasons else PASS


def scorer_revision_is_known(_: Standing) -> Finding:
    """Tell nothing where nobody can say which code gives the scores."""
    revision, dirty = provenance.git_revision()
    if revision is None or dirty is None:
        return unknown(f"the scorer's git revision is unknown: {_INSTALL}")
    return unknown(f"the scorer is no commit, as its files are edited: {_INSTALL}") if dirty else PASS


def _known(standing: Standing) -> Repository:
    if isinstance(standing.repository, Fault):
        raise standing.repository
    return standing.repository


def _mixed(standing: Standing, repository: Repository, change: Change) -> Iterator[str]:
    """Say that the change edits both, where it does."""
    sealed = sealed_by(standing, repository, change)
    edited = [] if sealed is None else edited_thresholds(standing, repository, change)
    if sealed is None or not edited:
        return
    name = _named(repository, [sealed])
    if sealed == standing.file.path:
        name = f"{name} (it names another sealed freeze)"
    yield _told(repository, edited, name, change)


def _told(repository: Repository, edited: list[Path], name: str, change: Change) -> str:
    return (
        f"{_named(repository, edited)} and {name} are edited in one change ({change.words}): edit thresholds"
        " in a change of their own"
    )


def _mixed_in_the_past(standing: Standing, repository: Repository, present: Path) -> Iterator[str]:
    """Say which changes edited the sealed freeze, wherever its commitment lay, and a threshold."""
    places = sealed_places(standing.file, repository) | {present: None}
    for place in places:
        for change in changes_to(repository, place):
            if is_the_same_seal(repository, change, places):
                continue  # it was moved
            edited = edited_thresholds(standing, repository, change)
            if edited:
                yield _told(repository, edited, _named(repository, [place]), change)


def _mixes(repository: Repository, commit: str, file: FreezesFile) -> bool:
    """Whether a commit that has both floors and scores otherwise than a parent mixes them.

    A merge may bring both from commits of their own: it mixes them where it makes one of the two itself.
    """
    touched = Touched(repository, repository.changed_by(commit))
    if not touched.holds(file.floors) and not _holds_scores(touched, file):
        return False
    versions = (commit, *repository.parents(commit))
    return any(sets_numbers(repository.content(one, file.floors)) for one in versions)


def _mixes_now(repository: Repository, file: FreezesFile) -> bool:
    touched = Touched(repository, repository.touched_now())
    if not touched.holds(file.floors) or not _holds_scores(touched, file):
        return False
    head = repository.content(repository.head(), file.floors)
    return any(map(sets_numbers, (head, repository.staged(file.floors), now(file.floors))))


def _holds_scores(touched: Touched, file: FreezesFile) -> bool:
    return touched.holds(file.ledger) or touched.holds_below(file.reports)


def _named(repository: Repository, paths: list[Path]) -> str:
    return ", ".join(printable(repository.shown(path)) for path in paths)
