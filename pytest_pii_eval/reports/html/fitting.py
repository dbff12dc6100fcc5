"""Cutting a name to the room that a plot has for it; its table holds the whole."""

from __future__ import annotations

import unicodedata
from typing import Final

from pytest_pii_eval.reports.words import inert

_BROAD: Final = frozenset("MW@%mw")
"""Letters that take nearly two columns where letters differ in width."""


def fitted(name: str, columns: int) -> str:
    """Return `name`, made harmless, in at most so many columns; broad characters take two, marks none.

    Marks are kept for a quarter of the columns: a name of marks alone must not tower over its plot.
    """
    kept: list[str] = []
    room, marks = columns, columns // 4
    shown = inert(name)
    for ordinal, character in enumerate(shown):
        width = _width(character)
        if not width:
            marks -= 1
            if marks >= 0:
                kept.append(character)
            continue
        if width > room or (width == room and ordinal + 1 < len(shown)):
            return "".join(kept) + "…"
        kept.append(character)
        room -= width
    return "".join(kept)


def columns_of(text: str) -> int:
    """Return how many columns `text` takes."""
    return sum(map(_width, text))


def _width(character: str) -> int:
    if unicodedata.category(character) in {"Mn", "Me"}:
        return 0
    return 2 if character in _BROAD or unicodedata.east_asian_width(character) in {"W", "F"} else 1
