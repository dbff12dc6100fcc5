"""Laws of the text as literals see it: folded character by character, each run of white space one space."""

# ruff: noqa: RUF001 -- characters that look alike are what these tests are about

from __future__ import annotations

import re
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pii_eval.contracts.patterns import ActivePattern
from pytest_pii_eval.detectors.bank import literals as literals_module
from pytest_pii_eval.detectors.bank.beyond import beyond_ascii
from pytest_pii_eval.detectors.bank.engine import Engine
from pytest_pii_eval.detectors.bank.folding import fold
from pytest_pii_eval.detectors.bank.words import collapse

SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
ODD = "ſK\u212aİıÀàŁßẞΣσςǅ\U00010400ꭰᏰÅ\u212b"
# Long stretches of ASCII take the quick way, others the slow one; both meet what folds in odd ways.
PIECES = st.sampled_from(["aB c", "XYZ " * 9, *ODD]) | st.characters(exclude_categories=["Cs"])
SPACED = st.text("ab \t\n\v\f\r\x1c\x85\xa0\u2003\u200b\u3000é", max_size=20)


@settings(max_examples=50, deadline=None)
@given(st.lists(PIECES, max_size=24).map("".join))
def test_a_text_folds_as_its_characters_do(text: str) -> None:
    """Whatever stands around a character, it folds to the same one."""
    assert fold(text) == "".join(map(fold, text))


@settings(max_examples=50, deadline=None)
@given(SPACED)
def test_each_run_of_white_space_becomes_one_space(text: str) -> None:
    """White space is what Rust's expressions call so: U+0085 is, U+001C and U+200B are not."""
    assert collapse(text) == re.sub(f"[{SPACE}]+", " ", text)


@settings(max_examples=25, deadline=None)
@given(SPACED)
def test_what_is_beyond_ascii_stays_in_order(text: str) -> None:
    """Only ASCII is left out."""
    assert beyond_ascii(text) == re.sub(r"[\x00-\x7f]+", "", text)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.text("aA bé\u0301K", min_size=1, max_size=4), min_size=1, max_size=5, unique=True),
    st.lists(st.text("aA b\né\u0301\u212a", max_size=20), min_size=1, max_size=3),
)
def test_a_full_table_finds_the_same(values: list[str], texts: list[str]) -> None:
    """The table that takes the automaton's place after some text changes no record."""
    patterns = [
        ActivePattern("e", f"n{at}", "p", "literal", f"c{at}", value, 1, frozenset(), False, True, "word")
        for at, value in enumerate(values)
    ]
    before = Engine(patterns)
    with patch.object(literals_module, "_CHARACTERS_A_BYTE", 0):
        after = Engine(patterns)
        for text in texts:
            assert after.scan(text) == before.scan(text)
