"""Near-duplicates over two parts: pairs of texts with mostly the same shingles; never all are compared."""

from __future__ import annotations

from functools import lru_cache
from heapq import nsmallest
from itertools import islice, product
from typing import TYPE_CHECKING, Final, NamedTuple, final

from pytest_pii_eval.freezes.shingles import KEPT, shingles_of, sketch_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from fractions import Fraction

    from pytest_pii_eval.freezes.shingles import Sketch

SHOWN: Final = 10
"""How many pairs are named."""

COMMON: Final = 100
"""Texts that a shingle leads to; further ones that have it are found by their other shingles alone."""

_DOUBT: Final = 0.3
"""How far the estimate of a similarity from 64 hashes may be off: five standard deviations at worst."""

_READ: Final = 4


class Spot(NamedTuple):
    """Where a document lies: part, file of the part, line from 1; offset and size of its row in bytes."""

    part: int
    file: int
    line: int
    offset: int
    size: int


class Alike(NamedTuple):
    """How many pairs of documents in two parts are alike, the first, and how many shingles are common."""

    pairs: int
    first: list[tuple[Spot, Spot]]
    common: int


class _Shape(NamedTuple):
    """All documents that have the same shingles, by their part."""

    sketch: Sketch
    members: dict[int, list[Spot]]


@final
class NearDuplicates:
    """Finds pairs over two parts with a Jaccard similarity of shingles of at least `near`.

    Documents come by `add`, those of one part in order. Texts of up to 64 shingles are compared exactly by
    what is kept of them; longer ones that seem alike are read again by `text_at`. Pairs of texts that have
    nothing among their 64 smallest hashes in common are not found: with `near` 0.8, one in 10^44.
    """

    def __init__(self, near: Fraction, text_at: Callable[[Spot], str]) -> None:
        self._near = near
        self._text_at = text_at
        self._shapes: dict[bytes, _Shape] = {}

    def add(self, spot: Spot, text: str) -> None:
        """Take the document at `spot`."""
        sketch = sketch_of(text)
        shape = self._shapes.get(sketch.fingerprint)
        if shape is None:
            shape = self._shapes[sketch.fingerprint] = _Shape(sketch, {})
        shape.members.setdefault(spot.part, []).append(spot)

    def found(self) -> Alike:
        """Return what is alike."""
        tally = _Tally()
        shapes = list(self._shapes.values())
        for one in shapes:
            tally.add_same(one)
        index = _Index(self._near)
        full = lru_cache(_READ)(lambda number: self._full(shapes[number]))
        for number, one in enumerate(shapes):
            ours = set(one.sketch.smallest)
            for candidate in index.met_before(number, one):
                other = shapes[candidate]
                if not _parted(one, other) or not self._may_be_alike(one.sketch, ours, other.sketch):
                    continue
                if _is_whole(one.sketch, other.sketch) or self._reaches(full(candidate), full(number)):
                    tally.add(other, one)
        return Alike(tally.pairs, tally.first, len(index.common))

    def _may_be_alike(self, one: Sketch, ours: set[int], other: Sketch) -> bool:
        """Whether two texts are alike by what is kept of them: surely where that is all, else perhaps.

        `ours` are the hashes that are kept of the first.
        """
        both = ours.intersection(other.smallest)
        if _is_whole(one, other):
            return self._suffice(len(both), one.size + other.size)
        large = max(one.size, other.size)
        if min(one.size, other.size) < self._near * large:
            return False
        least = float(self._near) - _DOUBT
        if len(both) < least * min(KEPT, large):
            return False
        lowest = sorted(ours.union(other.smallest))[:KEPT]
        return sum(number in both for number in lowest) >= least * len(lowest)

    def _suffice(self, both: int, sizes: int) -> bool:
        """Whether sets of these sizes together are alike where they have `both` elements in common."""
        return both * self._near.denominator >= self._near.numerator * (sizes - both)

    def _reaches(self, ours: set[int], theirs: set[int]) -> bool:
        return self._suffice(len(ours & theirs), len(ours) + len(theirs))

    def _full(self, shape: _Shape) -> set[int]:
        return shingles_of(self._text_at(next(iter(shape.members.values()))[0]))


@final
class _Index:
    """Shapes by the shingles that one alike must have one of (the prefix filter of set similarity joins)."""

    def __init__(self, near: Fraction) -> None:
        self._near = near
        self._numbers: dict[int, list[int]] = {}
        self.common: set[int] = set()

    def met_before(self, number: int, shape: _Shape) -> set[int]:
        """Return the shapes that came before and may be alike, and add this one as `number`."""
        met: set[int] = set()
        size = shape.sketch.size
        # Of a text that is alike, all but this many of our smallest hashes could be missing, and no more.
        needed = size - -(-size * self._near.numerator // self._near.denominator) + 1
        for shingle in shape.sketch.smallest[:needed]:
            numbers = self._numbers.setdefault(shingle, [])
            met.update(numbers)
            if len(numbers) < COMMON:
                numbers.append(number)
            else:
                self.common.add(shingle)
        return met


@final
class _Tally:
    """Counts pairs of documents in two parts, and keeps the first."""

    def __init__(self) -> None:
        self.pairs = 0
        self.first: list[tuple[Spot, Spot]] = []

    def add_same(self, shape: _Shape) -> None:
        """Count the pairs of documents that have one shape."""
        parts = sorted(shape.members)
        for at, part in enumerate(parts):
            for other in parts[at + 1 :]:
                self._count(shape.members[part], shape.members[other])

    def add(self, one: _Shape, other: _Shape) -> None:
        """Count the pairs of documents of which each has one of two shapes."""
        for ours, theirs in _pairs_of_parts(one, other):
            self._count(ours, theirs)

    def _count(self, ours: list[Spot], theirs: list[Spot]) -> None:
        self.pairs += len(ours) * len(theirs)
        if len(self.first) == SHOWN and (ours[0], theirs[0]) > self.first[-1]:
            return
        # The first of a product of two sorted lists come first in it.
        self.first = nsmallest(SHOWN, [*self.first, *islice(product(ours, theirs), SHOWN)])


def _pairs_of_parts(one: _Shape, other: _Shape) -> Iterator[tuple[list[Spot], list[Spot]]]:
    for part, ours in one.members.items():
        for their_part, theirs in other.members.items():
            if part != their_part:
                yield (ours, theirs) if part < their_part else (theirs, ours)


def _parted(one: _Shape, other: _Shape) -> bool:
    """Whether two shapes have documents in two parts."""
    return len(one.members) > 1 or len(other.members) > 1 or one.members.keys() != other.members.keys()


def _is_whole(one: Sketch, other: Sketch) -> bool:
    """Whether all shingles of both are kept."""
    return one.size <= KEPT and other.size <= KEPT
