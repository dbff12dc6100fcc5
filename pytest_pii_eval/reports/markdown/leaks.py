"""Which gold spans leak, by slice and type, in one line; of different populations nothing is added up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.reports.comparing.severity import is_severe
from pytest_pii_eval.reports.markdown.escaping import escaped, figure
from pytest_pii_eval.reports.markdown.gate_sentences import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pii_eval.reports.model import Report


def leak_line(report: Report) -> str:
    """Return the leaks of a run without a failure, or that there are none, or why nobody can tell."""
    if not report.slices:
        return "Leaks: no slice of text was scored, so this says nothing about leaks"
    leaks = sorted(_leaks(report), key=lambda one: not one[0])
    unknown = list(_unknown(report))
    if leaks:
        return f"Leaks: {listed([words for _, words in leaks])}"
    told = len(report.slices) - len(unknown)
    none = f"none, in {told:,} of {len(report.slices):,} slices" if told else "nobody can tell"
    return f"Leaks: {none}; {listed(unknown)}" if unknown else f"Leaks: {none}"


def _leaks(report: Report) -> Iterator[tuple[bool, str]]:
    """Yield whether it is of high severity, and the words, of each type that leaks in a slice."""
    for name, one in report.slices.items():
        for type_, found in one.by_type.items():
            leaks = found.metrics.get("leaks")
            if leaks is not None and leaks.numerator:
                place = f"slice {escaped(name)}, type {escaped(type_)}"
                words = f"{place}: {leaks.numerator} of {leaks.support} gold spans"
                yield is_severe(report, name, type_), words


def _unknown(report: Report) -> Iterator[str]:
    for name, one in report.slices.items():
        leaks = one.metrics.get("leaks")
        if leaks is None or leaks.value is None:
            why = "null (not reported)" if leaks is None else figure(leaks)
            yield f"slice {escaped(name)}: {why}"
