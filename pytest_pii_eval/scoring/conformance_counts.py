"""Counts of conformance by entity and by tag: they add up, and travel as short lists of integers."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@final
class ClassCounts:
    """Counts of expected records of one entity, and of negative cases in which it matched."""

    __slots__ = ("correctly_mapped", "missed", "unexpected_negative_matches", "witnesses", "wrong_canonical")

    def __init__(self) -> None:
        self.correctly_mapped = 0
        self.missed = 0
        self.wrong_canonical = 0
        self.unexpected_negative_matches = 0
        self.witnesses: set[int] = set()

    def merge(self, other: ClassCounts) -> None:
        """Add the counts of `other`; a pattern that both saw has one witness."""
        self.correctly_mapped += other.correctly_mapped
        self.missed += other.missed
        self.wrong_canonical += other.wrong_canonical
        self.unexpected_negative_matches += other.unexpected_negative_matches
        self.witnesses |= other.witnesses

    def packed(self) -> list[int]:
        """Return four counts, then the patterns with a witness as runs of indices, half-open."""
        return [
            self.correctly_mapped,
            self.missed,
            self.wrong_canonical,
            self.unexpected_negative_matches,
            *_runs(self.witnesses),
        ]

    @classmethod
    def unpacked(cls, numbers: Sequence[int]) -> ClassCounts:
        """Return the counts that `packed` wrote."""
        counts = cls()
        (
            counts.correctly_mapped,
            counts.missed,
            counts.wrong_canonical,
            counts.unexpected_negative_matches,
        ) = numbers[:4]
        for start, stop in zip(numbers[4::2], numbers[5::2], strict=True):
            counts.witnesses.update(range(start, stop))
        return counts


@final
class TagCounts:
    """Counts of cases that carry one tag, and of those among them that failed."""

    __slots__ = ("failed_positive_cases", "negative_cases", "positive_cases", "unexpected_negative_matches")

    def __init__(self) -> None:
        self.positive_cases = 0
        self.failed_positive_cases = 0
        self.negative_cases = 0
        self.unexpected_negative_matches = 0

    def merge(self, other: TagCounts) -> None:
        """Add the counts of `other`."""
        self.positive_cases += other.positive_cases
        self.failed_positive_cases += other.failed_positive_cases
        self.negative_cases += other.negative_cases
        self.unexpected_negative_matches += other.unexpected_negative_matches

    def packed(self) -> list[int]:
        """Return the four counts."""
        return [
            self.positive_cases,
            self.failed_positive_cases,
            self.negative_cases,
            self.unexpected_negative_matches,
        ]

    @classmethod
    def unpacked(cls, numbers: Sequence[int]) -> TagCounts:
        """Return the counts that `packed` wrote."""
        counts = cls()
        (
            counts.positive_cases,
            counts.failed_positive_cases,
            counts.negative_cases,
            counts.unexpected_negative_matches,
        ) = numbers
        return counts


def _runs(indices: Iterable[int]) -> list[int]:
    """Return `indices` as start and stop of each unbroken run, one after another."""
    runs: list[int] = []
    for index in sorted(indices):
        if runs and runs[-1] == index:
            runs[-1] = index + 1
        else:
            runs += (index, index + 1)
    return runs
