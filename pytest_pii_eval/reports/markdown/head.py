"""The first lines of the page: the verdict, the worst that happened, and what limits what the run says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.reports.markdown.comparison import baseline_line, regression_line
from pytest_pii_eval.reports.markdown.escaping import MARKDOWN, escaped
from pytest_pii_eval.reports.markdown.failures import conformance_words
from pytest_pii_eval.reports.markdown.gate_sentences import listed
from pytest_pii_eval.reports.markdown.leaks import leak_line
from pytest_pii_eval.reports.markdown.limits import limits
from pytest_pii_eval.reports.words import incomplete_text, verdict_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pii_eval.reports.comparing.model import Comparison
    from pytest_pii_eval.reports.model import Report, Subject


def head(report: Report, comparison: Comparison | None, failed: list[str]) -> list[str]:
    """Return the verdict as a heading and the lines below it: the worst first, each an item of a list.

    `failed` says what failed, worst first, but for what is lacking.
    """
    heading = f"## pii-eval: {_verdict(report, comparison, failed)}"
    return [heading, *(f"- {line}" for line in _lines(report, comparison, failed))]


def _verdict(report: Report, comparison: Comparison | None, failed: list[str]) -> str:
    """Return the verdict of a run in a few words; a baseline that was asked for can fail it, too."""
    if report.passed is not False and not report.complete:
        return "FAIL (incomplete)"
    if report.passed is not False and failed:
        return "FAIL (though the report does not say so)"
    return verdict_text(report, comparison)


def _lines(report: Report, comparison: Comparison | None, failed: list[str]) -> Iterator[str]:
    regressions = None if comparison is None else regression_line(comparison)
    if regressions is not None:
        yield regressions
    if failed:
        yield f"Failed: {listed(failed)}"
    elif regressions is None and report.complete:
        yield leak_line(report)
    if not (failed or report.complete):
        yield f"Incomplete: {incomplete_text(report)}"
    if comparison is not None:
        yield baseline_line(comparison)
    if failed and not report.complete:
        yield f"Incomplete: {incomplete_text(report)}"
    if report.conformance is not None and report.conformance.passed is not False:
        yield f"Conformance: {conformance_words(report.conformance, MARKDOWN)}"
    yield from limits(report)
    yield f"Subject: {_subject(report.subject)}"


def _subject(subject: Subject) -> str:
    parts = [f"{subject.kind} {escaped(subject.name)}", f"version {escaped(subject.version)}"]
    if subject.engine is not None:
        parts.append(f"engine {escaped(subject.engine)} {escaped(subject.engine_version or 'unknown')}")
    if subject.offset_unit is not None:
        parts.append(f"offsets in {subject.offset_unit}")
    if subject.label_map is not None:
        parts.append(f"label map {escaped(subject.label_map)}")
    if subject.replayed:
        parts.append("its predictions were made before")
    return ", ".join(parts)
