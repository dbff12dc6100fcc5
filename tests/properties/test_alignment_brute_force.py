"""Alignment against brute force: all readings of a small masked text, made without any search for text."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations, pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pii_eval.detectors.alignment import AmbiguousAlignment, NotAMasking, align

PLACEHOLDER = re.compile(r"<A>|<B>|\*+")
MASKS = ("<A>", "<B>", "*", "**", "***")
FEW = settings(max_examples=300, deadline=None)

letters = st.sampled_from("ab*")
words = st.text(letters, max_size=4) | st.lists(st.sampled_from(["a", "b", "<A>"]), max_size=4).map("".join)


@st.composite
def maskings(draw):
    """Draw a short original and a masked form of it, in which placeholders may touch or look like text."""
    parts = draw(st.lists(st.tuples(words, st.booleans(), st.sampled_from(MASKS)), max_size=4))
    original = "".join(word for word, _, _ in parts)
    masked = "".join(mask if hidden and word else word for word, hidden, mask in parts)
    return original, masked


@st.composite
def equally_long(draw):
    """Draw an original and the same with some characters starred."""
    original = draw(st.text(letters, max_size=8))
    hidden = draw(st.lists(st.booleans(), min_size=len(original), max_size=len(original)))
    return original, "".join("*" if one else char for one, char in zip(hidden, original, strict=True))


def readings(original, masked):
    """Return every set of removed positions that turns `original` into `masked`.

    A reading cuts `masked` into placeholders and single kept characters, and gives each placeholder one or
    more characters; all cuts and all sizes are tried.
    """

    @cache
    def rest(at, begin):
        if at == len(masked):
            return {frozenset()} if begin == len(original) else set()
        found = set(rest(at + 1, begin + 1)) if masked[at] == original[begin : begin + 1] else set()
        for end in range(at + 1, len(masked) + 1):
            if PLACEHOLDER.fullmatch(masked[at:end]):
                for stop in range(begin + 1, len(original) + 1):
                    found |= {removed | set(range(begin, stop)) for removed in rest(end, stop)}
        return found

    return rest(0, 0)


def positional_readings(original, masked):
    """Return every set of positions that can be starred one by one to turn `original` into `masked`."""
    starred = [at for at, char in enumerate(masked) if char == "*"]
    return {
        frozenset(chosen)
        for size in range(len(starred) + 1)
        for chosen in combinations(starred, size)
        if "".join("*" if at in chosen else char for at, char in enumerate(original)) == masked
    }


def answer(original, masked, *, in_place=False):
    removed = align(original, masked, PLACEHOLDER, in_place=in_place)
    assert all(one.start < one.end for one in removed)
    assert all(one.end < two.start for one, two in pairwise(removed))
    return frozenset(at for one in removed for at in range(one.start, one.end))


def is_by_position(original, masked):
    """Whether the rule for masks of one star a character applies."""
    starred = "<" not in masked and "*" in masked and len(original) == len(masked)
    return starred and all(char in ("*", own) for char, own in zip(masked, original, strict=True))


def assert_agrees(original, masked):
    """One reading is found, several or none are refused, each by its reason; stated to be in place or not."""
    for in_place in (False, True):
        positional = in_place and is_by_position(original, masked)
        expected = (positional_readings if positional else readings)(original, masked)
        if len(expected) == 1:
            assert {answer(original, masked, in_place=in_place)} == expected
        else:
            with pytest.raises(AmbiguousAlignment if expected else NotAMasking):
                align(original, masked, PLACEHOLDER, in_place=in_place)


@FEW
@given(maskings())
def test_a_masking_is_read_as_brute_force_reads_it(pair):
    """What a product made is aligned exactly when there is one way to have made it."""
    assert_agrees(*pair)


@FEW
@given(equally_long())
def test_a_mask_of_one_star_a_character_is_read_as_brute_force_reads_it(pair):
    """Stars that keep the length are placed by position, unless a star of the original may be one of them."""
    assert_agrees(*pair)


@FEW
@given(words, st.lists(st.sampled_from(["a", "b", "*", "<A>", "<B>"]), max_size=4).map("".join))
def test_any_two_texts_are_read_as_brute_force_reads_them(original, masked):
    """Two texts that have nothing to do with each other are refused, unless one reading joins them."""
    assert_agrees(original, masked)


def test_every_pair_of_tiny_texts_is_read_as_brute_force_reads_it():
    """No pair of an original of up to four characters and a masked text of up to three pieces is misread."""
    originals = ["".join(text) for size in range(5) for text in product("ab*", repeat=size)]
    texts = ["".join(text) for size in range(4) for text in product(["a", "*", "<A>"], repeat=size)]
    for original, masked in product(originals, texts):
        assert_agrees(original, masked)
