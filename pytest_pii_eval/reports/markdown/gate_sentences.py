"""Failed gates in a sentence each, with the types behind them; the voice says how names are quoted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_pii_eval.reports.markdown.severity import (
    HIGH,
    about_finding,
    about_leaks,
    bare,
    is_severe,
    output_of,
)
from pytest_pii_eval.reports.words import bound_text, rate_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pii_eval.reports.markdown.escaping import Voice
    from pytest_pii_eval.reports.model import Gate, MetricReport, Report, TypeReport

MOST: Final = 3
"""How many things are told in one line; the rest is counted."""

_LONGEST: Final = 2_000  # characters, of more than one thing in a line


def gate_sentence(report: Report, gate: Gate, voice: Voice) -> str:
    """Return slice, value, limit and support of a gate, and which types leak or miss."""
    value, reason = gate_value(report, gate), "" if gate.reason is None else f", {voice.word(gate.reason)}"
    must = f"must be {bound_text(gate)} (support {gate.support or 0}{reason})"
    sentence = f"{gate_place(gate, voice)}: {voice.word(gate.metric)} {value}, {must}"
    causes = behind(report, gate, voice)
    return f"{sentence}: {causes}" if causes else sentence


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
    found = list(_causes(gate.metric, one.by_type))
    if bare(gate.metric).startswith(HIGH):
        found = [cause for cause in found if is_severe(report, gate.slice, cause[2])]
    found.sort(key=lambda cause: (not is_severe(report, gate.slice, cause[2]), -cause[0]))
    causes = [f"type {voice.name(type_)} {words}" for _, words, type_ in found]
    unanswered = one.counts.get("failed_documents", 0)
    return listed(
        [*([f"{unanswered:,} documents have no answer"] if unanswered else []), *causes], separator=", "
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


def _causes(metric: str, types: dict[str, TypeReport]) -> Iterator[tuple[int, str, str]]:
    """Yield the count, what it means, and the type, for each type that adds to a bad figure."""
    for type_, one in types.items():
        gold, pred, found = (one.counts.get(name, 0) for name in ("gold", "pred", "tp"))
        if output_of(metric) == "candidate_":
            count = gold - _numerator(one, "candidate_coverage", gold)
            words = f"is not among the candidates in {count} of {gold} gold spans"
        elif about_leaks(metric):
            count = _numerator(one, f"{output_of(metric)}leaks", 0)
            words = f"leaks {count} of {gold} gold spans"
        elif about_finding(metric):
            count = gold - found
            words = f"is not found exactly in {count} of {gold} gold spans"
        else:
            count = pred - found if "precision" in metric else 0
            words = f"is wrong in {count} of {pred} predictions"
        if count > 0:
            yield count, words, type_


def _numerator(one: TypeReport, metric: str, otherwise: int) -> int:
    found = one.metrics.get(metric)
    return otherwise if found is None or found.numerator is None else found.numerator
