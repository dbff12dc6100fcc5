"""What became of gold spans without an exact mate: shift or wrong type, and taken for which type."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_pii_eval.scoring.line import by_type
from pytest_pii_eval.scoring.ranges import covered, union

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pii_eval.scoring.line import Placed, PlacedGold
    from pytest_pii_eval.scoring.ranges import Ranges


class Touched(NamedTuple):
    """The types of the shifted gold spans, and (gold type, predicted type) of the wrongly typed ones."""

    shifted: list[str]
    confused: list[tuple[str, str]]


def touched(golds: Sequence[PlacedGold], predictions: Sequence[Placed]) -> Touched:
    """Sort `golds`, each overlapped by a prediction and none exact, into shifts and wrong types.

    A gold span is a shift when a prediction of its own type overlaps it. Else it is taken for the type
    whose predictions together cover most of its characters; of equals, the first name in code point
    order. `predictions`, each type's sorted by start, hold all that overlap one of `golds`.
    """
    ranges = _ranges(predictions)
    shifted: list[str] = []
    strangers: list[PlacedGold] = []
    for type_, group in by_type(golds).items():
        for gold, amount in zip(group, covered(group, ranges.get(type_, ([], []))), strict=True):
            if amount:
                shifted.append(type_)
            else:
                strangers.append(gold)
    return Touched(shifted, _confused(strangers, predictions, ranges) if strangers else [])


def _ranges(predictions: Sequence[Placed]) -> dict[str, Ranges]:
    spans: dict[str, list[Placed]] = {}
    for prediction in predictions:
        spans.setdefault(prediction[2], []).append(prediction)
    return {type_: union(group) for type_, group in spans.items()}


def _confused(
    golds: Sequence[PlacedGold], predictions: Sequence[Placed], ranges: dict[str, Ranges]
) -> list[tuple[str, str]]:
    best = [0] * len(golds)
    taken_for = [""] * len(golds)
    suspects = _suspects(golds, predictions)
    for type_ in sorted(suspects):
        indexes = suspects[type_]
        amounts = covered([golds[index] for index in indexes], ranges[type_])
        for index, amount in zip(indexes, amounts, strict=True):
            if amount > best[index]:
                best[index] = amount
                taken_for[index] = type_
    return [(gold[2], type_) for gold, type_ in zip(golds, taken_for, strict=True)]


def _suspects(golds: Sequence[PlacedGold], predictions: Sequence[Placed]) -> dict[str, list[int]]:
    """Return for each predicted type the indexes of the gold spans whose document has it."""
    types: dict[int, set[str]] = {}
    for prediction in predictions:
        types.setdefault(prediction[4], set()).add(prediction[2])
    suspects: dict[str, list[int]] = {}
    for index, gold in enumerate(golds):
        for type_ in types[gold[5]]:
            suspects.setdefault(type_, []).append(index)
    return suspects
