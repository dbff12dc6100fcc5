"""Whether the reports of sealed runs are those that the ledger is bound to; no figure is judged."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from pytest_pii_eval.contracts.canonical import sha256
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import read_input, refuse_linked_folders
from pytest_pii_eval.reports.read import read_report

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_pii_eval.freezes.ledger import Ledger, Promotion
    from pytest_pii_eval.freezes.ledger_model import LedgerLine
    from pytest_pii_eval.reports.model import PromotionReport

_LIMIT = 256 * 1024 * 1024


class FoundReport(NamedTuple):
    """What is told of a promotion's report, what is wrong with it, and what is odd about it."""

    words: str
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def own_report(folder: Path, promotion: Promotion, *, root: Path | None = None) -> FoundReport:
    """Return whether the report of `promotion` in `folder` is the one that the ledger is bound to."""
    path = folder / f"{promotion.id}.json"
    ended = promotion.ended
    if ended is None or ended.report is None:
        if not os.path.lexists(path):
            return FoundReport("no report")
        note = f"{path.name}: is the report of a promotion that was interrupted; it decides nothing"
        return FoundReport("a report that decides nothing", notes=(note,))
    try:
        _check(path, promotion, ended.report, root)
    except Fault as fault:
        return FoundReport("report does not match", (str(fault.at(file=path.name)),))
    return FoundReport("report matches")


def stray_reports(folder: Path, ledger: Ledger, *, root: Path | None = None) -> list[str]:
    """Return a line for each report in `folder` of a sealed run that the ledger does not have.

    A sign that lines were removed from it. A file that is no report of a sealed run is none of our business.
    """
    starts = {one.started.sha256 for one in ledger.promotions.values()}
    try:
        refuse_linked_folders(folder / "report", root)
        names = sorted(one.name for one in os.scandir(folder) if one.name.endswith(".json"))
    except FileNotFoundError:
        return []
    except (Fault, OSError):
        return [f"{folder.name}: is no folder whose reports can be listed"]
    rule = "is the report of a sealed run that the ledger does not have: were lines removed from it?"
    return [str(Fault(rule, file=name)) for name in names if _start_of(folder / name) not in {None, *starts}]


def _start_of(path: Path) -> str | None:
    """Return the hash of the line with which the sealed run of a report started; None for any other file."""
    try:
        found = read_report(path).promotion
    except Fault:
        return None
    return None if found is None else found.started


def _check(path: Path, promotion: Promotion, digest: str, root: Path | None) -> None:
    if not os.path.lexists(path):
        raise Fault("is missing: it is the report of a promotion that finished; restore it from git")
    if sha256(read_input(path, limit=_LIMIT, root=root)) != digest:
        raise Fault("is not the report that the ledger is bound to; restore it from git")
    differing = _differing(promotion, read_report(path).promotion)
    if differing is not None:
        raise Fault("is not what the ledger has", field=f"promotion.{differing}")


def _differing(promotion: Promotion, found: PromotionReport | None) -> str | None:
    """Return the first field in which the report says something else than the ledger."""
    if found is None:
        return "id"
    return next((name for name, holds in _agreeing(promotion.started, promotion, found) if not holds), None)


def _agreeing(begun: LedgerLine, promotion: Promotion, found: PromotionReport) -> Iterator[tuple[str, bool]]:
    yield "id", found.id == promotion.id
    yield "set", found.set == begun.bound.set
    yield "started", found.started == begun.sha256
    yield "gold", found.gold == begun.bound.gold
    yield "detector", found.detector == begun.bound.detector
    yield "floors", found.floors == begun.bound.floors
    yield "ships", found.ships == (promotion.state == "ship")
