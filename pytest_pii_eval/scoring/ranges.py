"""Interval arithmetic: unions of ranges and how much of a span they cover.

All positions are code points, half-open. `Ranges` is a pair of equally long lists, starts and
ends, sorted, disjoint and not touching; every function is linear or linearithmic in what it is given.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate
from operator import itemgetter, sub
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_pii_eval.contracts.spans import Range
    from pytest_pii_eval.scoring.line import Placed, PlacedGold

    Spanned: TypeAlias = Placed | PlacedGold | Range

Ranges: TypeAlias = tuple[list[int], list[int]]

by_start = itemgetter(0)
"""Sort key of a span. Ties need none: no figure depends on the order of spans with one start."""


def union(spans: Iterable[Spanned]) -> Ranges:
    """Return the union of `spans`, which must be sorted by start; touching spans become one range."""
    starts: list[int] = []
    ends: list[int] = []
    reach = -1
    for span in spans:
        start = span[0]
        end = span[1]
        if start > reach:
            starts.append(start)
            ends.append(end)
            reach = end
        elif end > reach:
            ends[-1] = reach = end
    return starts, ends


def size(ranges: Ranges) -> int:
    """Return the number of characters in `ranges`."""
    return sum(ranges[1]) - sum(ranges[0])


def shared(first: Ranges, second: Ranges) -> int:
    """Return the number of characters in both."""
    total = 0
    starts, ends = second
    at = 0
    for start, end in zip(*first, strict=True):
        while at < len(ends) and ends[at] <= start:
            at += 1
        while at < len(starts) and starts[at] < end:
            total += min(end, ends[at]) - max(start, starts[at])
            if ends[at] > end:
                break
            at += 1
    return total


def covered(spans: Iterable[Spanned], ranges: Ranges) -> list[int]:
    """Return, for each of `spans`, how many of its characters lie in `ranges`."""
    starts, ends = ranges
    amounts: list[int] = []
    before: list[int] = []
    for span in spans:
        start = span[0]
        end = span[1]
        first = bisect_right(ends, start)
        last = bisect_left(starts, end, first)
        if first == last:
            amounts.append(0)
            continue
        if last - first == 1:
            whole = ends[first] - starts[first]
        else:
            before = before or list(accumulate(map(sub, ends, starts), initial=0))
            whole = before[last] - before[first]
        amounts.append(whole - max(0, start - starts[first]) - max(0, ends[last - 1] - end))
    return amounts


def untouched(spans: Iterable[Placed], ranges: Ranges) -> list[bool]:
    """Return, for each of `spans`, whether none of its characters lies in `ranges`."""
    starts, ends = ranges
    return [bisect_left(starts, span[1]) == bisect_right(ends, span[0]) for span in spans]
