"""What git knows of a ledger: whether lines were only ever put behind, and the floors at a start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.floors_file import floors_in
from pytest_pii_eval.contracts.freezes_file import parse_freezes
from pytest_pii_eval.contracts.yaml_file import parse_document
from pytest_pii_eval.freezes.git import work_tree_of
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


def _refuse_other_tree(path: Path, repository: Repository) -> None:
    """Refuse a ledger that the repository does not watch: a repository inside it does."""
    tree = work_tree_of(path)
    if tree is None or tree.resolve() != repository.top.resolve():
        raise Fault("lies in another git repository than the freezes file; keep both in one")


def _committed(file: FreezesFile, repository: Repository) -> Iterator[tuple[str, bytes]]:
    """Yield each commit that touched the ledger, the newest first, and the ledger's content in it."""
    for path in _places(file, repository):
        for commit in repository.versions(path):
            yield commit, repository.content(commit, path) or b""


def _places(file: FreezesFile, repository: Repository) -> dict[Path, None]:
    """Return where the ledger lies, and where it lay in the commits of the freezes file."""
    places = {file.ledger: None}
    for commit in repository.versions(file.path):
        then = _freezes_at(file, repository, commit)
        if then is not None:
            places[then.ledger] = None
    return places


def _freezes_at(file: FreezesFile, repository: Repository, revision: str) -> FreezesFile | None:
    """Return the freezes file in a commit; None where there was none, or none that a run would have taken."""
    payload = repository.content(revision, file.path)
    if payload is None:
        return None
    try:
        return parse_freezes(parse_document(payload, file.path), file.path)
    except Fault:
        return None
