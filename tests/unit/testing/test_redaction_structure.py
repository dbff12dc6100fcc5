"""Whether a masked text is its original cut at the ranges that were reported."""

from __future__ import annotations

import re

import pytest

from pytest_pii_eval.testing.redaction_structure import is_cut_at, merged

PLACE = re.compile(r"<(?P<kind>[A-Z]+)>|\*+")


def test_the_union_of_ranges_joins_what_overlaps_and_touches():
    """Order and repetition say nothing about what was removed."""
    assert merged([(5, 7), (0, 2), (2, 3), (6, 9), (5, 7)]) == ((0, 3), (5, 9))


@pytest.mark.parametrize(
    ("original", "masked", "ranges"),
    [
        ("plain", "plain", []),
        ("see <A> and Bob", "see <A> and <P>", [(12, 15)]),
        ("see <A> and Bob", "see <P> and <P>", [(4, 7), (12, 15)]),
        ("BobAl", "<P><P>", [(0, 3), (3, 5)]),
        ("BobAl", "<P>", [(0, 3), (3, 5)]),  # one placeholder for ranges that touch
        ("Bob** x", "***** x", [(0, 3)]),  # the kept stars look like the end of the placeholder
        ("a-b-c", "<P>-b-<P>", [(0, 1), (4, 5)]),
    ],
)
def test_a_masked_text_fits_its_ranges(original, masked, ranges):
    """Kept text stands between placeholders, whatever it looks like."""
    assert is_cut_at(original, masked, ranges, PLACE)


@pytest.mark.parametrize(
    ("original", "masked", "ranges"),
    [
        ("plain", "plain", [(0, 5)]),  # nothing was replaced
        ("plain", "<P>", []),
        ("see Bob", "see <P>b", [(4, 7)]),  # a character is left
        ("see Bob", "see ", [(4, 7)]),  # no placeholder
        ("Bob", "<P><P>", [(0, 3)]),  # two for one
        ("a-b-c", "<P>-b-<P>", [(0, 3), (4, 5)]),
        ("see Bob now", "see <P> then", [(4, 7)]),
    ],
)
def test_a_masked_text_does_not_fit_other_ranges(original, masked, ranges):
    """A range without a placeholder, or the reverse, is seen."""
    assert not is_cut_at(original, masked, ranges, PLACE)
