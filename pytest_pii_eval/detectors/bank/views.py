"""A text as the literals see it: with white space runs collapsed, or case folded, or both."""

from __future__ import annotations

from bisect import bisect_right
from typing import final

from pytest_pii_eval.detectors.bank.folding import fold
from pytest_pii_eval.detectors.bank.words import collapse, long_runs


def view_of(text: str, *, collapsed: bool, folded: bool) -> str:
    """Return what a literal of this value has to be looked up as."""
    spaced = collapse(text) if collapsed else text
    return fold(spaced) if folded else spaced


@final
class Shift:
    """Leads from places in a collapsed text back to the text, for places beside no white space."""

    __slots__ = ("_edges", "_shifts")

    def __init__(self, text: str) -> None:
        self._edges: list[int] = []
        self._shifts: list[int] = [0]
        dropped = 0
        for start, end in long_runs(text):
            self._edges.append(start - dropped + 1)
            dropped += end - start - 1
            self._shifts.append(dropped)

    def __call__(self, place: int) -> int:
        """Return the place of the text at which the character at `place` of the collapsed text stands."""
        return place + self._shifts[bisect_right(self._edges, place)]
