"""What moved against the baseline, or why the two runs are not compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.reports.comparing.order import by_severity, told_apart
from pytest_pii_eval.reports.comparing.text import regressions_text
from pytest_pii_eval.reports.html.metric_names import shown
from pytest_pii_eval.reports.html.values import (
    Cell,
    Table,
    Tone,
    metric_cell,
    named,
    sentence,
    table,
    verdict_cell,
)
from pytest_pii_eval.reports.words import inert, many

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_pii_eval.reports.comparing.model import Change, Comparison, GateChange, Move


_FIRST: Final = 10


class Movement(NamedTuple):
    """The comparison to show; `refusals` are why nothing was compared, `folded` is for who wants it all."""

    answer: str
    tone: Tone
    sides: str
    refusals: tuple[str, ...]
    notes: tuple[str, ...]
    tables: tuple[Table, ...]
    folded: tuple[Table, ...]


def movement(comparison: Comparison | None, anchors: Mapping[str, str]) -> Movement | None:
    """Return what moved, or None where no baseline was given."""
    if comparison is None:
        return None
    answer, tone = _answer(comparison)
    old, new = comparison.old, comparison.new
    return Movement(
        answer,
        tone,
        f"Baseline: {old.kind} {inert(old.name)}. This run: {new.kind} {inert(new.name)}.",
        tuple(f"{inert(one.part)} ({_side(one.side)}): {sentence(one.words)}" for one in comparison.refusals),
        tuple(map(sentence, comparison.notes)),
        tuple(_tables(comparison, anchors)),
        tuple(_folded(comparison, anchors)),
    )


def _side(side: str) -> str:
    return {"old": "of the baseline", "new": "of this run", "both": "of both"}[side]


def _answer(comparison: Comparison) -> tuple[str, Tone]:
    if comparison.refusals or comparison.passed is None:
        return "○ Not compared", "warn"
    figures = f"{many(len(comparison.changes), 'figure')} moved, {comparison.unchanged:,} did not"
    if comparison.passed:
        return f"✓ No regression: {figures}", "good"
    return f"✗ {regressions_text(comparison)}: {figures}", "bad"


def _tables(comparison: Comparison, anchors: Mapping[str, str]) -> Iterator[Table]:
    own, _ = _worst_first(comparison)
    if own:
        caption = "Figures that moved" if len(own) <= _FIRST else f"Figures that moved: the worst {_FIRST}"
        yield _changes(caption, own[:_FIRST], anchors)
    if comparison.gates:
        rows = (_gate(one, anchors) for one in comparison.gates)
        yield table("Gates with another verdict", "Gate|Slice|Was|Is|Judged", rows)
    if comparison.moves:
        columns = "Case or span|Direction|Type|Was|Is|Slices"
        yield table("Cases and spans that moved", columns, map(_move, comparison.moves))


def _folded(comparison: Comparison, anchors: Mapping[str, str]) -> Iterator[Table]:
    own, again = _worst_first(comparison)
    rest = own[_FIRST:]
    if rest:
        yield _changes(f"{many(len(rest), 'more figure')} that moved", rest, anchors)
    if again:
        number = many(len(again), "figure")
        yield _changes(f"{number} that {'say' if len(again) > 1 else 'says'} the same again", again, anchors)


def _worst_first(comparison: Comparison) -> tuple[list[Change], list[Change]]:
    """Return what moved, regressions first and of them the worst, and what only says it in another way."""
    own: list[Change] = []
    again: list[Change] = []
    rest = [change for change in comparison.changes if not change.regression]
    worse = [change for change in rest if change.trend == "worse"]
    # Kind by kind: a regression must not hide behind a figure that may move.
    for changes in (comparison.regressions, worse, [one for one in rest if one.trend != "worse"]):
        told, restated = told_apart(changes)
        own.extend(by_severity(told))
        again.extend(by_severity(restated))
    return own, again


def _changes(caption: str, changes: Sequence[Change], anchors: Mapping[str, str]) -> Table:
    return table(caption, "Figure|#Was|#Is|Trend|#Difference", (_change(one, anchors) for one in changes))


def _change(change: Change, anchors: Mapping[str, str]) -> tuple[Cell, ...]:
    difference = "not told" if change.difference is None else f"{change.difference:+.4g}"
    what = shown(change.metric) + ("" if change.type is None else f" of {inert(change.type)}")
    return (
        _place(change.slice, anchors, "conformance")._replace(below=what),
        metric_cell(change.old),
        metric_cell(change.new),
        _trend(change),
        Cell(difference),
    )


def _trend(change: Change) -> Cell:
    if change.regression:
        allowed = "" if change.tolerance in {None, "0"} else f", beyond {inert(change.tolerance or '')}"
        return Cell(f"✗ regression{allowed}", "bad")
    trends: dict[str, Cell] = {
        "better": Cell("▲ better", "good"),
        "worse": Cell("▼ worse", "warn"),
        "neither": Cell("◆ other", "none"),
    }
    return trends[change.trend]


def _gate(gate: GateChange, anchors: Mapping[str, str]) -> tuple[Cell, ...]:
    judged = Cell("✗ regression", "bad") if gate.regression else Cell("no regression")
    place = _place(gate.slice, anchors, "the whole run")
    return (named(gate.id), place, verdict_cell(gate.old), verdict_cell(gate.new), judged)


def _place(name: str | None, anchors: Mapping[str, str], otherwise: str) -> Cell:
    return Cell(otherwise) if name is None else named(name)._replace(target=anchors.get(name))


def _move(move: Move) -> tuple[Cell, ...]:
    return (
        named(move.id),
        Cell("▼ lost", "bad") if move.direction == "lost" else Cell("▲ gained", "good"),
        Cell("case") if move.type is None else named(move.type),
        named(move.old),
        named(move.new),
        Cell(", ".join(map(inert, move.slices))),
    )
