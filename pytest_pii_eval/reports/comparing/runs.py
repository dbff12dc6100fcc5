"""Reading what is compared: a report, a snapshot, or the audit directory of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import read_input
from pytest_pii_eval.private import MARK, MARKER
from pytest_pii_eval.reports.read import read_report
from pytest_pii_eval.reports.snapshots.form import read_compared

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pii_eval.reports.model import Report
    from pytest_pii_eval.reports.snapshots.model import Snapshot


class ComparedRun(NamedTuple):
    """One side of a comparison; `directory` holds the outcomes of its cases and documents, where given."""

    report: Report | Snapshot
    directory: Path | None


def read_run(path: Path) -> ComparedRun:
    """Return the run at `path`; raises `Fault` where it is no report, snapshot or whole audit directory."""
    if not path.is_dir():
        return ComparedRun(read_compared(path), None)
    try:
        complete = read_input(path / MARKER, limit=1024) == MARK
    except Fault:
        complete = False
    if not complete:
        raise Fault("is no complete audit directory: its COMMITTED is missing or another", file=path.name)
    return ComparedRun(read_report(path / "aggregate.json"), path)
