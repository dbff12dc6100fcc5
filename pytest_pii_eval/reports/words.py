"""The words in which reports say figures, verdicts and gates, alike in every form; nothing of layout.

What comes from a file (ids of slices and types, names of detectors) goes through `inert` before it is shown:
a report may come from anywhere.
"""

from __future__ import annotations

import unicodedata
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from pytest_pii_eval.contracts.limits import ABSENT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_pii_eval.reports.comparing.model import Comparison
    from pytest_pii_eval.reports.model import Conformance, Gate, MetricReport, Report

_LONGEST: Final = 128
_VISIBLE: Final = frozenset({"L", "M", "N", "P", "S"})
_NONE: Final[Mapping[str, str]] = MappingProxyType({})


def inert(name: str, *, longest: int = _LONGEST) -> str:
    r"""Return `name` with nothing that a terminal or a reader's eye would obey, `longest` characters of it.

    Control, format (bidirectional marks among them), private, unassigned and separator characters other
    than the plain space become `\u{...}`; what is cut is told by its length.
    """
    shown = written_out(name[:longest])
    return shown if len(name) <= longest else f"{shown}… ({len(name):,} characters)"


def written_out(text: str, named: Mapping[str, str] = _NONE) -> str:
    """Return all of `text` with what `inert` escapes escaped; `named` gives short forms of some."""
    return "".join(
        one
        if one == " " or unicodedata.category(one)[0] in _VISIBLE
        else named.get(one) or f"\\u{{{ord(one):x}}}"
        for one in text
    )


def many(number: int, one: str, more: str | None = None) -> str:
    """Return a count with its noun: `1 gate`, `2 gates`; `more` is the noun of several, if not by an s."""
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def rate_text(value: float) -> str:
    """Return a rate with four digits; none is rounded up to a perfect one, nor down to 0."""
    if value == 1:
        return "1.0"
    return f"{min(max(value, 0.0001), 0.9999):.4f}" if 0 < value < 1 else f"{value:.4f}"


def metric_text(metric: MetricReport) -> str:
    """Return a metric with its counts: `0.8750 (7/8)`, `3`, or `null (no_gold)`."""
    if metric.value is None:
        return f"null ({inert(metric.reason or 'no reason')})"
    if metric.denominator is None:
        return rate_text(metric.value) if metric.numerator is None else str(metric.numerator)
    return f"{rate_text(metric.value)} ({metric.numerator}/{metric.denominator})"


def baseline_failure(comparison: Comparison | None) -> str | None:
    """Return why a run fails on its baseline, or None: a regression, or what must be mended to compare."""
    if comparison is None or comparison.passed or comparison.is_narrowed:
        return None
    return (
        "not compared with the baseline" if comparison.passed is None else "a regression against the baseline"
    )


def verdict_text(report: Report, comparison: Comparison | None = None) -> str:
    """Return the verdict in a word, or why there is none; a baseline can fail a run whose gates hold."""
    why = baseline_failure(comparison)
    if why is not None and report.passed is not False:
        return f"FAIL ({why}; nothing else failed)"
    if comparison is not None and comparison.is_narrowed:
        return f"{verdict_text(report)}, not compared with the baseline"
    if report.passed is None:
        if report.freeze_rules and not report.slices and report.conformance is None:
            return "none (only rules about freezes ran, and none is broken)"
        why = "not every corpus is prepared here" if absent_corpora(report) else "part of the suite ran"
        return f"none ({why}, and nothing failed)"
    return "pass" if report.passed else "FAIL"


def incomplete_text(report: Report) -> str:
    """Return what is lacking: items without a verdict, workers that died, documents without an answer."""
    unanswered = sum(one.counts.get("failed_documents", 0) for one in report.slices.values())
    lacking = (
        (report.missing_count, "item", " without a verdict"),
        (len(report.crashed), "item", " whose worker crashed"),
        (unanswered, "document", " without an answer, counted once a slice"),
    )
    parts = [many(count, noun) + what for count, noun, what in lacking if count]
    if not report.consistent:
        parts.append("processes disagree about the suite or the subject; does its fingerprint stay the same?")
    return ", ".join(parts) or "not everything reported"


def conformance_text(conformance: Conformance) -> str:
    """Return what became of the cases of a bank, in one line."""
    recall = "not evaluated" if conformance.recall is None else f"recall {rate_text(conformance.recall)}"
    return (
        f"{recall}: {conformance.correctly_mapped}/{conformance.approved_positive_cases} mapped,"
        f" {conformance.missed} missed, {conformance.wrong_canonical} wrong canonical;"
        f" {conformance.unexpected_negative_matches}/{conformance.negative_cases} negatives hit"
    )


def bound_text(gate: Gate) -> str:
    """Return what a gate asks for: `at most 0`, `at least 0.95`, `open`."""
    if gate.limit is None:
        return "open"
    return {"min": "at least ", "max": "at most ", "exact": ""}[gate.direction] + str(gate.limit)


def gate_text(gate: Gate) -> str:
    """Return a gate with value, limit and support, in one line."""
    value = "null" if gate.value is None else gate.value
    reason = f", {inert(gate.reason)}" if gate.reason else ""
    place = f" of slice {inert(gate.slice)}" if gate.slice else ""
    rest = f"must be {bound_text(gate)} (support {gate.support}{reason})"
    return f"{gate.verdict} {inert(gate.id)}{place}: {value}, {rest}"


def absent_corpora(report: Report) -> list[str]:
    """Return the slices whose corpora were not prepared where the run was."""
    return [name for name, gap in report.unsupported_slices.items() if gap.reason_code == ABSENT]


def silent_gates(report: Report) -> dict[str, list[Gate]]:
    """Return by id the gates with a limit that no slice could evaluate: nothing was shown about them."""
    asked: dict[str, list[Gate]] = {}
    for gate in report.gates:
        if gate.slice is not None and gate.limit is not None:
            asked.setdefault(gate.id, []).append(gate)
    return {
        name: gates for name, gates in asked.items() if all(gate.verdict == "not_evaluated" for gate in gates)
    }
