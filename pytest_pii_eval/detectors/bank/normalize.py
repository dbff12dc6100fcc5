"""Text in a Unicode normal form, and the way back from its places to the places of the source."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

Form = Literal["NFC", "NFKC"]

_DECOMPOSED: dict[Form, Literal["NFD", "NFKD"]] = {"NFC": "NFD", "NFKC": "NFKD"}

# No character beyond has a decomposition into others.
_LAST_COMPOSED = 0x2FA1F
_JAMO_VOWELS_AND_TAILS = (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))


class Normalized(NamedTuple):
    """A normalized text with, for each of its places, a place of the source, all in code points.

    What starts at place `i` starts at `start_of[i]` of the source, what ends there ends at `end_of[i]`. The
    source falls into clusters that normalize one by one; where one changed, its whole is covered.
    """

    text: str
    start_of: list[int]
    end_of: list[int]


def normalize(text: str, form: Form) -> Normalized | None:
    """Return `text` in the normal form, or None where it is in that form already."""
    if unicodedata.is_normalized(form, text):
        return None
    parts: list[str] = []
    start_of: list[int] = []
    end_of: list[int] = [0]
    for start, end in pairwise(_borders(text, form)):
        source = text[start:end]
        part = unicodedata.normalize(form, source)
        parts.append(part)
        if part == source:
            start_of.extend(range(start, end))
            end_of.extend(range(start + 1, end + 1))
        else:
            start_of.extend([start] * len(part))
            end_of.extend([end] * len(part))
    return Normalized("".join(parts), [*start_of, len(text)], end_of)


def _borders(text: str, form: Form) -> list[int]:
    """Return the places between which `text` normalizes piece by piece, its start and end among them."""
    return [0, *(place for place in range(1, len(text)) if not _joins(text[place], form)), len(text)]


@lru_cache(maxsize=65_536)
def _joins(character: str, form: Form) -> bool:
    """Say whether a character may reorder or compose with what stands before it."""
    first = unicodedata.normalize(_DECOMPOSED[form], character)[0]
    return any(unicodedata.combining(one) or one in _seconds() for one in (first, character))


@lru_cache(maxsize=1)
def _seconds() -> frozenset[str]:
    """Return every character that some composition has in second place."""
    found = {chr(point) for point in _JAMO_VOWELS_AND_TAILS}
    for point in range(_LAST_COMPOSED + 1):
        parts = unicodedata.decomposition(chr(point)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):  # noqa: PLR2004  # canonical pair
            found.add(chr(int(parts[1], 16)))
    return frozenset(found)
