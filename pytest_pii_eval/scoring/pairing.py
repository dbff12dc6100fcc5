"""The one-to-one diagnostic: what is left after exact matching, paired so that each span counts once."""

from __future__ import annotations

from collections import Counter
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_pii_eval.contracts.spans import Range
    from pytest_pii_eval.scoring.line import Placed, PlacedGold


class Paired(NamedTuple):
    """Pairs of one gold span and one prediction, by what differs between the two."""

    shift: int
    wrong_type: int
    shift_and_type: int


def paired(golds: Iterable[PlacedGold], predictions: Iterable[Placed]) -> Paired:
    """Pair the gold spans and predictions that exact matching left over, each at most once.

    First spans of one type that overlap, then of another type with equal bounds, then of another type
    that overlap. Figures do not depend on the order of either side.
    """
    shift = 0
    left: tuple[list[Range], list[Range]] = ([], [])
    ours, theirs = _by_type(golds), _by_type(predictions)
    for type_ in ours.keys() | theirs.keys():
        shift += _sweep(ours.get(type_, []), theirs.get(type_, []), left)
    golds_left = Counter(left[0])
    rest: list[Range] = []
    for one in left[1]:
        if golds_left.get(one):
            golds_left[one] -= 1
        else:
            rest.append(one)
    equal = len(left[1]) - len(rest)
    return Paired(shift, equal, _sweep(list(golds_left.elements()), rest, ([], [])))


def _by_type(spans: Iterable[PlacedGold | Placed]) -> dict[str, list[Range]]:
    ranges: dict[str, list[Range]] = {}
    for span in spans:
        ranges.setdefault(span[2], []).append(span[:2])
    return ranges


def _sweep(
    golds: Sequence[Range], predictions: Sequence[Range], left: tuple[list[Range], list[Range]]
) -> int:
    """Return how many overlapping pairs are made from left to right, and put what found none in `left`.

    A range takes, of those open on the other side where it starts, the one that ends first, and of equals
    the one that starts first; so two ranges that overlap are never both left over.
    """
    if not golds or not predictions:
        left[0].extend(golds)
        left[1].extend(predictions)
        return 0
    pairs = 0
    waiting: tuple[list[Range], list[Range]] = ([], [])
    events = [(*gold, 0) for gold in golds] + [(*prediction, 1) for prediction in predictions]
    for start, end, side in sorted(events):
        others = waiting[1 - side]
        while others and others[0][0] <= start:
            left[1 - side].append(_turned(heappop(others)))
        if others:
            heappop(others)
            pairs += 1
        else:
            heappush(waiting[side], (end, start))
    for side in (0, 1):
        left[side].extend(map(_turned, waiting[side]))
    return pairs


def _turned(pair: tuple[int, int]) -> Range:
    return pair[1], pair[0]
