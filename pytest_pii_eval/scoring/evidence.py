"""Evidence of a slice: integer counts that add up in any order and grouping; no text, no spans, no rates."""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import add
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar, get_args

if TYPE_CHECKING:
    from collections.abc import Mapping

Output = Literal["selected", "scope", "protection", "candidates"]
"""Which ranges mask: every selected prediction, those of types in scope, protection ranges, candidates."""

OUTPUTS: tuple[Output, ...] = get_args(Output)


class SliceCounts(NamedTuple):
    """Counts of documents, and of characters and spans that no single type owns.

    Characters are Unicode code points, in unions: a character under two gold spans counts once.
    """

    documents: int = 0
    failed_documents: int = 0
    partial_documents: int = 0
    failed_zero_gold_documents: int = 0
    characters: int = 0
    gold_characters: int = 0
    documents_with_gold: int = 0
    documents_with_any_miss: int = 0
    documents_with_cataloged_gold: int = 0
    documents_with_any_cataloged_miss: int = 0
    high_severity_documents: int = 0
    repeated_identifiers: int = 0
    zero_gold_documents: int = 0
    zero_gold_characters: int = 0
    unmapped: int = 0
    dropped: int = 0
    out_of_scope: int = 0
    duplicates: int = 0
    paired_shift: int = 0
    paired_wrong_type: int = 0
    paired_shift_and_type: int = 0


class TypeCounts(NamedTuple):
    """Counts of one type: its gold spans by exact match, state and catalog, and its predictions."""

    gold: int = 0
    pred: int = 0
    tp: int = 0
    shift: int = 0
    wrong_type: int = 0
    extra: int = 0
    gold_characters: int = 0
    cataloged: int = 0
    cataloged_tp: int = 0
    wrong_canonical: int = 0

    @property
    def fp(self) -> int:
        """Predictions that credit no gold span."""
        return self.pred - self.tp

    @property
    def fn(self) -> int:
        """Gold spans that no prediction credits."""
        return self.gold - self.tp

    @property
    def miss(self) -> int:
        """Gold spans that no prediction of any type overlaps."""
        return self.gold - self.tp - self.shift - self.wrong_type

    @property
    def cataloged_fn(self) -> int:
        """Cataloged gold spans without an exact prediction, whatever its identity."""
        return self.cataloged - self.cataloged_tp - self.wrong_canonical


class OutputCounts(NamedTuple):
    """What the ranges of one output mask, over the documents where the detector exposed it.

    `gold` counts the gold spans of those documents, `leaks` those with a character outside the ranges.
    """

    documents: int = 0
    gold: int = 0
    leaks: int = 0
    gold_characters: int = 0
    covered_characters: int = 0
    masked_characters: int = 0
    leaking_documents: int = 0
    high_severity_leaking_documents: int = 0
    leaking_repeated_identifiers: int = 0
    zero_gold_masked_documents: int = 0
    zero_gold_masked_characters: int = 0

    @property
    def contained(self) -> int:
        """Gold spans with every character inside the ranges."""
        return self.gold - self.leaks


class TypeLeaks(NamedTuple):
    """Gold spans of one type that leak from one output, and the characters of their union outside it."""

    leaks: int = 0
    leaked_characters: int = 0


Leaking = tuple[Output, str]
"""An output and a gold type."""

Confusion = tuple[str, str]
"""A gold type and the predicted type that it was taken for."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The counts of any number of documents of one slice.

    `Evidence()` is neutral and `merge` is associative and commutative; entries that would hold only
    zeros are left out, so that equal counts are equal values.
    """

    counts: SliceCounts = field(default_factory=SliceCounts)
    types: Mapping[str, TypeCounts] = field(default_factory=dict)
    outputs: Mapping[Output, OutputCounts] = field(default_factory=dict)
    leaks: Mapping[Leaking, TypeLeaks] = field(default_factory=dict)
    confusion: Mapping[Confusion, int] = field(default_factory=dict)

    def merge(self, other: Evidence) -> Evidence:
        """Return the evidence of both populations together."""
        return Evidence(
            SliceCounts(*map(add, self.counts, other.counts)),
            _added(self.types, other.types),
            _added(self.outputs, other.outputs),
            _added(self.leaks, other.leaks),
            {
                key: self.confusion.get(key, 0) + other.confusion.get(key, 0)
                for key in self.confusion.keys() | other.confusion.keys()
            },
        )

    def output(self, name: Output) -> OutputCounts:
        """Return the counts of one output, zeros where nothing was seen."""
        return self.outputs.get(name, OutputCounts())

    def leaking(self, name: Output, type_: str) -> TypeLeaks:
        """Return what leaks of one gold type from one output."""
        return self.leaks.get((name, type_), TypeLeaks())

    @property
    def paired_miss(self) -> int:
        """Gold spans left without a partner when each span is paired at most once."""
        return sum(row.fn for row in self.types.values()) - self._pairs

    @property
    def paired_extra(self) -> int:
        """Predictions left without a partner when each span is paired at most once."""
        return sum(row.fp for row in self.types.values()) - self._pairs

    @property
    def _pairs(self) -> int:
        counts = self.counts
        return counts.paired_shift + counts.paired_wrong_type + counts.paired_shift_and_type


_Key = TypeVar("_Key")
_Row = TypeVar("_Row", TypeCounts, OutputCounts, TypeLeaks)


def _added(first: Mapping[_Key, _Row], second: Mapping[_Key, _Row]) -> dict[_Key, _Row]:
    total = dict(first)
    for key, row in second.items():
        known = total.get(key)
        total[key] = row if known is None else type(row)(*map(add, known, row))
    return total
