"""What became of each span of one document, by the rules that count it; nothing is counted here."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import compress
from typing import TYPE_CHECKING, Literal, NamedTuple

from pytest_pii_eval.scoring.line import ground, lay
from pytest_pii_eval.scoring.matching import match
from pytest_pii_eval.scoring.ranges import covered, union, untouched
from pytest_pii_eval.scoring.states import touched

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pii_eval.scoring.documents import Document, Scope
    from pytest_pii_eval.scoring.line import Placed, PlacedGold
    from pytest_pii_eval.scoring.ranges import Ranges

GoldState = Literal["exact", "shift", "wrong_type", "miss"]
PredictionState = Literal["exact", "overlap", "extra"]


class GoldOutcome(NamedTuple):
    """One gold span in scope; `ordinal` is its index among all gold spans of the document, by start.

    `taken_for` is the type that a span of state wrong_type was taken for. `leaks`: at least one of its
    characters is outside every selected prediction, those of types out of scope included.
    """

    ordinal: int
    type: str
    start: int
    end: int
    state: GoldState
    taken_for: str | None
    leaks: bool


class PredictionOutcome(NamedTuple):
    """One selected prediction of a type in scope.

    exact: it credits a gold span; extra: it overlaps no gold span in scope; overlap: the rest, repeats of
    an exact one among them.
    """

    type: str
    start: int
    end: int
    state: PredictionState


class Outcome(NamedTuple):
    """The gold spans in scope by ordinal, and the predictions in scope by start, end and type."""

    gold: tuple[GoldOutcome, ...]
    predictions: tuple[PredictionOutcome, ...]


def outcome_of(document: Document, scope: Scope) -> Outcome:
    """Return what became of each span in scope; all gold of a failed document is missed, and leaks.

    Summed over documents, outcomes equal the evidence of the same documents. Raises `ValueError` for a span
    that is empty or outside its text.
    """
    line = lay((document,), scope.types)
    field = ground(line)
    scoped = [one for one in line.selected if one[2] in scope.types]
    mates, spare, _ = match(field.spans, scoped, field.crowd)
    masked = covered(field.spans, union(line.selected))
    ranges = _ranges_by_type(line.selected)
    ordinals = _ordinals(document, scope)
    gold = [
        _gold_outcome(ordinal, span, mate, amount, ranges)
        for ordinal, span, mate, amount in zip(ordinals, field.spans, mates, masked, strict=True)
    ]
    return Outcome(tuple(sorted(gold)), _predictions(mates, spare, field.ranges))


def _ordinals(document: Document, scope: Scope) -> list[int]:
    """Return the index of each gold span in scope, in the order in which `lay` puts them."""
    mine = [index for index, span in enumerate(document.gold) if span.type in scope.types]
    return sorted(mine, key=lambda index: document.gold[index].start)


def _ranges_by_type(predictions: Sequence[Placed]) -> dict[str, Ranges]:
    groups: dict[str, list[Placed]] = {}
    for one in predictions:
        groups.setdefault(one[2], []).append(one)
    return {type_: union(group) for type_, group in groups.items()}


def _gold_outcome(
    ordinal: int, span: PlacedGold, mate: Placed | None, masked: int, ranges: dict[str, Ranges]
) -> GoldOutcome:
    start, end, type_ = span[:3]
    state, taken_for = ("exact", None) if mate is not None else _missed(span, ranges)
    return GoldOutcome(ordinal, type_, start, end, state, taken_for, masked < end - start)


def _missed(span: PlacedGold, ranges: dict[str, Ranges]) -> tuple[GoldState, str | None]:
    """Return the state of a gold span without a mate, and what it was taken for."""
    near: list[Placed] = [
        (start, end, type_, None, span[5])
        for type_, united in ranges.items()
        for start, end in _overlapping(united, span)
    ]
    if not near:
        return "miss", None
    found = touched([span], near)  # it looks at the unions of each type alone, so these stand for all
    return ("shift", None) if found.shifted else ("wrong_type", found.confused[0][1])


def _overlapping(ranges: Ranges, span: PlacedGold) -> list[tuple[int, int]]:
    starts, ends = ranges
    first = bisect_right(ends, span[0])
    last = bisect_left(starts, span[1], first)
    return list(zip(starts[first:last], ends[first:last], strict=True))


def _predictions(
    mates: Sequence[Placed | None], spare: Sequence[Placed], gold: Ranges
) -> tuple[PredictionOutcome, ...]:
    alone = untouched(spare, gold)
    exact = [_told(one, "exact") for one in mates if one is not None]
    extra = [_told(one, "extra") for one in compress(spare, alone)]
    rest = [_told(one, "overlap") for one, is_alone in zip(spare, alone, strict=True) if not is_alone]
    return tuple(sorted([*exact, *extra, *rest], key=lambda one: (one.start, one.end, one.type, one.state)))


def _told(prediction: Placed, state: PredictionState) -> PredictionOutcome:
    return PredictionOutcome(prediction[2], prediction[0], prediction[1], state)
