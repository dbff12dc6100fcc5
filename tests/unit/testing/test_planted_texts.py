"""The strategies: identifiers stand where they are said to, and stand-ins are of equal size."""

from __future__ import annotations

import unicodedata

import pytest

pytest.importorskip("hypothesis", reason="these are strategies of hypothesis (extra: testing)")

from hypothesis import Phase, given, settings

from pytest_pii_eval.testing import planted_texts, surroundings
from pytest_pii_eval.testing.strategies import plain_letters, stand_in

VALUES = ["zoe.quill@example.org", "+44 20 7946 0018"]
few = settings(max_examples=60, derandomize=True, database=None)


@few
@given(planted_texts(VALUES))
def test_values_stand_between_blanks_where_it_is_said(planted):
    """Each range holds one of the values, in order, with a blank or an edge of the text around it."""
    text, ranges = planted
    assert [text[start:end] in VALUES for start, end in ranges] == [True] * len(ranges)
    assert list(ranges) == sorted(ranges)
    assert all(start == 0 or text[start - 1] == " " for start, _ in ranges)
    assert all(end == len(text) or text[end] == " " for _, end in ranges)
    text.encode()  # well formed


AWKWARD = {
    "joiner": lambda text: "\u200d" in text,
    "combining": lambda text: unicodedata.normalize("NFC", text) != text,
    "right to left": lambda text: "\u202b" in text,
    "CRLF": lambda text: "\r\n" in text,
    "NUL": lambda text: "\x00" in text,
    "zero width": lambda text: "\u200b" in text,
    "long line": lambda text: max(map(len, text.splitlines()), default=0) >= 20_000,
    "astral": lambda text: any(ord(character) > 0xFFFF for character in text),
}


@pytest.fixture(scope="module")
def drawn():
    """The kinds of awkward text that 300 draws hold: one search for all, as each draw costs the same."""
    kinds = set()

    @settings(few, max_examples=300, phases=[Phase.generate])
    @given(planted_texts(VALUES))
    def draw(planted):
        kinds.update(name for name, holds in AWKWARD.items() if holds(planted.text))

    draw()
    return kinds


@pytest.mark.parametrize("kind", AWKWARD)
def test_awkward_texts_are_among_them(drawn, kind):
    """Each kind of awkward text is drawn sooner or later."""
    assert kind in drawn


@few
@given(surroundings())
def test_a_stand_in_is_of_equal_size_and_nothing_normalises_it(text):
    """Each character has as many bytes and UTF-16 units; normalisation and folding change nothing."""
    plain = stand_in(text)
    assert [len(one.encode()) for one in plain] == [len(one.encode()) for one in text]
    assert [len(one.encode("utf-16-le")) for one in plain] == [len(one.encode("utf-16-le")) for one in text]
    assert unicodedata.normalize("NFKC", plain) == unicodedata.normalize("NFKD", plain) == plain
    assert plain.casefold() == plain


@few
@given(plain_letters())
def test_plain_letters_are_several_bytes_each_and_stable(text):
    """No letter is ASCII, and no normalisation changes any."""
    assert all(len(letter.encode()) > 1 for letter in text)
    assert unicodedata.normalize("NFKC", text) == unicodedata.normalize("NFKD", text) == text


@pytest.mark.parametrize(
    ("text", "plain"),
    [("Jose\u0301", "xxxxж"), ("a\r\nb  c", "xx\nx xx"), ("👍🏽", "𠀀𠀀"), ("\u200b\x00", "漢x")],
)
def test_stand_ins_by_hand(text, plain):
    """Line feeds and single blanks stay; all else becomes a letter of one to four bytes."""
    assert stand_in(text) == plain
