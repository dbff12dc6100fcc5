"""Which figures are about leaks, and of high severity: what is told first; nothing is judged here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_pii_eval.reports.model import Report, TypeReport

_OUTPUTS: Final = ("protection_", "candidate_")
_CONTAINED: Final = ("leak", "containment", "coverage", "character_recall")
_FOUND: Final = ("recall", "f1", "f2", "miss", "canonical")
HIGH: Final = "high_severity_"
OF_SEVERE: Final = "f2"
"""The metric that only a type of high severity has."""


def bare(metric: str) -> str:
    """Return the name of a metric without the output that it is about."""
    for prefix in _OUTPUTS:
        metric = metric.removeprefix(prefix)
    return metric


def output_of(metric: str) -> str:
    """Return the prefix of the output that a metric is about; `selected` has none."""
    return next((prefix for prefix in _OUTPUTS if metric.startswith(prefix)), "")


def about_leaks(metric: str) -> bool:
    """Whether a metric says how much of the gold stays visible."""
    own = bare(metric)
    return any(part in own for part in _CONTAINED) and not own.startswith(("catalog_", "repeated_"))


def about_finding(metric: str) -> bool:
    """Whether a metric says how much of the gold is found as what it is."""
    return not about_leaks(metric) and any(part in metric for part in _FOUND)


def rank(metric: str, *, severe: bool) -> tuple[int, int]:
    """Return where a figure belongs among others: high severity first, then leaks, counted before rated."""
    own = bare(metric)
    high = severe or own.startswith(HIGH)
    if about_leaks(metric):
        kind = 0 if own == "leaks" else 1
        return (0 if high else 1), kind + (2 if output_of(metric) else 0)
    return (2 if high else 3), (0 if about_finding(metric) else 1)


def is_severe(report: Report, slice_id: str | None, type_: str | None) -> bool:
    """Whether a leak of the type is of high severity in the slice; only such types have an F2."""
    one = None if slice_id is None else report.slices.get(slice_id)
    found: Mapping[str, TypeReport] = {} if one is None else one.by_type
    return type_ is not None and type_ in found and OF_SEVERE in found[type_].metrics
