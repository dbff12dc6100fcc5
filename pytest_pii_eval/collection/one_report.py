"""What the reports of our items hold; when they are made, and who is told, the runner decides."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, cast

import pytest

from pytest_pii_eval.collection.failures import one_line
from pytest_pii_eval.collection.nodes import CUT_OFF, EVIDENCE, QUALITY

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from pytest_pii_eval.collection.nodes import ConformanceItem, TextFreeItem


def run_item(
    item: ConformanceItem, silence: AbstractContextManager[None]
) -> tuple[pytest.TestReport | None, bool]:
    """Return the report of an item, and whether it was interrupted; without a report nothing is known of it.

    What is raised on the way becomes its failure, told without text. An interrupt has to be raised anew by
    the caller, out of the frames that hold text.
    """
    evidence = failure = None
    interrupted = False
    started, clock = time.time(), time.perf_counter()
    try:
        with silence:
            evidence, failure = item.outcome()
    except KeyboardInterrupt:
        interrupted = True
    except BaseException as error:  # noqa: BLE001  # as `check_within`: all of it is the detector's
        failure = one_line(error)
    if interrupted:
        if CUT_OFF not in item.stash:
            return None, True
        evidence, failure = item.stash[EVIDENCE], item.stash[CUT_OFF]
    report = report_of(item, failure, (started, time.perf_counter() - clock))
    if evidence is not None:
        report.pii_evidence = evidence  # type: ignore[attr-defined]  # reports keep extra attributes
    return report, interrupted


def report_of(item: ConformanceItem, failure: str | None, times: tuple[float, float]) -> pytest.TestReport:
    """Return the one report of an item; `times` are when it started and how many seconds it took."""
    started, seconds = times
    return pytest.TestReport(
        cast("str", getattr(item, "id", item.nodeid)),
        item.location,
        {},
        "passed" if failure is None else "failed",
        failure,
        "call",
        (),
        seconds,
        started,
        started + seconds,
    )


def attach(item: pytest.Item, report: pytest.TestReport, facts: str | None) -> None:
    """Put what the controller adds up on the report: strings, which every serialiser takes."""
    evidence = item.stash.get(EVIDENCE, None)
    if evidence is not None:
        report.pii_evidence = evidence  # type: ignore[attr-defined]  # reports keep extra attributes
    quality = item.stash.get(QUALITY, None)
    if quality is not None:
        report.pii_quality = quality  # type: ignore[attr-defined]
    if facts is not None:
        report.pii_facts = facts  # type: ignore[attr-defined]


def place_skip(item: TextFreeItem, report: pytest.TestReport) -> None:
    """Let a skip point at the row that it is about, not at the line of this package that raised it."""
    if report.skipped and isinstance(report.longrepr, tuple):
        file, line, _ = item.location
        report.longrepr = (file, (line or 0) + 1, report.longrepr[2])
