"""Comparing a run with its baseline, and writing a new one; what fails the run, and what does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.reports.comparing.compare import compare_reports
from pytest_pii_eval.reports.snapshots.form import read_compared, render_snapshot, snapshot_of
from pytest_pii_eval.reports.write import write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pii_eval.reports.comparing.model import Comparison, Refusal
    from pytest_pii_eval.reports.model import Report
    from pytest_pii_eval.settings import Settings


def compared(settings: Settings, report: Report) -> tuple[Comparison | None, list[str]]:
    """Return what moved against `--pii-baseline`, and what could not be done: each line fails the run.

    A run that was narrowed on purpose is not compared, and fails nothing by that. With
    `--pii-baseline-update` the snapshot of this run is written instead, where it is whole and complete.
    """
    path = settings.outputs.baseline
    if path is None:
        return None, []
    if settings.outputs.baseline_update:
        return None, _update(path, report, settings.shown(path))
    try:
        baseline = read_compared(path)
        comparison = compare_reports(baseline, report, tolerances=dict(settings.outputs.tolerances))
    except Fault as fault:
        return None, [f"the baseline was not compared: {fault}"]
    return comparison, [_complaint(one) for one in comparison.faults]


def _complaint(refusal: Refusal) -> str:
    return (
        f"the baseline does not fit this run ({refusal.part}): {refusal.words}"
        " (old is the baseline; a whole run with --pii-baseline-update makes a new one)"
    )


def _update(path: Path, report: Report, shown: str) -> list[str]:
    lacking = _lacking(report)
    if lacking is not None:
        return [f"the baseline was not updated, this run {lacking}: {shown}"]
    try:
        write_atomically(path, render_snapshot(snapshot_of(report)))
    except OSError as error:
        return [f"the baseline could not be written ({error.strerror}): {shown}"]
    return []


def _lacking(report: Report) -> str | None:
    if not (report.complete and report.consistent):
        return "is incomplete"
    if report.selection.limit is not None:
        return "is limited to the first documents of each suite"
    if not report.selection.whole:
        return "is of a part of the suite, or some corpora are not prepared here"
    return None
