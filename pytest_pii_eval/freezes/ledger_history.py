"""What git knows of a ledger: whether lines were only ever put behind, and the floors at a start."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.floors_file import floors_in
from pytest_pii_eval.contracts.freezes_file import parse_freezes
from pytest_pii_eval.contracts.yaml_file import parse_document
from pytest_pii_eval.freezes.git_folders import work_tree_of
from pytest_pii_eval.freezes.ledger import REPAIR

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_pii_eval.contracts.freezes_file import FreezesFile
    from pytest_pii_eval.freezes.git import Repository

_SHOWN = 12
"""Characters of a commit that are told."""


def history_faults(file: FreezesFile, repository: Repository, payload: bytes) -> tuple[str, ...]:
    """Return a line for each commit whose ledger is no beginning of `payload`, the ledger as it is.

    Every commit that leads to HEAD is looked at, and every place that the freezes file ever named for the
    ledger: one that was moved must still begin with all its lines. What cannot be told is a fault.
    """
    name = file.ledger.name
    try:
        _refuse_other_tree(file.ledger, repository)
        return tuple(
            f"{name}: is not what commit {commit[:_SHOWN]} has with lines put behind it; {REPAIR}"
            for commit, before in _committed(file, repository)
            if not payload.startswith(before)
        )
    except Fault as fault:
        return (f"{name}: its history cannot be checked: {fault}",)


def committed_bytes(file: FreezesFile, repository: Repository) -> int:
    """Return how many bytes the ledger has in HEAD; raises `Fault` where git cannot tell."""
    return len(repository.content(repository.head(), file.ledger) or b"")


def floors_fingerprint(file: FreezesFile, repository: Repository, revision: str) -> str:
    """Return the fingerprint of the floors at a commit, where the freezes file lay then as it does now.

    Raises `Fault` where the commit, or the floors file in it, is not there or breaks its contract.
    """
    then = _freezes_at(file, repository, revision)
    path = file.floors if then is None else then.floors
    payload = repository.content(revision, path)
    if payload is None:
        raise Fault("is not in the commit that the promotion started from", file=path.name)
    return floors_in(payload, file=path.name).fingerprint


def started_elsewhere(file: FreezesFile, repository: Repository, promotion: str) -> str | None:
    """Return why no run may start under this id, or None: another version of the ledger has its start.

    Looked at is every version that a branch, a tag, a remote or a stash leads to, wherever the freezes file
    named the ledger in any of them. Ids that differ in case alone are one. What cannot be told is a reason.
    """
    sought = promotion.casefold()
    seen: set[bytes] = set()
    try:
        for path in _places(file, repository, "--all"):
            for commit, payload in repository.contents("--all", path=path):
                lines = set(payload.splitlines()) - seen
                seen |= lines
                if any(_starts(line) == sought for line in lines):
                    return (
                        f"the promotion started already: the ledger in commit {commit[:_SHOWN]} has its"
                        " start; take another id"
                    )
    except Fault as fault:
        return f"whether the promotion started elsewhere in the repository cannot be told: {fault}"
    return None


def known_floors(file: FreezesFile, repository: Repository) -> frozenset[str]:
    """Return the fingerprints of all floors that a commit has which leads to HEAD; raises `Fault`."""
    places = {file.floors: None} | {one.floors: None for one in _named(file, repository, "HEAD")}
    payloads = (content for path in places for _, content in repository.contents("HEAD", path=path))
    return frozenset(filter(None, map(_fingerprint, payloads)))


def _starts(line: bytes) -> str | None:
    """Return the id, case folded, of the promotion that a line of some ledger starts."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, dict) or row.get("event") != "started":
        return None
    return str(row.get("promotion")).casefold()


def _fingerprint(payload: bytes) -> str | None:
    try:
        return floors_in(payload, file="").fingerprint
    except Fault:
        return None


def _refuse_other_tree(path: Path, repository: Repository) -> None:
    """Refuse a ledger that the repository does not watch: a repository inside it does."""
    tree = work_tree_of(path)
    if tree is None or tree.resolve() != repository.top.resolve():
        raise Fault("lies in another git repository than the freezes file; keep both in one")


def _committed(file: FreezesFile, repository: Repository) -> Iterator[tuple[str, bytes]]:
    """Yield each commit that touched the ledger, the newest first, and the ledger's content in it."""
    for path in _places(file, repository, "HEAD"):
        for commit in repository.versions(path):
            yield commit, repository.content(commit, path) or b""


def _places(file: FreezesFile, repository: Repository, span: str) -> dict[Path, None]:
    """Return where the ledger lies, and where it lay in the commits of the freezes file in `span`."""
    return {file.ledger: None} | {one.ledger: None for one in _named(file, repository, span)}


def sealed_places(file: FreezesFile, repository: Repository) -> dict[Path, None]:
    """Return where the commitment of the sealed freeze lay, by each version of the freezes file."""
    found = (one.sealed for one in _named(file, repository, "HEAD"))
    return {one.commitment: None for one in found if one is not None and one.commitment is not None}


def _named(file: FreezesFile, repository: Repository, span: str) -> Iterator[FreezesFile]:
    """Yield each version of the freezes file in the commits of `span` that a run would have taken."""
    for _, payload in repository.contents(span, path=file.path):
        then = _parsed(file, payload)
        if then is not None:
            yield then


def _freezes_at(file: FreezesFile, repository: Repository, revision: str) -> FreezesFile | None:
    """Return the freezes file in a commit; None where there was none, or none that a run would have taken."""
    payload = repository.content(revision, file.path)
    return None if payload is None else _parsed(file, payload)


def _parsed(file: FreezesFile, payload: bytes) -> FreezesFile | None:
    try:
        return parse_freezes(parse_document(payload, file.path), file.path)
    except Fault:
        return None
