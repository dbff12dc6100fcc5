"""Counting of exact typed matches, gold states, extras and catalog outcomes."""

from __future__ import annotations

from collections import Counter, defaultdict
from operator import itemgetter
from typing import TYPE_CHECKING, final

from pytest_pii_eval.scoring.evidence import TypeCounts
from pytest_pii_eval.scoring.line import by_type
from pytest_pii_eval.scoring.matching import agree
from pytest_pii_eval.scoring.ranges import size, union
from pytest_pii_eval.scoring.states import touched

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pii_eval.scoring.evidence import Confusion
    from pytest_pii_eval.scoring.line import Ground, Placed, PlacedGold

_FIELDS = len(TypeCounts._fields)
# Positions in a row of TypeCounts.
(
    _GOLD,
    _PRED,
    _TP,
    _SHIFT,
    _WRONG_TYPE,
    _EXTRA,
    _CHARACTERS,
    _CATALOGED,
    _CATALOGED_TP,
    _WRONG_CANONICAL,
) = range(_FIELDS)


_type = itemgetter(2)


@final
class Exact:
    """Adds up, chunk by chunk, the counts of each type."""

    __slots__ = ("_rows", "confusion")

    def __init__(self) -> None:
        self._rows: dict[str, list[int]] = defaultdict(lambda: [0] * _FIELDS)
        self.confusion: Counter[Confusion] = Counter()

    def add(self, ground: Ground, predictions: Sequence[Placed], missed: Sequence[PlacedGold]) -> None:
        """Count the gold spans, those of them without an exact mate, and the predictions in scope."""
        rows = self._rows
        for type_, number in Counter(map(_type, predictions)).items():
            rows[type_][_PRED] += number
        for type_, number in Counter(map(_type, ground.spans)).items():
            rows[type_][_GOLD] += number
            rows[type_][_TP] += number
        for gold in missed:
            rows[gold[2]][_TP] -= 1
        for type_, characters in ground.sizes.items():
            rows[type_][_CHARACTERS] += characters
        if ground.crowd:
            self._count_unions(ground.crowd)

    def add_catalog(self, pairs: Sequence[tuple[PlacedGold, Placed | None]]) -> set[int]:
        """Count cataloged gold spans beside their mates; return the documents with one missed or misnamed."""
        rows = self._rows
        for type_, number in Counter([gold[2] for gold, _ in pairs]).items():
            rows[type_][_CATALOGED] += number
            rows[type_][_CATALOGED_TP] += number
        failed = [(gold, mate) for gold, mate in pairs if mate is None or not agree(gold[3], mate[3])]
        for gold, mate in failed:
            rows[gold[2]][_CATALOGED_TP] -= 1
            rows[gold[2]][_WRONG_CANONICAL] += mate is not None
        return {gold[5] for gold, _ in failed}

    def add_states(self, golds: Sequence[PlacedGold], predictions: Sequence[Placed]) -> None:
        """Count the state of gold spans that some prediction, but no exact one, overlaps."""
        states = touched(golds, predictions)
        for type_ in states.shifted:
            self._rows[type_][_SHIFT] += 1
        for confusion in states.confused:
            self._rows[confusion[0]][_WRONG_TYPE] += 1
        self.confusion.update(states.confused)

    def add_extras(self, predictions: Sequence[Placed]) -> None:
        """Count predictions that overlap no gold span."""
        for prediction in predictions:
            self._rows[prediction[2]][_EXTRA] += 1

    def types(self) -> dict[str, TypeCounts]:
        """Return the counts of every type that was seen."""
        return {type_: TypeCounts(*row) for type_, row in self._rows.items()}

    def _count_unions(self, crowd: Sequence[PlacedGold]) -> None:
        """Take back the sums over spans that overlap and count the unions of each type instead."""
        for type_, spans in by_type(crowd).items():
            summed = sum(span[1] - span[0] for span in spans)
            self._rows[type_][_CHARACTERS] += size(union(spans)) - summed
