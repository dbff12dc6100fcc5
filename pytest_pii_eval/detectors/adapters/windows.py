"""Cutting a long sequence of words into overlapping windows so that each word has one window that owns it."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Window(NamedTuple):
    """Words `start` to `end`, half-open, of which it owns `first` to `last`, half-open.

    Every word has exactly one owner. Where two windows overlap, each owns the half that lies deeper in it.
    """

    start: int
    end: int
    first: int
    last: int


class Limits(NamedTuple):
    """What a window may hold: `words`, and tokens up to `tokens`; `overlap` is in words."""

    words: int
    tokens: int
    overlap: int


def windows(costs: Sequence[int], limits: Limits) -> Iterator[Window]:
    """Yield the windows over words of `costs` tokens each, in order.

    Two windows share `limits.overlap` words, or half the earlier one where that is less, or fewer where the
    next word would not fit otherwise. A word that is longer than a window is alone in one.
    """
    total = list(accumulate(costs, initial=0))
    first = start = 0
    while start < len(costs):
        end = _end(total, start, limits)
        if end == len(costs):
            yield Window(start, end, first, end)
            return
        following = _start(total, (start, end), limits)
        last = following + (end - following) // 2
        yield Window(start, end, first, last)
        first, start = last, following


def _end(total: Sequence[int], start: int, limits: Limits) -> int:
    """Return the end of the window from `start`: at least one word, as many as fit."""
    end = start + 1
    while end < min(len(total) - 1, start + limits.words) and total[end + 1] - total[start] <= limits.tokens:
        end += 1
    return end


def _start(total: Sequence[int], window: tuple[int, int], limits: Limits) -> int:
    """Return the start of the window after one, so that it reaches further than that one."""
    start, end = window
    following = end - min(limits.overlap, (end - start) // 2)
    while following < end and total[end + 1] - total[following] > limits.tokens:
        following += 1
    return following
