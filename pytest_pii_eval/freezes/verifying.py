"""Verifying the ledger of sealed runs: its chain, its history in git, and the report of each promotion."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.ledger import ledger_payload, parse_ledger
from pytest_pii_eval.freezes.ledger_history import (
    committed_bytes,
    floors_fingerprint,
    history_faults,
    known_floors,
)
from pytest_pii_eval.freezes.ledger_reports import own_report, stray_reports

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pii_eval.contracts.freezes_file import FreezesFile
    from pytest_pii_eval.freezes.git import Repository
    from pytest_pii_eval.freezes.ledger import Ledger, Promotion


# As after a squash merge or a rebase.
_NOT_HERE: Final = "the commit it started from is not here"
_GONE: Final = {
    True: f"{_NOT_HERE}; its floors are those of another commit",
    False: f"{_NOT_HERE}, and no commit that leads to HEAD has its floors; fetch it from where it ran",
}


class Verification(NamedTuple):
    """`lines` are told: one a promotion, then one a note. The ledger holds where there are no `faults`."""

    lines: tuple[str, ...]
    faults: tuple[str, ...]


def ledger_faults(
    file: FreezesFile, repository: Repository | Fault, *, root: Path | None = None
) -> tuple[str, ...]:
    """Return what is wrong with the ledger by itself: edited lines, or lines that git has and it lacks."""
    try:
        payload = ledger_payload(file.ledger, root=root)
    except Fault as fault:
        return (str(fault),)
    faults = []
    try:
        parse_ledger(payload, file=file.ledger.name)
    except Fault as fault:
        faults.append(str(fault))
    if isinstance(repository, Fault):
        return (*faults, f"{file.ledger.name}: its history cannot be checked: {repository}")
    return (*faults, *history_faults(file, repository, payload))


def verify(file: FreezesFile, repository: Repository | Fault, *, root: Path | None = None) -> Verification:
    """Return what the ledger tells, and everything in which ledger, git and reports do not agree."""
    faults = list(ledger_faults(file, repository, root=root))
    try:
        ledger = parse_ledger(ledger_payload(file.ledger, root=root), file=file.ledger.name)
    except Fault:
        return Verification((), tuple(faults))  # it is among the faults already
    lines: list[str] = []
    notes: list[str] = []
    for promotion in ledger.promotions.values():
        found = own_report(file.reports, promotion, root=root)
        lines.append(f"{promotion.id}: {_told(promotion)}; {found.words}")
        faults.extend(found.faults)
        notes.extend(found.notes)
    faults.extend(stray_reports(file.reports, ledger, root=root))
    notes.extend(_clock_notes(file, ledger))
    if not isinstance(repository, Fault):
        floors = _floors(file, repository, ledger)
        faults.extend(floors.faults)
        notes.extend(floors.notes)
        notes.extend(_commit_notes(file, repository, ledger))
    return Verification((*lines, *notes), tuple(faults))


def _told(promotion: Promotion) -> str:
    """Return state, set and moments of a promotion, and which one it replaces."""
    begun, ended = promotion.started, promotion.ended
    state = "interrupted (started, never finished)" if promotion.state == "interrupted" else promotion.state
    told = f"{state}; set {begun.bound.set}; started {begun.at}"
    if ended is not None:
        told += f", {ended.event} {ended.at}"
    if begun.after is not None:
        told += f"; replaces {begun.after} (reason {begun.reason})"
    return told


def _clock_notes(file: FreezesFile, ledger: Ledger) -> list[str]:
    return [
        f"{file.ledger.name}:{line.sequence}: is earlier than the line before: a clock went backwards"
        for before, line in pairwise(ledger.lines)
        if line.at < before.at
    ]


class _Floors(NamedTuple):
    """What is told of the floors that promotions were held to, and what is wrong with them."""

    faults: list[str]
    notes: list[str]


def _floors(file: FreezesFile, repository: Repository, ledger: Ledger) -> _Floors:
    """Hold each promotion to the floors of the commit it started from, or where that is gone, of any."""
    found = _Floors([], [])
    known: frozenset[str] | None = None
    for one in ledger.promotions.values():
        bound = one.started.bound
        try:
            if repository.revision(bound.repository) is None:
                known = known_floors(file, repository) if known is None else known
                is_known = bound.floors in known
                (found.notes if is_known else found.faults).append(f"{one.id}: {_GONE[is_known]}")
            elif floors_fingerprint(file, repository, bound.repository) != bound.floors:
                found.faults.append(f"{one.id}: its floors are not those of the commit that it started from")
        except Fault as fault:
            found.faults.append(f"{one.id}: its floors cannot be told from git: {fault}")
    return found


def _commit_notes(file: FreezesFile, repository: Repository, ledger: Ledger) -> list[str]:
    """Return a note where git does not have all lines yet: it cannot tell then that some were removed."""
    try:
        known = committed_bytes(file, repository)
    except Fault:
        return []  # there is a fault about the history already
    if known >= len(ledger.payload):
        return []
    first = ledger.payload.count(b"\n", 0, known) + 1
    return [
        f"{file.ledger.name}: is not committed from line {first} on; commit it, so that no line can be lost"
    ]
