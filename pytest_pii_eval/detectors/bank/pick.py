"""The pick: of all places where the patterns of an entity match, those that a leftmost-first scan reports."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple, final

from pytest_pii_eval.detectors.bank.expressions import Clock, Expression, first_match

if TYPE_CHECKING:
    from pytest_pii_eval.detectors.bank.collected import Collected


class Ranked(NamedTuple):
    """An expression with its rank among the patterns of its entity and the pattern's number."""

    rank: int
    number: int
    expression: Expression


@final
class Pick:
    """The scan of one entity that has expressions: earliest start first, then rank, and on from the end.

    Each expression is searched only up to its next match, and again only when that lies before the place
    that the scan has reached.
    """

    __slots__ = ("_clock", "_collected", "_next", "_place", "_text")

    def __init__(self, text: str, clock: Clock, collected: Collected) -> None:
        self._text = text
        self._clock = clock
        self._collected = collected
        self._place = 0
        self._next: list[tuple[int, int, int, Ranked]] = []

    def add(self, one: Ranked, span: tuple[int, int]) -> None:
        """Let one more expression take part, by its first match; only before the first candidate."""
        heappush(self._next, (span[0], one.rank, span[1], one))

    def _search(self, one: Ranked) -> None:
        span = first_match(one.expression, self._text, self._place, self._clock)
        if span is not None:
            self.add(one, span)

    def offer(self, start: int, rank: int, end: int, index: int) -> None:
        """Pick what comes before this candidate, and then the candidate, if its start is still free."""
        self._settle(start, rank)
        if start >= self._place:
            self._take(start, end, index)

    def finish(self) -> None:
        """Pick what is left."""
        self._settle(len(self._text) + 1, 0)

    def _settle(self, start: int, rank: int) -> None:
        upcoming = self._next
        while upcoming and upcoming[0] < (start, rank):
            found, _, end, one = heappop(upcoming)
            if found >= self._place:
                self._take(found, end, one.number)
            self._search(one)

    def _take(self, start: int, end: int, index: int) -> None:
        self._place = end
        self._collected.add(start, end, index)
