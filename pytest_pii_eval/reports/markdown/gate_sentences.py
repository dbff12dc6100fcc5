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
    from pytest_pii_eval.reports.model import Gate, Report, TypeReport

MOST: Final = 3
"""How many things are told in one line; the rest is counted."""

_LONGEST: Final = 2_000  # characters, of more than one thing in a line


def gate_sentence(report: Report, gate: Gate, voice: Voice) -> str:
    """Return slice, value, limit and support of a gate, and which types leak or miss."""
    value, reason = gate_value(gate), "" if gate.reason is None else f", {voice.word(gate.reason)}"
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


def gate_value(gate: Gate) -> str:
    """Return the value of a gate; in full where four digits would make it equal to the limit."""
    if gate.value is None:
        return "null"
    if isinstance(gate.value, int) or gate.limit is None:
        return str(gate.value)
    shown = rate_text(gate.value)
    return str(gate.value) if shown == rate_text(gate.limit) else shown


def behind(report: Report, gate: Gate, voice: Voice) -> str:
    """Return the types that a failed gate of all types comes from, worst first; the rest is counted."""
    one = report.slices.get(gate.slice or "")
    if one is None or gate.type is not None:
        return ""
    named = list(_causes(gate.metric, one.by_type))
    if bare(gate.metric).startswith(HIGH):
        named = [cause for cause in named if is_severe(report, gate.slice, cause[2])]
    named.sort(key=lambda cause: (not is_severe(report, gate.slice, cause[2]), -cause[0]))
    return listed([f"type {voice.name(type_)} {words}" for _, words, type_ in named], separator=", ")


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


def _causes(metric: str, types: dict[str, TypeReport]) -> Iterator[tuple[int, str, str]]:
    """Yield the count, what it means, and the type, for each type that adds to a bad figure."""
    for type_, one in types.items():
        gold, pred = one.counts.get("gold", 0), one.counts.get("pred", 0)
        if about_leaks(metric):
            leaks = one.metrics.get(f"{output_of(metric).replace('candidate_', '')}leaks")
            count = 0 if leaks is None else leaks.numerator or 0
            words = f"leaks {count} of {gold} gold spans"
        elif about_finding(metric):
            count = gold - one.counts.get("tp", 0)
            words = f"is not found exactly in {count} of {gold} gold spans"
        elif "precision" in metric:
            count = pred - one.counts.get("tp", 0)
            words = f"is wrong in {count} of {pred} predictions"
        else:
            continue
        if count > 0:
            yield count, words, type_
