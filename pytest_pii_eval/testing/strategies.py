"""Hypothesis strategies: texts of many scripts and awkward characters, with identifiers planted in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hypothesis import strategies as st

from pytest_pii_eval.testing.drafts import LETTERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pii_eval.contracts.spans import Range

SCRIPTS = (
    "straße",
    "Ünïcödé",
    "Ελληνικά",
    "кириллица",
    "日本語のテキスト",
    "한국어",
    "ไทย",
    "हिन्दी",
    "მხედრული",
    "𠀀𠀁𠀂",
    "𝒻𝓇𝒶𝓀𝓉𝓊𝓇",  # noqa: RUF001  # mistaken for other letters: that is the point
    "𐍈𐌰𐌹𐍂𐌷𐍄𐍃",
)
"""Words of scripts with one to four bytes a character."""

EMOJI = ("😀", "👨‍👩‍👧‍👦", "🏳️‍🌈", "👍🏽", "🇩🇪", "1️⃣", "❤️", "🧑🏿‍🚀")
"""Emoji, among them sequences with zero-width joiners, modifiers, flags and keycaps."""

COMBINING = (
    "Jose\u0301",
    "a\u0308\u0323",
    "\u1112\u1161\u11ab",
    "Å",
    "e\u0301\u0302\u0303\u0304",
    "ﬁn",
    "İ",
    "ŉ",
    "½",
)  # the point
"""What normalisation or change of case makes longer or shorter."""

RIGHT_TO_LEFT = ("שלום", "مرحبا", "\u200fעברית\u200e", "\u202bعربي\u202c", "\u2067א\u2069", "שָׁלוֹם")  # noqa: RUF001  # Hebrew is Hebrew
"""Words written from right to left, with marks and isolates."""

INVISIBLE = (
    "a\u200bb",
    "c\u200cd",
    "e\u200df",
    "g\u2060h",
    "i\ufeffj",
    "k\u00adl",
    "m\x00n",
    "\x07",
    "\u00a0",
    "\u3000",
)
"""Zero-width characters, a byte order mark, soft hyphens, NUL, controls and odd blanks."""

MARKUP = ("&amp;", "%20", "<b>", "\\n", "{0}", "%s", "$1", "\r\n", "\t", "  ")
"""What is unescaped, formatted or collapsed by mistake."""

PIECES = (*SCRIPTS, *EMOJI, *COMBINING, *RIGHT_TO_LEFT, *INVISIBLE, *MARKUP)
_LONG = 20_000


class Planted(NamedTuple):
    """A text, and where each identifier stands in it: code points, half-open, in order."""

    text: str
    ranges: tuple[Range, ...]


def surroundings(*, least: int = 1, most: int = 8) -> st.SearchStrategy[str]:
    """Return texts of `least` to `most` pieces of any of the pools above; pieces are often apart."""
    piece = st.sampled_from(PIECES)
    return st.lists(st.tuples(piece, st.sampled_from((" ", " ", ""))), min_size=least, max_size=most).map(
        lambda pieces: "".join(part for pair in pieces for part in pair)
    )


def planted_texts(
    values: Sequence[str], *, least: int = 1, most: int = 4, long_lines: bool = True
) -> st.SearchStrategy[Planted]:
    """Return texts in which `least` to `most` of `values` stand between blanks, amid awkward surroundings.

    One text in about eight has a line of 20,000 code points before its first value, unless `long_lines` is
    false.
    """
    lengths = st.sampled_from((0,) * 7 + (_LONG,)) if long_lines else st.just(0)
    parts = st.lists(
        st.tuples(surroundings(least=0), st.sampled_from(list(values))), min_size=least, max_size=most
    )
    return st.builds(_plant, lengths, parts, surroundings(least=0))


def _plant(length: int, parts: Sequence[tuple[str, str]], tail: str) -> Planted:
    text, ranges = "word " * (length // 5), []
    for before, value in parts:
        text += f"{before} "
        ranges.append((len(text), len(text) + len(value)))
        text += f"{value} "
    return Planted(text + tail, tuple(ranges))


def stand_in(text: str) -> str:
    """Return `text` with plain letters of the same size, in bytes and UTF-16 units, for its characters.

    Only line feeds and single blanks stay. No normalisation, folding, unescaping or stripping changes those
    letters, so what a detector answers behind them is what it ought to answer behind `text`.
    """
    pairs = zip("x" + text, text, strict=False)
    return "".join(_stand_in(character, previous) for previous, character in pairs)


def _stand_in(character: str, previous: str) -> str:
    if character == "\n" or (character == " " and previous != " "):
        return character
    return LETTERS[len(character.encode())]


def plain_letters() -> st.SearchStrategy[str]:
    """Return words of letters that no normalisation changes, of two to four bytes each."""
    letters = st.sampled_from([*"жшю漢字𠀀𠀁😀"])
    return st.lists(letters, min_size=1, max_size=12).map("".join)
