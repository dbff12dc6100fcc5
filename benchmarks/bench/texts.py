"""Invented names, words and texts, the same for a seed; no files."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_CONSONANTS = "bcdfghjklmnprstvwz"
_VOWELS = "aeiou"
_WORDS = "please ask about the draft before noon tomorrow and send it back to order number".split()  # noqa: SIM905  # reads as text
_WORDS += "with many thanks 12 2024 Monday re-sent A7 floor EU".split()  # noqa: SIM905  # reads as text
_ACCENTED = ["naïve", "Zürich", "“draft”", "—", "résumé", "Łódź"]
_NAME_SHARE = 0.02
_CODE_SHARE = 0.01
TEXT_LENGTH = 1_500


def seeded(seed: int = 7) -> random.Random:
    """Return dice that always fall the same way."""
    return random.Random(seed)  # noqa: S311  # a repeatable workload, nothing secret


def word(dice: random.Random) -> str:
    """Return a word of two or three syllables with a capital."""
    pairs = (dice.choice(_CONSONANTS) + dice.choice(_VOWELS) for _ in range(dice.choice((2, 3))))
    return "".join(pairs).capitalize()


def people(count: int, dice: random.Random) -> list[tuple[str, str]]:
    """Return `count` different pairs of a first and a last name."""
    found: dict[tuple[str, str], None] = {}
    while len(found) < count:
        found[word(dice), word(dice)] = None
    return list(found)


def sentence(dice: random.Random, shortest: int = 6, longest: int = 16) -> str:
    """Return a few words, some with accents."""
    return " ".join(dice.choices(_WORDS + _ACCENTED, k=dice.randint(shortest, longest)))


def texts(names: Sequence[str], count: int, *, accents: bool) -> list[str]:
    """Return texts of `TEXT_LENGTH` characters of common words, with a name or a code now and then."""
    dice = seeded()
    words = _WORDS + _ACCENTED if accents else _WORDS
    return [_text(names, words, dice) for _ in range(count)]


def _text(names: Sequence[str], words: Sequence[str], dice: random.Random) -> str:
    parts: list[str] = []
    length = 0
    while length < TEXT_LENGTH:
        odd = dice.random()
        if odd < _NAME_SHARE:
            parts.append(dice.choice(names))
        elif odd < _NAME_SHARE + _CODE_SHARE:
            parts.append(f"AB-{dice.randrange(10_000, 99_999)}")
        else:
            parts.append(dice.choice(words))
        length += len(parts[-1]) + 1
    return " ".join(parts)
