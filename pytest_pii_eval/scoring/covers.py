"""Counting of what the ranges of an output mask: leaks, containment and characters, typed only by gold."""

from __future__ import annotations

from collections import defaultdict
from operator import add
from typing import TYPE_CHECKING, final

from pytest_pii_eval.scoring.evidence import OUTPUTS, OutputCounts, TypeLeaks
from pytest_pii_eval.scoring.line import by_type, mention
from pytest_pii_eval.scoring.ranges import covered, shared, size, union

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pii_eval.scoring.evidence import Leaking, Output
    from pytest_pii_eval.scoring.line import Ground, PlacedGold
    from pytest_pii_eval.scoring.ranges import Ranges

SELECTED, SCOPE, PROTECTION, CANDIDATES = (1 << index for index in range(len(OUTPUTS)))
"""One bit an output, so that outputs with equal ranges are counted once and told apart at the end."""

_FIELDS = len(OutputCounts._fields)
# Positions in the rows of OutputCounts and of TypeLeaks.
(
    _DOCUMENTS,
    _GOLD,
    _LEAKS,
    _GOLD_CHARACTERS,
    _COVERED,
    _MASKED,
    _LEAKING,
    _HIGH_LEAKING,
    _REPEATS,
    _ZERO_GOLD_MASKED,
    _ZERO_GOLD_CHARACTERS,
) = range(_FIELDS)
_TYPE_LEAKS, _TYPE_LEAKED = range(len(TypeLeaks._fields))


@final
class Covers:
    """Adds up, chunk by chunk, what each output masks of the gold spans."""

    __slots__ = ("_high_severity", "_rows", "_type_rows")

    def __init__(self, high_severity: frozenset[str]) -> None:
        self._high_severity = high_severity
        self._rows: dict[int, list[int]] = defaultdict(lambda: [0] * _FIELDS)
        self._type_rows: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))

    def add(self, outputs: int, ground: Ground, ranges: Ranges, doubtful: Sequence[PlacedGold]) -> list[int]:
        """Count some documents for the outputs in the bit set, which share `ranges`.

        Return how many characters are masked of each of `doubtful`: the gold spans that may leak.
        """
        amounts = covered(doubtful, ranges)
        leaked = [
            (span, span[1] - span[0] - amount)
            for span, amount in zip(doubtful, amounts, strict=True)
            if amount < span[1] - span[0]
        ]
        row = self._rows[outputs]
        row[_DOCUMENTS] += ground.documents
        row[_GOLD] += len(ground.spans)
        row[_GOLD_CHARACTERS] += ground.characters
        row[_MASKED] += size(ranges)
        row[_COVERED] += ground.characters - self._count_leaks(outputs, ground, ranges, leaked)
        if ground.bare:
            bare = covered(ground.bare, ranges)
            row[_ZERO_GOLD_MASKED] += len(bare) - bare.count(0)
            row[_ZERO_GOLD_CHARACTERS] += sum(bare)
        return amounts

    def _count_leaks(
        self, outputs: int, ground: Ground, ranges: Ranges, leaked: Sequence[tuple[PlacedGold, int]]
    ) -> int:
        """Count the spans that leak, with their leaked characters; return the characters of their union."""
        row, rows = self._rows[outputs], self._type_rows[outputs]
        row[_LEAKS] += len(leaked)
        row[_LEAKING] += len({span[5] for span, _ in leaked})
        row[_HIGH_LEAKING] += len({span[5] for span, _ in leaked if span[2] in self._high_severity})
        for span, amount in leaked:
            type_row = rows[span[2]]
            type_row[_TYPE_LEAKS] += 1
            type_row[_TYPE_LEAKED] += amount
        if ground.repeats:
            row[_REPEATS] += len(ground.repeats.intersection([mention(span) for span, _ in leaked]))
        if not ground.crowd:
            return sum([amount for _, amount in leaked])
        _count_unions(rows, ground.crowd, ranges)
        return ground.characters - shared(ground.ranges, ranges)

    def outputs(self) -> dict[Output, OutputCounts]:
        """Return the counts of every output that was seen."""
        total: dict[Output, list[int]] = {}
        for bits, row in self._rows.items():
            for name in _names(bits):
                known = total.get(name)
                total[name] = row if known is None else [*map(add, known, row)]
        return {name: OutputCounts(*row) for name, row in total.items()}

    def leaks(self) -> dict[Leaking, TypeLeaks]:
        """Return the counts of every output and gold type of which something leaks."""
        total: dict[Leaking, TypeLeaks] = {}
        for bits, rows in self._type_rows.items():
            for name in _names(bits):
                for type_, row in rows.items():
                    known = total.get((name, type_), TypeLeaks())
                    total[name, type_] = TypeLeaks(*map(add, known, row))
        return {key: row for key, row in total.items() if any(row)}


def _count_unions(rows: dict[str, list[int]], crowd: Sequence[PlacedGold], ranges: Ranges) -> None:
    """Take back the sums over spans that overlap and count the unions of each type instead."""
    for type_, spans in by_type(crowd).items():
        summed = sum(span[1] - span[0] for span in spans) - sum(covered(spans, ranges))
        starts, ends = whole = union(spans)
        united = size(whole) - sum(covered(zip(starts, ends, strict=True), ranges))
        if summed != united:
            rows[type_][_TYPE_LEAKED] += united - summed


def _names(bits: int) -> list[Output]:
    return [name for index, name in enumerate(OUTPUTS) if bits >> index & 1]
