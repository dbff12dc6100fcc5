"""Which group of documents goes into which part: whole groups, sizes near to what was asked; pure."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, final

from pytest_pii_eval.contracts.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


class Part(NamedTuple):
    """A part as it was asked for: a `share` of all, a number of `documents`, or neither of them: the rest."""

    name: str
    asked: str
    share: Fraction | None = None
    documents: int | None = None

    @property
    def is_rest(self) -> bool:
        """Whether it takes what the others leave."""
        return self.share is None and self.documents is None


class _Exchange(NamedTuple):
    """A group that goes to another part, and one that comes back for it, if any: sizes, and what it gains."""

    gain: int
    giver: int
    taker: int
    given: int
    taken: int


def check_parts(parts: Sequence[Part]) -> None:
    """Raise `Fault` where these parts make no split, whatever is split."""
    names = [part.name.casefold() for part in parts]  # on some disks, two such folders are one
    if len(parts) < 2:  # noqa: PLR2004  # or it is no split
        raise Fault("give two parts or more")
    for part, name in zip(parts, names, strict=True):
        if names.count(name) > 1:
            raise Fault(f"the part {part.name} is given twice")
    if sum(part.is_rest for part in parts) > 1:
        raise Fault("only one part can be the rest")
    if sum(part.share or 0 for part in parts) > 1:
        raise Fault("the shares of the parts sum to more than 1")


def targets(parts: Sequence[Part], documents: int) -> list[int]:
    """Return how many of `documents` each part should get, which is all of them; raises `Fault`."""
    exact = [documents * part.share if part.share else Fraction(part.documents or 0) for part in parts]
    left = documents - sum(exact, Fraction(0))
    if left < 0:
        raise Fault(f"the parts ask for more than the {documents:,} documents that there are")
    if left and not any(part.is_rest for part in parts):
        raise Fault(f"the parts leave some of the {documents:,} documents out; make one of them the rest")
    if any(part.is_rest for part in parts):
        exact[[part.is_rest for part in parts].index(True)] = left
    whole = [int(size) for size in exact]
    by_rest = sorted(range(len(parts)), key=lambda at: whole[at] - exact[at])
    for at in by_rest[: documents - sum(whole)]:
        whole[at] += 1
    return whole


def assigned(sizes: Mapping[str, int], wanted: Sequence[int], seed: str) -> dict[str, int]:
    """Return the number of the part of each group; `sizes` are documents by group, in any order.

    Groups come in the order of the SHA-256 of `seed`, a zero byte and their id, and each goes to the part
    that is filled least. Those that fit nowhere any more come last, and go where most is missing. Then groups
    change places for as long as that brings sizes nearer to `wanted`. A part may get none.
    """
    filling = _Filling(sizes, wanted)
    late = [group for group in sorted(sizes, key=lambda one: _rank(one, seed)) if not filling.fit(group)]
    for group in late:
        filling.put(group, min(range(len(wanted)), key=filling.over))
    while filling.improve():
        pass
    return dict(filling.placed())


def _rank(group: str, seed: str) -> bytes:
    return hashlib.sha256(f"{seed}\0{group}".encode()).digest()


@final
class _Filling:
    """Parts with the groups that they got so far, by size."""

    def __init__(self, sizes: Mapping[str, int], wanted: Sequence[int]) -> None:
        self._sizes = sizes
        self._wanted = wanted
        self._got = [0] * len(wanted)
        self._groups: list[dict[int, list[str]]] = [{} for _ in wanted]

    def over(self, part: int) -> int:
        """Return by how many documents a part is larger than wanted."""
        return self._got[part] - self._wanted[part]

    def placed(self) -> Iterator[tuple[str, int]]:
        """Yield each group with its part."""
        for part, by_size in enumerate(self._groups):
            for groups in by_size.values():
                for group in groups:
                    yield group, part

    def fit(self, group: str) -> bool:
        """Put `group` into the part that is filled least of those that have room for it, if any has."""
        size = self._sizes[group]
        room = [part for part in range(len(self._wanted)) if self.over(part) + size <= 0]
        if room:
            self.put(group, min(room, key=lambda part: Fraction(self._got[part], self._wanted[part])))
        return bool(room)

    def put(self, group: str, part: int) -> None:
        """Put `group` into a part."""
        size = self._sizes[group]
        self._groups[part].setdefault(size, []).append(group)
        self._got[part] += size

    def improve(self) -> bool:
        """Make the exchange that gains most, and tell whether there was one."""
        parts = range(len(self._wanted))
        every = [
            exchange
            for giver in parts
            for taker in parts
            if self.over(giver) > 0 > self.over(taker)
            for exchange in self._exchanges(giver, taker)
        ]
        best = max(every, key=self._worth, default=None)
        if best is None or best.gain <= 0:
            return False
        given = self._taken_out(best.giver, best.given)
        if best.taken:
            self.put(self._taken_out(best.taker, best.taken), best.giver)
        self.put(given, best.taker)
        return True

    def _worth(self, one: _Exchange) -> tuple[int, ...]:
        """Return what orders exchanges: among equal gains, the part that is furthest off comes first."""
        return one.gain, -self.over(one.taker), self.over(one.giver), -one.giver, -one.taker, -one.given

    def _exchanges(self, giver: int, taker: int) -> Iterator[_Exchange]:
        """Yield, for each size that `taker` can give back, the sizes that fit best in return."""
        over, under = self.over(giver), -self.over(taker)
        given = sorted(self._groups[giver])
        for back in [0, *sorted(self._groups[taker])]:
            at = bisect_left(given, back + min(over, under))
            for size in given[max(0, at - 1) : at + 1]:
                moved = size - back
                gain = over + under - abs(over - moved) - abs(under - moved)
                yield _Exchange(gain, giver, taker, size, back)

    def _taken_out(self, part: int, size: int) -> str:
        groups = self._groups[part][size]
        group = groups.pop()
        if not groups:
            del self._groups[part][size]
        self._got[part] -= size
        return group
