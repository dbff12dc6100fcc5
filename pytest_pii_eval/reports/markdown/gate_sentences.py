"""Failed gates in a sentence each, with the types behind them; the voice says how names are quoted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_pii_eval.reports.comparing.severity import HIGH, bare, is_severe
from pytest_pii_eval.reports.markdown.gate_causes import causes
from pytest_pii_eval.reports.words import bound_text, rate_text

if TYPE_CHECKING:
    from pytest_pii_eval.reports.markdown.escaping import Voice
    from pytest_pii_eval.reports.model import Gate, MetricReport, Report

MOST: Final = 3
"""How many things are told in one line; the rest is counted."""

_LONGEST: Final = 2_000  # characters, of more than one thing in a line


def gate_sentence(report: Report, gate: Gate, voice: Voice) -> str:
    """Return slice, value, limit and support of a gate, and which types leak or miss."""
    value, reason = gate_value(report, gate), "" if gate.reason is None else f", {voice.word(gate.reason)}"
    must = f"must be {bound_text(gate)} (support {gate.support or 0}{reason})"
    sentence = f"{gate_place(gate, voice)}: {voice.word(gate.metric)} {value}, {must}"
    types = behind(report, gate, voice)
    return f"{sentence}: {types}" if types else sentence


def gate_place(gate: Gate, voice: Voice) -> str:
    """Return what a gate is about: slice and type, or its own id where it is about the whole run."""
    if gate.slice is None:
        return f"gate {voice.name(gate.id)}"
    place = f"slice {voice.name(gate.slice)}"
    return place if gate.type is None else f"{place}, type {voice.name(gate.type)}"


def gate_value(report: Report, gate: Gate) -> str:
    """Return the value of a gate with its counts; in full where four digits would make it equal the limit."""
    if gate.value is None:
        return "null"
    if isinstance(gate.value, int):
        return str(gate.value)
    shown = rate_text(gate.value)
    if gate.limit is not None and shown == rate_text(gate.limit):
        shown = str(gate.value)
    found = _metric(report, gate)
    if found is None or found.denominator is None or found.value != gate.value:
        return shown
    return f"{shown} ({found.numerator}/{found.denominator})"


def behind(report: Report, gate: Gate, voice: Voice) -> str:
    """Return the types that a failed gate of all types comes from, worst first; the rest is counted."""
    one = report.slices.get(gate.slice or "")
    if one is None or gate.type is not None:
        return ""
    found = list(causes(gate.metric, one.by_type))
    if bare(gate.metric).startswith(HIGH):
        found = [cause for cause in found if is_severe(report, gate.slice, cause.type)]
    found.sort(key=lambda cause: (not is_severe(report, gate.slice, cause.type), -cause.number))
    types = [f"type {voice.name(cause.type)} {cause.words}" for cause in found]
    unanswered = one.counts.get("failed_documents", 0)
    return listed(
        [*([f"{unanswered:,} documents have no answer"] if unanswered else []), *types], separator=", "
    )


def listed(parts: list[str], *, most: int = MOST, separator: str = "; ") -> str:
    """Return the first parts in one line, and how many more there are."""
    return counted(parts, len(parts), most=most, separator=separator)


def counted(parts: list[str], total: int, *, most: int = MOST, separator: str = "; ") -> str:
    """Return the first parts in one line, and how many more of `total` there are."""
    shown = parts[:most]
    while len(shown) > 1 and sum(map(len, shown)) > _LONGEST:
        shown.pop()
    more = [f"and {total - len(shown):,} more"] if total > len(shown) else []
    return separator.join([*shown, *more])


def _metric(report: Report, gate: Gate) -> MetricReport | None:
    one = report.slices.get(gate.slice or "")
    if one is None or gate.type is None:
        return None if one is None else one.metrics.get(gate.metric)
    return one.by_type[gate.type].metrics.get(gate.metric) if gate.type in one.by_type else None
