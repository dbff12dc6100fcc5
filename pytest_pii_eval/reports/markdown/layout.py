"""Parts of a page and how they are fitted into a size; what they say is decided elsewhere."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LIMIT: Final = 58_000
"""UTF-16 units that a page may have: a comment on GitHub holds 65,536, and ours stay under 60,000."""

MOST_ROWS: Final = 600
"""Rows of a table that are made at all: more would not fit."""

_LONGEST_LINE: Final = 3_500
_WIDEST: Final = 44
_NOTE: Final = 100  # room for the line that says how much is left out
_TOO_LONG: Final = "(a line that is too long to be shown)"


class Part(NamedTuple):
    """A piece of a page: the lines before its rows, the rows, of which some may not fit, and those after.

    `total` counts the rows there are, `share` the units that the part has at least a right to.
    """

    opening: tuple[str, ...]
    rows: tuple[str, ...]
    closing: tuple[str, ...]
    total: int
    share: int


def section(title: str, rows: Sequence[str], *, total: int | None = None, share: int = 4_000) -> Part:
    """Return a list under a heading."""
    lines = tuple(f"- {one}" for one in rows)
    return Part(("", f"### {title}", ""), lines, (), len(rows) if total is None else total, share)


def table(
    title: str,
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    total: int,
    share: int = 4_000,
) -> Part:
    """Return a table that is folded under its title, its columns padded so that it reads raw."""
    cells = [tuple(row) for row in islice(rows, MOST_ROWS)]
    widths = [min(_WIDEST, max(map(len, column))) for column in zip(header, *cells, strict=True)]
    rule = tuple("-" * max(width, 3) for width in widths)
    head = tuple(_line(row, widths) for row in (tuple(header), rule))
    lines = tuple(_line(row, widths) for row in cells)
    summary = f"<details><summary>{title} ({total:,})</summary>"
    return Part(("", summary, "", *head), lines, ("", "</details>"), total, share)


def text_of(head: Sequence[str], parts: Sequence[Part], foot: Sequence[str]) -> str:
    """Return the page: head and foot whole, and of each part as many rows as fit, the first ones first."""
    head, foot = [_short(line) for line in head], [_short(line) for line in foot]
    budgets = _budgets(parts, LIMIT - _size(head) - _size(foot))
    fitted = (line for part, budget in zip(parts, budgets, strict=True) for line in _fitted(part, budget))
    return "\n".join([*head, *fitted, *foot]) + "\n"


def _budgets(parts: Sequence[Part], room: int) -> list[int]:
    """Give each part what it needs up to its share, then what is left to those that need more, in order."""
    sizes = [_size([*part.opening, *part.rows, *part.closing]) + _NOTE for part in parts]
    budgets, room = [0] * len(parts), max(room, 0)
    for wanted in ([min(size, part.share) for size, part in zip(sizes, parts, strict=True)], sizes):
        for place, most in enumerate(wanted):
            more = min(most - budgets[place], room)
            budgets[place] += more
            room -= more
    return budgets


def _fitted(part: Part, budget: int) -> list[str]:
    """Return the lines of a part in at most `budget` units, or none where not even its frame fits."""
    rows, used = [], _size([*part.opening, *part.closing]) + _NOTE
    if used > budget:
        return []
    for row in part.rows:
        shown = _short(row)
        used += _size([shown])
        if used > budget:
            break
        rows.append(shown)
    missing = part.total - len(rows)
    note = ["", f"{missing:,} more rows are left out here; the JSON report has them."] if missing > 0 else []
    return [*part.opening, *rows, *note, *part.closing]


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    return f"| {' | '.join(f'{cell:<{width}}' for cell, width in zip(row, widths, strict=True))} |"


def _short(line: str) -> str:
    return line if len(line) <= _LONGEST_LINE else line[:2] + _TOO_LONG  # what starts an item or a row stays


def _size(lines: Iterable[str]) -> int:
    return sum(len(line.encode("utf-16-le")) // 2 + 1 for line in lines)
