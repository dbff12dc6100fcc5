"""The geometry of a table of counts as a heat map: gold types down, what they were taken for across."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.reports.html.fitting import columns_of, fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST: Final = 20
"""Rows and columns of a heat map; the table beneath it holds every pair."""

NOTHING: Final = "(nothing)"
_CELL_WIDTH, _CELL_HEIGHT, _COLUMNS = 52, 34, 16
_LEAN, _STEPS = 84, 5


class Square(NamedTuple):
    """One cell: its count, and how deep it is, from 0 (empty) to 5 (all of its row)."""

    x: int
    y: int
    text: str
    depth: int
    own: bool


class Head(NamedTuple):
    """The label of a row or column, and where it stands."""

    text: str
    x: int
    y: int


class HeatMap(NamedTuple):
    """Squares in rows; `cut` tells that rows or columns are left out."""

    width: int
    height: int
    cell_width: int
    cell_height: int
    rows: tuple[Head, ...]
    columns: tuple[Head, ...]
    squares: tuple[Square, ...]
    cut: bool


def heat_map(counts: Mapping[str, Mapping[str, int]]) -> HeatMap:
    """Return the plot of `counts` by gold type and type taken for; of too many, the largest are drawn."""
    sums = Counter({gold: sum(row.values()) for gold, row in counts.items()})
    downs = sorted(_most(sums))
    across = _sums_across(counts)
    columns = across_of(counts)
    side, head = _margins(downs, columns)
    squares = tuple(
        _square(
            counts[gold].get(taken, 0),
            sums[gold],
            (side + j * _CELL_WIDTH, head + i * _CELL_HEIGHT),
            gold == taken,
        )
        for i, gold in enumerate(downs)
        for j, taken in enumerate(columns)
    )
    middle = head + _CELL_HEIGHT // 2 + 3
    return HeatMap(
        side + len(columns) * _CELL_WIDTH + _LEAN,
        head + len(downs) * _CELL_HEIGHT + 4,
        _CELL_WIDTH - 2,
        _CELL_HEIGHT - 2,
        tuple(
            Head(fitted(one, _COLUMNS), side - 8, middle + i * _CELL_HEIGHT) for i, one in enumerate(downs)
        ),
        tuple(
            Head(fitted(one, _COLUMNS), side + j * _CELL_WIDTH + 26, head - 8)
            for j, one in enumerate(columns)
        ),
        squares,
        cut=len(sums) > len(downs) or len(across) > len(columns),
    )


def across_of(counts: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Return what is drawn across: gold types by name, then other types, nothing last."""
    most = _most(_sums_across(counts))
    return sorted(most, key=lambda name: (name == NOTHING, name not in counts, name))


def _sums_across(counts: Mapping[str, Mapping[str, int]]) -> Counter[str]:
    across: Counter[str] = Counter()
    for row in counts.values():
        across.update(row)
    return across


def _most(sums: Counter[str]) -> list[str]:
    """Return the names with the largest counts, of equals the first by name."""
    return sorted(sums, key=lambda name: (-sums[name], name))[:MOST]


def _margins(downs: list[str], columns: list[str]) -> tuple[int, int]:
    """Return the room that labels need left of the squares, and, leaning, above them."""
    left = max((columns_of(fitted(one, _COLUMNS)) for one in downs), default=0)
    above = max((columns_of(fitted(one, _COLUMNS)) for one in columns), default=0)
    return 16 + 8 * left, 24 + 5 * above


def _square(number: int, whole: int, place: tuple[int, int], own: bool) -> Square:  # noqa: FBT001  # one of four facts of a square
    depth = -(-number * _STEPS // whole) if whole else 0
    return Square(*place, f"{number:,}" if number else "·", min(depth, _STEPS), own)
