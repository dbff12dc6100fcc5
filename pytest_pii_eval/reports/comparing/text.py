"""The comparison in lines for a terminal."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from pytest_pii_eval.reports.comparing.order import by_severity, told_apart
from pytest_pii_eval.reports.words import inert, many, metric_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pii_eval.reports.comparing.model import Change, Comparison, GateChange, Move, Side

_MOVES: Final = 20
_CHANGES: Final = 100
_FEW: Final = 20


def comparison_line(comparison: Comparison) -> str:
    """Return the comparison in a few words, for a run that is quiet."""
    if comparison.refusals:
        return f"not compared ({', '.join(sorted({one.part for one in comparison.refusals}))})"
    return regressions_text(comparison)


def comparison_lines(comparison: Comparison, *, whole: bool = False) -> list[str]:
    """Return the comparison in lines: what refuses, else the verdict, regressions first.

    Where the `whole` of it is wanted, what is worse, better and other follows, and what was lost and gained.
    """
    return list(_lines(comparison, whole=whole))


def _lines(comparison: Comparison, *, whole: bool) -> Iterator[str]:
    sides = [_side(comparison.old), _side(comparison.new)]
    if sides[0] != sides[1]:
        yield " -> ".join(sides)
    if comparison.refusals:
        yield from (f"not compared ({one.part}): {inert_words(one.words)}" for one in comparison.refusals)
    else:
        yield from _judged(comparison, _CHANGES if whole else _FEW)
        yield from _rest(comparison) if whole else ()
    yield from (f"note: {inert_words(note)}" for note in comparison.notes)


def _judged(comparison: Comparison, most: int) -> Iterator[str]:
    verdict = "pass" if comparison.passed else "FAIL"
    trends = Counter(change.trend for change in comparison.changes)
    moved = f"{trends['worse']} figures worse, {trends['better']} better, {comparison.unchanged} as they were"
    yield f"verdict: {verdict}, {regressions_text(comparison)}; {moved}"
    yield from (_gate(gate) for gate in comparison.gates if gate.regression)
    yield from _changes("REGRESSION", comparison.regressions, most)


def _rest(comparison: Comparison) -> Iterator[str]:
    rest = [change for change in comparison.changes if not change.regression]
    for trend, words in (("worse", "worse"), ("better", "better"), ("neither", "other")):
        yield from _changes(words, [change for change in rest if change.trend == trend], _CHANGES)
    yield from (_gate(gate) for gate in comparison.gates if not gate.regression)
    yield from _moves(comparison.moves)


def inert_words(words: str) -> str:
    """Return a sentence of ours with nothing in it that a terminal would obey, however long it is."""
    return "".join(inert(words[at : at + 128]) for at in range(0, min(len(words), 4_096), 128))


def regressions_text(comparison: Comparison) -> str:
    """Return how many regressions there are, those apart that only say others again."""
    own, again = told_apart(comparison.regressions)
    number = len(own) + sum(gate.regression for gate in comparison.gates) + comparison.lost_cases
    told = many(number, "regression") if number else "no regressions"
    return f"{told} ({many(len(again), 'more figure')} of the same)" if again else told


def _side(side: Side) -> str:
    return f"{side.kind} {inert(side.name)}"


def _changes(word: str, changes: Sequence[Change], most: int) -> Iterator[str]:
    """Show changes one a line, the worst kind first; those that say others again are counted."""
    own, again = told_apart(by_severity(changes))
    yield from (f"{word}: {_change(change)}" for change in own[:most])
    if len(own) > most:
        yield f"{word}: and {len(own) - most} more; the JSON form of pii-eval compare has all of them"
    if again:
        yield f"{word}: {many(len(again), 'more figure')} of the same, in another way or over all types"


def _change(change: Change) -> str:
    moved = f"{metric_text(change.old)} -> {metric_text(change.new)}"
    allowed = f" (tolerance {inert(change.tolerance)})" if change.tolerance not in (None, "0") else ""
    return f"{_place(change)}: {inert(change.metric)} {moved}{allowed}"


def _place(change: Change) -> str:
    if change.slice is None:
        return "conformance" if change.type is None else f"conformance, {inert(change.type)}"
    return f"slice {inert(change.slice)}" + ("" if change.type is None else f", {inert(change.type)}")


def _gate(gate: GateChange) -> str:
    word = "REGRESSION: gate" if gate.regression else "gate:"
    place = f" of slice {inert(gate.slice)}" if gate.slice else ""
    return f"{word} {inert(gate.id)}{place}: {gate.old} -> {gate.new}"


def _moves(moves: Sequence[Move] | None) -> Iterator[str]:
    if moves is None:
        return
    lost = sum(move.direction == "lost" for move in moves)
    yield f"moves: {lost} lost, {len(moves) - lost} gained"
    for move in moves[:_MOVES]:
        type_ = "" if move.type is None else f" {inert(move.type)}"
        places = f" in {', '.join(map(inert, move.slices[:5]))}" if move.slices else ""
        states = f"{inert(move.old)} -> {inert(move.new)}"
        yield f"{move.direction}: {move.kind}{type_} {inert(move.id)}{places}: {states}"
    if len(moves) > _MOVES:
        yield f"and {len(moves) - _MOVES} more; the JSON form has all of them"
