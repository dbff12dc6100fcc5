"""Whether the reports of sealed runs are those that the ledger is bound to, and agree with themselves."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.contracts.canonical import sha256
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import read_input, refuse_linked_folders
from pytest_pii_eval.reports.read import read_report

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_pii_eval.freezes.ledger import Ledger, Promotion
    from pytest_pii_eval.freezes.ledger_model import Binding, LedgerLine
    from pytest_pii_eval.reports.model import PromotionReport, Report

_LIMIT = 256 * 1024 * 1024


_PARTS: Final = frozenset(
    {"leakage", "floors", "contamination", "complete", "domain", "evidence", "scorer", "bound"}
)
"""The parts of a ship verdict, those of `shipping.ship_parts`."""


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
    report = read_report(path)
    found = report.promotion
    if found is None:
        raise Fault("is not what the ledger has", field="promotion.id")
    _refuse_first(_agreeing(promotion.started, promotion, found), "is not what the ledger has")
    _refuse_first(_consistent(report, found, promotion.started.bound), "contradicts the ship verdict")
    if found.ships:
        _refuse_first(_shipped(report), "is nothing that ships, and the verdict says ship")


def _refuse_first(held: Iterator[tuple[str, bool]], rule: str) -> None:
    """Raise `Fault` with the first field that does not hold."""
    for name, holds in held:
        if not holds:
            raise Fault(rule, field=name)


def _agreeing(begun: LedgerLine, promotion: Promotion, found: PromotionReport) -> Iterator[tuple[str, bool]]:
    yield "promotion.id", found.id == promotion.id
    yield "promotion.set", found.set == begun.bound.set
    yield "promotion.started", found.started == begun.sha256
    yield "promotion.gold", found.gold == begun.bound.gold
    yield "promotion.detector", found.detector == begun.bound.detector
    yield "promotion.floors", found.floors == begun.bound.floors
    yield "promotion.ships", found.ships == (promotion.state == "ship")


def _consistent(report: Report, found: PromotionReport, bound: Binding) -> Iterator[tuple[str, bool]]:
    """Yield what must agree within a report; one that does not ship may be of another scorer or detector.

    Then the part that says so fails.
    """
    parts, scorer = found.parts, report.scorer
    yield "promotion.parts", parts.keys() == _PARTS
    yield "promotion.ships", found.ships == all(part.verdict == "pass" for part in parts.values())
    other = parts["scorer"].verdict == "fail"
    yield "scorer.git_revision", other or scorer.git_revision == bound.scorer
    yield "scorer.source_sha256", other or scorer.source_sha256 == bound.scorer_source
    other = parts["bound"].verdict == "fail"
    yield "subject.fingerprint", other or report.subject.fingerprint == bound.detector


def _shipped(report: Report) -> Iterator[tuple[str, bool]]:
    """Yield what must hold in the report of a promotion that ships, whatever its parts say."""
    yield "passed", report.passed is True
    yield "complete", report.complete and report.consistent and report.selection.whole
    yield "missing_count", not (report.missing_count or report.missing or report.crashed)
    yield "scorer.git_dirty", report.scorer.git_dirty is False
    yield "subject.replayed", not report.subject.replayed
    yield "evidence_notes", not report.evidence_notes
    yield "gates", all(gate.verdict != "fail" for gate in report.gates)
    yield "run.gates", all(gate.verdict != "fail" for gate in report.run.gates)
    rules = report.freeze_rules.values()
    yield "freeze_rules", bool(rules) and all(rule.verdict == "pass" for rule in rules)
