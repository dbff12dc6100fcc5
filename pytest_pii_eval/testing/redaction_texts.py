"""Texts with planted identifiers that a redactor is asked about; how answers are judged is not here."""

from __future__ import annotations

import re
from itertools import cycle, islice, permutations
from typing import TYPE_CHECKING, NamedTuple

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pytest_pii_eval.contracts.spans import Range

IDENTIFIERS = (
    ("email", "ann.lee@example.com"),
    ("email", "joann.lee@example.com"),
    ("email", "k.osei@example.org"),
    ("phone", "+44 20 7946 0958"),
    ("iban", "GB33BUKB20201555555555"),
)
"""Fake values (kind, value): one holds another, and all are reserved for examples."""

LOOK_ALIKES = ("<PERSON_1>", "<EMAIL_1>", "[EMAIL_1]", "{{NAME}}", "****")

UNUSUAL = {
    "emoji": "\U0001f600 \U0001f469\u200d\U0001f4bb",
    "combining marks": "e\u0301 n\u0303 a\u030a",
    "right to left": "\u05e9\u05dc\u05d5\u05dd \u200f\u0645\u0631\u062d\u0628\u0627",
    "CRLF": "so\r\nthen\r\n\r\n",
    "lone CR": "so\rthen\r",
    "NUL": "so\0then \0",
    "zero width": "so\u200bthen\u2060 \ufeff",
    "characters that grow in lower or upper case": "\u0130 \u00df \ufb03 \u0149",
    "wide blanks": "so\u00a0\u2003\u3000then",
    "line separators": "so\u2028then\u2029\x85",
    "tabs and form feeds": "so\tthen\f\v",
    "other planes": "\U0001d49c\U00020000 \U0010fffd",
    "compatibility forms": "\uff21\uff22 \u2460 \u00bd",
}

# Each stands once in a text at most, so that what is kept between two identifiers occurs only there.
_WORDS = ("please", "about", "neither", "gather", "table", "simple", "follow", "quite", "matter", "either")
_MANY = 40
_FILLER = "wind over hills and quiet water under old stone bridges "


class Sample(NamedTuple):
    """A text, the ranges in code points where identifiers were planted, and what to call it in a message."""

    text: str
    planted: tuple[Range, ...]
    about: str


def plain(identifiers: Sequence[tuple[str, str]]) -> Iterator[Sample]:
    """Yield each identifier in the middle, first, last and alone, then several together."""
    for _, value in identifiers:
        yield composed(["please ", value, " table"], [1], "an identifier within a text")
        yield composed([value, " table"], [0], "an identifier at the start")
        yield composed(["please ", value], [1], "an identifier at the end")
        yield composed([value], [0], "nothing but an identifier")
    yield between_words(apart(identifiers), "several identifiers")


def apart(identifiers: Sequence[tuple[str, str]]) -> list[str]:
    """Return the values without those that hold, or are part of, an earlier one."""
    chosen: list[str] = []
    for _, value in identifiers:
        if not any(value in other or other in value for other in chosen):
            chosen.append(value)
    return chosen


def without_identifiers() -> Iterator[Sample]:
    """Yield texts in which nothing was planted."""
    texts = ("", " ", "\n", "please gather quite simple matter", "  two  blanks  ")
    yield from (Sample(text, (), "a text without identifiers") for text in texts)


def repeated(identifiers: Sequence[tuple[str, str]]) -> Iterator[Sample]:
    """Yield texts in which values occur again: alone, two in turn, in the other order, all of them often."""
    values = apart(identifiers)
    one, two = values[0], values[-1]
    for chosen in ([one, one], [one, two, one], [one, two, two, one], [two, one, *values, two]):
        yield between_words(chosen, "repeated values")
    yield between_words(list(islice(cycle(values), _MANY)), f"{_MANY} identifiers")


def adjacent(identifiers: Sequence[tuple[str, str]], separator: str) -> Iterator[Sample]:
    """Yield texts in which two identifiers have only `separator` between them."""
    for one, two in permutations(apart(identifiers), 2):
        parts = ["please ", one, *([separator] if separator else []), two, " table"]
        yield composed(parts, [1, len(parts) - 2], "adjacent identifiers")


def nested(identifiers: Sequence[tuple[str, str]]) -> Iterator[Sample]:
    """Yield texts with a value and one that contains it, in both orders; none where there is no such pair."""
    for (_, inner), (_, outer) in permutations(identifiers, 2):
        if inner != outer and inner in outer:
            for order in ([inner, outer], [outer, inner]):
                yield between_words(order, "a value inside another value")


def unusual(identifiers: Sequence[tuple[str, str]]) -> Iterator[Sample]:
    """Yield texts with unusual characters before, between and behind the identifiers, and without any."""
    for about, characters in UNUSUAL.items():
        yield Sample(characters, (), about)
        yield surrounded(apart(identifiers), characters, about)


def surrounded(values: Iterable[str], characters: str, about: str) -> Sample:
    """Return a text with `characters` and a blank on both sides of every value."""
    parts = [f"{characters} "]
    at = []
    for word, value in zip(_words(), values, strict=False):
        at.append(len(parts))
        parts += [value, f" {characters} {word} {characters} "]
    return composed(parts, at, about)


def drawn(identifiers: Sequence[tuple[str, str]]) -> st.SearchStrategy[Sample]:
    """Return a strategy for texts with any mixture of unusual characters around some of the identifiers."""
    character = st.characters(categories=["Lo", "Lu", "Mn", "So", "Zs", "Cf"])
    piece = st.sampled_from(tuple(UNUSUAL.values())) | character
    surroundings = st.lists(piece, max_size=4).map("".join)
    values = st.permutations(apart(identifiers)).flatmap(
        lambda order: st.integers(1, len(order)).map(lambda size: order[:size])
    )
    return st.builds(surrounded, values, surroundings, st.just("a drawn text"))


def long(identifiers: Sequence[tuple[str, str]], length: int) -> Iterator[Sample]:
    """Yield a text of about `length` code points on one line, with the identifiers spread over all of it."""
    values = apart(identifiers)
    filler = _FILLER * (length // (len(_FILLER) * (len(values) + 1)) + 1)
    parts = [filler]
    for word, value in zip(_words(), values, strict=False):
        parts += [value, f" {word} {filler}"]
    yield composed(parts, range(1, len(parts), 2), "a long text")


def look_alikes(identifiers: Sequence[tuple[str, str]], placeholders: Iterable[str]) -> Iterator[Sample]:
    """Yield texts that hold what looks like a placeholder: `placeholders`, their neighbours, common ones."""
    values = apart(identifiers)[:3]
    for one in dict.fromkeys([*_neighbours(placeholders), *LOOK_ALIKES]):
        yield Sample(one, (), "nothing but a look-alike of a placeholder")
        yield surrounded(values, one, "a look-alike of a placeholder")


def between_words(values: Sequence[str], about: str) -> Sample:
    """Return a text with a word of its own before, between and behind the values."""
    words = _words()
    parts = [f"{next(words)} "]
    for value in values:
        parts += [value, f" {next(words)} "]
    return composed(parts, range(1, len(parts), 2), about)


def composed(parts: Sequence[str], planted: Iterable[int], about: str) -> Sample:
    """Return the parts as one text; `planted` are the indexes of those that are identifiers."""
    ends = [0]
    for part in parts:
        ends.append(ends[-1] + len(part))
    return Sample("".join(parts), tuple((ends[at], ends[at + 1]) for at in planted), about)


def _words() -> Iterator[str]:
    yield from _WORDS
    number = 0
    while True:
        number += 1
        yield "again " * number + "then"


def _neighbours(placeholders: Iterable[str]) -> Iterator[str]:
    """Yield the placeholders, and each with 1 to 3 and with the next number in place of its own."""
    for one in placeholders:
        yield one
        number = re.search(r"[0-9]+(?=\D*$)", one)
        if number:
            for other in (1, 2, 3, int(number.group()) + 1):
                yield f"{one[: number.start()]}{other}{one[number.end() :]}"
