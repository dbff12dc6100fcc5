"""What moved against the baseline, or why the two runs are not compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_pii_eval.reports.html.metric_names import readable
from pytest_pii_eval.reports.html.values import Cell, Table, Tone, metric_cell, named, table, verdict_cell
from pytest_pii_eval.reports.words import inert, many

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_pii_eval.reports.comparing.model import Change, Comparison, GateChange, Move


class Movement(NamedTuple):
    """The comparison to show; `refusals` are why nothing was compared."""

    answer: str
    tone: Tone
    sides: str
    refusals: tuple[str, ...]
    notes: tuple[str, ...]
    tables: tuple[Table, ...]


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
        tuple(f"{inert(one.part)} ({_side(one.side)}): {inert(one.words)}" for one in comparison.refusals),
        tuple(map(inert, comparison.notes)),
        tuple(_tables(comparison, anchors)),
    )


def _side(side: str) -> str:
    return {"old": "of the baseline", "new": "of this run", "both": "of both"}[side]


def _answer(comparison: Comparison) -> tuple[str, Tone]:
    if comparison.refusals or comparison.passed is None:
        return "○ Not compared", "warn"
    figures = f"{many(len(comparison.changes), 'figure')} moved, {comparison.unchanged:,} did not"
    if comparison.passed:
        return f"✓ No regression: {figures}", "good"
    regressions = len(comparison.regressions) + sum(gate.regression for gate in comparison.gates)
    return f"✗ {many(regressions, 'regression')}: {figures}", "bad"


def _tables(comparison: Comparison, anchors: Mapping[str, str]) -> Iterator[Table]:
    if comparison.changes:
        columns = "Slice|Type|Metric|#Was|#Is|#Difference|Trend"
        yield table("Figures that moved", columns, (_change(one, anchors) for one in comparison.changes))
    if comparison.gates:
        rows = (_gate(one, anchors) for one in comparison.gates)
        yield table("Gates with another verdict", "Gate|Slice|Was|Is|Judged", rows)
    if comparison.moves:
        columns = "Case or span|Direction|Type|Was|Is|Slices"
        yield table("Cases and spans that moved", columns, map(_move, comparison.moves))


def _change(change: Change, anchors: Mapping[str, str]) -> tuple[Cell, ...]:
    difference = "not told" if change.difference is None else f"{change.difference:+.4g}"
    return (
        _place(change.slice, anchors, "conformance"),
        Cell("all types") if change.type is None else named(change.type),
        named(readable(change.metric)),
        metric_cell(change.old),
        metric_cell(change.new),
        Cell(difference),
        _trend(change),
    )


def _trend(change: Change) -> Cell:
    if change.regression:
        allowed = "" if change.tolerance is None else f", beyond {inert(change.tolerance)}"
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
