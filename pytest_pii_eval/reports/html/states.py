"""The geometry of the states of gold spans, one bar in parts, with extras beside it on the same scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

WIDTH: Final = 320
LEFT, SPAN = 2.0, 316.0
_LEGEND_TOP, _LEGEND_ROW = 66, 22
STATES: Final = (
    ("exact", "exact: span and type"),
    ("shift", "shift: own type, other bounds"),
    ("wrong_type", "wrong type"),
    ("miss", "miss: nothing overlaps"),
)
EXTRA: Final = ("extra", "extra: overlaps no gold")


class Part(NamedTuple):
    """One part of a bar, left to right."""

    state: str
    x: float
    length: float


class Key(NamedTuple):
    """One row of the legend: state, words, count, and where it stands."""

    state: str
    text: str
    number: str
    y: int


class States(NamedTuple):
    """The bar of gold in its states, the bar of extras, and the legend with every count."""

    width: int
    height: int
    parts: tuple[Part, ...]
    extra: Part | None
    keys: tuple[Key, ...]


def states(counts: Mapping[str, int]) -> States:
    """Return the plot of the counts `exact`, `shift`, `wrong_type`, `miss` and `extra`."""
    gold = sum(counts[state] for state, _ in STATES)
    whole = max(gold, counts["extra"], 1)
    parts: list[Part] = []
    before = 0
    for state, _ in STATES:
        if counts[state]:
            x = LEFT + SPAN * (before / whole)
            parts.append(Part(state, round(x, 1), round(SPAN * (counts[state] / whole), 1)))
        before += counts[state]
    length = round(SPAN * (counts["extra"] / whole), 1)
    extra = Part("extra", LEFT, length) if counts["extra"] else None
    keys = tuple(
        Key(state, words, f"{counts[state]:,}", _LEGEND_TOP + ordinal * _LEGEND_ROW)
        for ordinal, (state, words) in enumerate((*STATES, EXTRA))
    )
    return States(WIDTH, _LEGEND_TOP + len(keys) * _LEGEND_ROW, tuple(parts), extra, keys)
