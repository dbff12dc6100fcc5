"""Exact one-to-one matching: which prediction credits which gold span; overlaps are judged elsewhere."""

from __future__ import annotations

from collections import Counter
from itertools import repeat
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pytest_pii_eval.scoring.ranges import by_start

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_pii_eval.contracts.spans import Identity
    from pytest_pii_eval.scoring.line import Placed, PlacedGold

Key: TypeAlias = tuple[int, int, str]
"""Start, end and type: what an exact match compares."""


_key = itemgetter(0, 1, 2)


class Matched(NamedTuple):
    """The prediction that credits each gold span, those that credit none, by start, and repeats.

    `duplicates` counts the predictions that say again what an earlier one of their document said.
    """

    mates: list[Placed | None]
    spare: list[Placed]
    duplicates: int


def match(golds: Sequence[PlacedGold], predictions: Sequence[Placed], crowd: Sequence[PlacedGold]) -> Matched:
    """Match gold spans and predictions of equal start, end and type, one to one.

    Where several predictions could credit a gold span, one with its canonical identity is taken.
    `crowd` holds the gold spans that overlap another one, and so all that are equal to another one.
    """
    found: dict[Key, Placed] = dict(zip(map(_key, predictions), predictions, strict=True))
    duplicates = len(predictions) - len(found)
    contested = _repeated(crowd)
    if duplicates:
        contested |= _repeated(predictions)
    mates: list[Placed | None] = list(map(found.pop, map(_key, golds), repeat(None)))
    if not contested:
        return Matched(mates, list(found.values()), duplicates)
    spare = [prediction for key, prediction in found.items() if key not in contested]
    spare += _settle(mates, golds, [one for one in predictions if one[:3] in contested], contested)
    return Matched(mates, sorted(spare, key=by_start), duplicates)


def agree(expected: Identity | None, given: Identity | None) -> bool:
    """Tell whether entity and name agree; the pattern is no part of a canonical identity."""
    return expected == given or (expected is not None and given is not None and expected[:2] == given[:2])


def _repeated(spans: Iterable[Placed | PlacedGold]) -> set[Key]:
    return {key for key, number in Counter(map(_key, spans)).items() if number > 1}


def _settle(
    mates: list[Placed | None],
    golds: Sequence[PlacedGold],
    predictions: Sequence[Placed],
    contested: set[Key],
) -> list[Placed]:
    """Match anew what has a contested key, by identity first; return the predictions left over."""
    pools: dict[Key, dict[tuple[str, ...], list[Placed]]] = {key: {} for key in contested}
    for prediction in predictions:
        pools[prediction[:3]].setdefault((prediction[3] or ())[:2], []).append(prediction)
    open_ = [index for index, gold in enumerate(golds) if gold[:3] in contested]
    for index in open_:
        gold = golds[index]
        mates[index] = _take(pools[gold[:3]], gold[3][:2]) if gold[3] else None
    # What is left credits uncataloged spans first, so that it names one wrongly only where it must.
    for index in sorted(open_, key=lambda index: golds[index][3] is not None):
        if mates[index] is None:
            pool = pools[golds[index][:3]]
            mates[index] = _take(pool, next(iter(pool))) if pool else None
    return [prediction for pool in pools.values() for rest in pool.values() for prediction in rest]


def _take(pool: dict[tuple[str, ...], list[Placed]], identity: tuple[str, ...]) -> Placed | None:
    waiting = pool.get(identity)
    if not waiting:
        return None
    prediction = waiting.pop()
    if not waiting:
        del pool[identity]
    return prediction
