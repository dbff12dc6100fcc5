"""Facts of the windows that long texts are read in."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pii_eval.detectors.adapters.windows import Limits, Window, windows


def test_a_short_text_is_one_window_that_owns_it_all():
    """What fits is not cut."""
    assert list(windows([1] * 10, Limits(10, 10, 4))) == [Window(0, 10, 0, 10)]


def test_no_words_make_no_window():
    """An empty text is not read."""
    assert list(windows([], Limits(10, 10, 4))) == []


def test_windows_overlap_and_split_what_they_share():
    """Ten words at most, four shared: each window owns the half of an overlap that lies deeper in it."""
    assert list(windows([1] * 20, Limits(10, 100, 4))) == [
        Window(0, 10, 0, 8),
        Window(6, 16, 8, 14),
        Window(12, 20, 14, 20),
    ]


def test_a_word_of_more_tokens_than_a_window_stands_alone():
    """Nothing but the long word itself is clipped: its neighbours are read in other windows."""
    assert list(windows([1, 1, 9, 1, 1], Limits(10, 4, 2))) == [
        Window(0, 2, 0, 2),
        Window(2, 3, 2, 3),
        Window(3, 5, 3, 5),
    ]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(0, 12), max_size=60), st.integers(1, 12), st.integers(1, 20), st.integers(0, 15))
def test_each_word_has_one_owner_and_every_window_fits(costs, words, tokens, overlap):
    """Ownership is a partition in order, inside the window; only a single word may be too long."""
    made = list(windows(costs, Limits(words, tokens, overlap)))
    assert [index for one in made for index in range(one.first, one.last)] == list(range(len(costs)))
    for one in made:
        assert one.start <= one.first <= one.last <= one.end
        assert one.end - one.start <= words
        assert one.end - one.start == 1 or sum(costs[one.start : one.end]) <= tokens
    assert all(before.end < after.end for before, after in pairwise(made))
