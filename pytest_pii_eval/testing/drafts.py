"""Neutral texts with identifiers at known places; no two of one suite share a beginning, an end or a length.

So a detector that keeps answers by part of a text is caught where that is asked, and nowhere else. They are
plain lower-case words without line breaks and full stops: what splits or rewrites text finds no hold in them.
"""

from __future__ import annotations

from itertools import chain, count, cycle, islice
from typing import TYPE_CHECKING, NamedTuple, final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_WORDS = (  # noqa: SIM905  # a list of them would be a screenful
    "please about after again along another around because before behind below better between "
    "both bring carry clear close could during early either enough every follow further gather "
    "given however inside into keep known later leave little longer many matter neither never "
    "often only open other outside over perhaps plain quite rather really round several should "
    "simple since still table their these under until very which "
).split()
_SHORT = "the and for but not you all can had her was one our out day get has him his how".split()  # noqa: SIM905  # same
_APART = 5
"""Short words between two identifiers of a crowded text: few, so that seams between windows meet many."""
LETTERS = {1: "x", 2: "ж", 3: "漢", 4: "𠀀"}
"""A plain letter for each number of bytes; no normalisation, folding or stripping changes any."""
_DIGITS, _LETTERS = "0123456789", "abcdefghijklmnopqrstuvwxyz"
_TESTS = 64
"""The length of a text, divided by this, leaves the number of its test."""
_KEPT_APART = 24


class Identifier(NamedTuple):
    """A value the detector must find: its number in the list, its label there or None, and the value."""

    number: int
    kind: str | None
    value: str

    @property
    def called(self) -> str:
        """What messages call it; never the value."""
        return f"identifier {self.number} ({self.kind or 'any label'})"


class Place(NamedTuple):
    """Where one identifier stands: code points `start` to `end`, half-open."""

    identifier: Identifier
    start: int
    end: int


class Draft(NamedTuple):
    """A text and where identifiers stand in it, in order."""

    text: str
    places: tuple[Place, ...]


@final
class Drafts:
    """The texts of one test; `test` is its number, below 64."""

    def __init__(self, test: int) -> None:
        self._test = test
        self._lengths: set[int] = set()
        self._numbers = count()

    def around(self, identifier: Identifier, before: str = "", after: str = "", *, start: str = "") -> Draft:
        """Return a text in which `identifier` stands between blanks, behind `before` and ahead of `after`.

        The text begins with `start`.
        """
        first, last = self._marks()
        lead = f"{start}{first} {before} " if before else f"{start}{first} "
        tail = f" {after}" if after else ""
        return self._draft(lead, [identifier], tail, last)

    def plain(self, before: str = "") -> str:
        """Return a text without any identifier."""
        first, last = self._marks()
        return self._padded(f"{first} {before}".rstrip(), last)

    def at(self, identifier: Identifier, offset: int) -> Draft:
        """Return a text in which `identifier` begins at code point `offset` and words follow it."""
        first, last = self._marks()
        return self._draft(_lead(first, offset), [identifier], f" {first}", last)

    def ending_with(self, identifier: Identifier) -> Draft:
        """Return a text that ends with `identifier`."""
        first, _ = self._marks()
        lead = self._padded(first, "", ends_with=1 + len(identifier.value)) + " "
        text = lead + identifier.value
        return Draft(text, (Place(identifier, len(lead), len(text)),))

    def joined(self, identifiers: Sequence[Identifier], separator: str) -> Draft:
        """Return a text with the identifiers one after another, only `separator` between them."""
        first, last = self._marks()
        return self._draft(f"{first} ", identifiers, "", last, separator)

    def packed(self, identifiers: Sequence[Identifier], offset: int, until: int) -> Draft:
        """Return a text with identifiers in turn, few words apart, from `offset` to beyond `until`."""
        first, last = self._marks()
        text, places = _crowd(_lead(first, offset), identifiers, until, chain(first.split(), cycle(_SHORT)))
        return Draft(self._padded(text, last), places)

    def shifted(self, identifier: Identifier, words: int, until: int) -> Draft:
        """Return a text with one identifier again and again, behind three words and so many more."""
        first, last = self._marks()
        lead = " ".join([first, *islice(cycle(_SHORT), words), ""])
        text, places = _crowd(lead, [identifier], until, cycle(_SHORT))
        return Draft(self._padded(text, last), places)

    def twins(self, identifier: Identifier) -> tuple[Draft, Draft, str]:
        """Return three texts of equal length, equal for their first and last 250 code points.

        The identifier stands at two places in the first two; the third holds none.
        """
        first, last = self._marks()
        lead = f"{first} {filler(250)} "
        tail = self._padded(lead + identifier.value + filler(80), f"{filler(250)} {last}")
        tail = tail[len(lead) + len(identifier.value) + 80 :]
        early = f"{identifier.value} {filler(79)}"
        late = f"{filler(79)} {identifier.value}"
        drafts = [
            Draft(lead + middle + tail, (Place(identifier, at, at + len(identifier.value)),))
            for middle, at in ((early, len(lead)), (late, len(lead) + 80))
        ]
        return drafts[0], drafts[1], lead + filler(len(early)) + tail

    def _draft(
        self, lead: str, identifiers: Sequence[Identifier], tail: str, last: str, separator: str = " "
    ) -> Draft:
        text, places = lead, []
        for index, identifier in enumerate(identifiers):
            text += separator if index else ""
            places.append(Place(identifier, len(text), len(text) + len(identifier.value)))
            text += identifier.value
        return Draft(self._padded(text + tail, last), tuple(places))

    def _marks(self) -> tuple[str, str]:
        """Return words to begin and to end with that no other text of the suite has."""
        number = next(self._numbers)
        mine = [_WORDS[self._test % len(_WORDS)], *_digits(number)]
        return " ".join(mine), " ".join(reversed(mine))

    def _padded(self, text: str, last: str, *, ends_with: int = 0) -> str:
        """Return `text`, words, and `last`, in a length that only this text has, with `ends_with` more."""
        fixed = len(text) + len(last) + ends_with + 2
        length = length_for(self._test, fixed + _KEPT_APART)
        while length in self._lengths:
            length += _TESTS
        self._lengths.add(length)
        words = filler(length - fixed + (0 if last else 1))
        return f"{text} {words} {last}" if last else f"{text} {words}"


def length_for(test: int, least: int) -> int:
    """Return the least length from `least` on that texts of this test may have."""
    return least + (test - least) % _TESTS


def filler(length: int, *, first: int = 0) -> str:
    """Return words of exactly `length` code points, without a blank at either end."""
    words = _cycled(first)
    text = next(words)
    while len(text) < length:
        text += " " + next(words)
    text = text[:length]
    return text if not text.endswith(" ") else f"{text[:-1]}s"


def shuffled_words(number: int) -> str:
    """Return 24 words in an order that depends on `number`; all such texts have equal lengths and words."""
    words = list(_WORDS[:24])
    chosen = []
    while words:
        number, at = divmod(number, len(words))
        chosen.append(words.pop(at))
    return " ".join(chosen)


def alone(draft: Draft, place: Place) -> Draft:
    """Return the same text with what is no identifier at all other places, as long and in as many tokens."""
    text, at = "", 0
    for one, start, end in draft.places:
        text += draft.text[at:start] + (one.value if start == place.start else _masked(one.value))
        at = end
    return Draft(text + draft.text[at:], (place,))


def _masked(value: str) -> str:
    return "".join(_mask(character) for character in value)


def _mask(character: str) -> str:
    if character.isspace():
        return character
    size = len(character.encode())
    return "," if size == 1 and not character.isalnum() else LETTERS[size]


def _crowd(
    text: str, identifiers: Sequence[Identifier], until: int, words: Iterator[str]
) -> tuple[str, tuple[Place, ...]]:
    """Return `text` with identifiers in turn to beyond `until`, and where they stand."""
    parts, places, at = [text], [], len(text)
    for identifier in cycle(identifiers):
        if at > until:
            break
        places.append(Place(identifier, at, at + len(identifier.value)))
        parts.append(f"{identifier.value} {' '.join(islice(words, _APART))} ")
        at += len(parts[-1])
    return "".join(parts).rstrip(" "), tuple(places)


def renumbered(value: str, number: int) -> str:
    """Return a value like it that only this number has, below 1,000.

    Changed are the last three digits where it is mostly digits, else its first three letters; others of a
    script than ASCII stay, and so does a value with fewer.
    """
    digits = [at for at, one in enumerate(value) if one in _DIGITS]
    letters = [at for at, one in enumerate(value.lower()) if one in _LETTERS]
    changed, signs = (digits[-3:], _DIGITS) if len(digits) >= len(letters) else (letters[:3], _LETTERS)
    characters = list(value)
    for at in reversed(changed):
        number, rest = divmod(number, len(signs))
        characters[at] = signs[rest]
    return "".join(characters)


def _lead(first: str, offset: int) -> str:
    """Return what stands before code point `offset`: nothing, or words and a blank."""
    if offset <= len(first):
        return filler(offset - 1) + " " if offset > 1 else " " * offset
    rest = offset - len(first) - 2
    return f"{first} {filler(rest)} " if rest > 0 else f"{first}{'s' * (rest + 1)} "


def _digits(number: int) -> Iterator[str]:
    size = len(_WORDS)
    yield _WORDS[number % size]
    yield _WORDS[(7 + number // size) % size]


def _cycled(first: int) -> Iterator[str]:
    return islice(cycle(_WORDS), first % len(_WORDS), None)
