"""What one change is: the commits of a range, found or given, and all that is not committed; no rules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.git import SHALLOW

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pytest_pii_eval.freezes.git import Repository

_OPTION: Final = "--pii-git-range"
_NAME: Final = re.compile(r"[A-Za-z0-9_@][A-Za-z0-9_./^~@{}-]*")
_DOTS: Final = re.compile(r"\.{2,3}")
_WHERE: Final = f"give the range by {_OPTION} BASE..HEAD"

# Whole names: a tag of the same short name would be found first.
_ORIGIN: Final = "refs/remotes/origin/"
_CI: Final = (
    ("CI_MERGE_REQUEST_DIFF_BASE_SHA", ""),
    ("GITHUB_BASE_REF", _ORIGIN),
    ("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", _ORIGIN),
    ("CHANGE_TARGET", _ORIGIN),
    ("BITBUCKET_PR_DESTINATION_BRANCH", _ORIGIN),
    ("SYSTEM_PULLREQUEST_TARGETBRANCH", _ORIGIN),
)
"""Variables in which a CI says what a pull request goes into, and what git calls it there."""

_USUAL: Final = (
    *(f"{_ORIGIN}{name}" for name in ("HEAD", "main", "master")),
    *(f"refs/heads/{name}" for name in ("main", "master")),
)


SHORT: Final = 12
"""Characters of a revision that messages show."""


class Change(NamedTuple):
    """What belongs together: the commits of a range, and everything that is not committed.

    `paths` are all that these touched, absolute; a renamed file is there under both names. `base` is the
    commit before them, None where there is none. `commits` are newest first. `words` say what it is.
    One that `is_past` has nothing to do with the files as they are now.
    """

    paths: frozenset[Path]
    base: str | None
    words: str
    commits: tuple[str, ...] = ()
    is_past: bool = False


def changes_of(
    repository: Repository, given: str | None, environment: Mapping[str, str]
) -> tuple[Change, ...]:
    """Return the change that HEAD and the work tree belong to.

    Its range is `given` (`BASE`, `BASE..TIP` or `BASE...TIP`), or what a CI names in `environment`, or all
    that HEAD is ahead of the main branch. Where that is nothing, there are two changes: the last commit,
    with all that it merged, is one that is done, and what is not committed will be another. Raises `Fault`
    where the range cannot be told: unknown revisions, a shallow clone that lacks some of it.
    """
    head = repository.head()
    name, tip = (_found(repository, environment), head) if given is None else _given(repository, given, head)
    base = repository.common(name, tip)
    if base is None:
        why = SHALLOW if repository.is_shallow else "HEAD shares no history with what it is compared with"
        raise Fault(f"{why}; or {_WHERE}")
    now = repository.touched_now()
    if base == tip:
        last = _last(repository, tip)
        return (last, Change(now, tip, "what is uncommitted")) if now else (last,)
    commits = repository.commits(tip, f"^{name}")
    number = f"{len(commits):,} {'commit' if len(commits) == 1 else 'commits'}"
    words = f"{number} since {_short(name)}, and what is uncommitted"
    return (Change(repository.changed_by(*commits) | now, base, words, tuple(commits)),)


def changes_to(repository: Repository, path: Path) -> tuple[Change, ...]:
    """Return the changes of the history of HEAD that touched `path`, newest first, each as it was merged.

    A merge into the line of first parents is one change, and so is each other commit of that line. Raises
    `Fault` in a shallow clone.
    """
    if repository.is_shallow:
        raise Fault(SHALLOW)
    line = repository.commits("--first-parent", "HEAD", path=path)
    found = (_last(repository, commit) for commit in line)
    return tuple(one._replace(words=f"commit {one.commits[0][:SHORT]}", is_past=True) for one in found)


def _last(repository: Repository, tip: str) -> Change:
    """Return the last commit as a change; a merge is all that it merged into its first parent."""
    base = repository.revision(f"{tip}^1")
    commits = repository.commits(tip, *([f"^{base}"] if base else []))
    return Change(repository.changed_by(*commits), base, "the last commit", tuple(commits))


def _short(name: str) -> str:
    return name.removeprefix("refs/remotes/").removeprefix("refs/heads/")


def _given(repository: Repository, given: str, head: str) -> tuple[str, str]:
    """Return the revision that a range starts from, and the commit that it ends with."""
    start, *ends = _DOTS.split(given)
    tip = "".join(ends) or "HEAD"
    if len(ends) > 1 or not (_NAME.fullmatch(start) and _NAME.fullmatch(tip)):
        raise Fault("is no git range; write BASE, BASE..HEAD or BASE...HEAD", field=_OPTION)
    found = _commit(repository, tip, _OPTION)
    if repository.common(found, head) != found:
        raise Fault("ends with a commit that HEAD does not come from; check out what it is of", field=_OPTION)
    return _commit(repository, start, _OPTION), found


def _found(repository: Repository, environment: Mapping[str, str]) -> str:
    """Return the name of what the change goes into: the CI says it, or it is the main branch."""
    for variable, before in _CI:
        named = environment.get(variable, "").removeprefix("refs/heads/")
        if not named:
            continue
        if not _NAME.fullmatch(named):
            raise Fault(f"holds a name that is not taken from there; {_WHERE}", field=variable)
        _commit(repository, before + named, variable)
        return before + named
    for name in _USUAL:
        if repository.revision(name) is not None:
            return name
    raise Fault(
        f"{SHALLOW if repository.is_shallow else 'git knows no main branch to compare with'}; or {_WHERE}"
    )


def _commit(repository: Repository, name: str, field: str) -> str:
    found = repository.revision(name)
    if found is None:
        raise Fault("names no commit that is here; fetch it first (in CI: fetch-depth: 0)", field=field)
    return found
