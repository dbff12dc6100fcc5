"""Near-duplicates over two parts: which pairs are told, against brute force, and what is not compared."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_pii_eval.freezes.near_duplicates import NearDuplicates, Spot
from pytest_pii_eval.freezes.shingles import shingles_of

FEW = settings(max_examples=50, deadline=None)
NEAR = Fraction(4, 5)

texts = st.lists(st.sampled_from("abc"), max_size=12).map(" ".join)
long_texts = st.builds(
    lambda start, more: " ".join([*map(str, range(start, start + 90)), *more]),
    st.integers(0, 60),
    st.lists(st.sampled_from("abc"), max_size=12),
)
documents = st.lists(st.tuples(st.integers(0, 2), texts | long_texts), max_size=14)


def placed(parts):
    """Return the documents in `parts`, texts by part, with the places where they would lie."""
    return [
        (Spot(part, 0, line, 0, 0), text)
        for part, texts in enumerate(parts)
        for line, text in enumerate(texts, 1)
    ]


def found(parts, near=NEAR):
    """Return what is alike in the parts, given as lists of texts."""
    every = placed(parts)
    by_spot = dict(every)
    index = NearDuplicates(near, by_spot.__getitem__)
    for spot, text in every:
        index.add(spot, text)
    return index.found()


def lines(alike):
    """Return the pairs that are named, as part and line of both."""
    return [(one.part, one.line, other.part, other.line) for one, other in alike.first]


def five_words(text):
    """Return the shingles of a text as words."""
    words = text.lower().split()
    return {tuple(words[at : at + 5]) for at in range(max(1, len(words) - 4))}


def pairs_by_brute_force(parts, near):
    """Compare each document with each of another part."""
    pairs = []
    for (one, text), (other, their_text) in combinations(placed(parts), 2):
        ours, theirs = five_words(text), five_words(their_text)
        if one.part != other.part and Fraction(len(ours & theirs), len(ours | theirs)) >= near:
            pairs.append((one.part, one.line, other.part, other.line))
    return sorted(pairs)


@FEW
@example([(0, "a b c a b"), (1, "a b c a b"), (1, "a b c a b"), (2, "a b c a b")], NEAR)
@given(documents, st.sampled_from([Fraction(1, 2), NEAR, Fraction(9, 10), Fraction(1)]))
def test_it_finds_what_brute_force_finds(drawn, near):
    """The number of pairs, and the first ten of them, are those of comparing all with all."""
    parts = [[text for part, text in drawn if part == at] for at in range(3)]
    expected = pairs_by_brute_force(parts, near)
    alike = found(parts, near)
    assert (alike.pairs, lines(alike), alike.common) == (len(expected), expected[:10], 0)


def test_letter_case_and_white_space_are_folded():
    """What a reader takes for the same text is the same."""
    alike = found([["Write  to\tAda today, PLEASE"], ["write to ada\n today, please"]])
    assert lines(alike) == [(0, 1, 1, 1)]


def test_texts_of_one_part_are_not_compared():
    """A part may repeat itself."""
    assert found([["a b c d e f", "a b c d e f"], ["g h i j k l"]]).pairs == 0


@pytest.mark.parametrize(("words", "left_out", "pairs"), [(14, 2, 1), (13, 2, 0), (9, 1, 1), (8, 1, 0)])
def test_a_similarity_of_just_the_share_is_told(words, left_out, pairs):
    """8 of 10 shingles in common, and 4 of 5, are 0.8; 7 of 9, and 3 of 4, are less."""
    one = " ".join(map(str, range(words)))
    other = " ".join(map(str, range(words - left_out)))
    assert found([[one], [other]]).pairs == pairs


def test_long_texts_are_read_again():
    """Of 296 shingles, a changed word in the middle leaves 291 of 301 in common."""
    words = [str(at) for at in range(300)]
    other = [*words[:150], "changed", *words[151:]]
    parts = [[" ".join(words)], [" ".join(other)]]
    assert found(parts, Fraction(291, 301)).pairs == 1
    assert found(parts, Fraction(2911, 3010)).pairs == 0


def test_many_equal_texts_are_counted_without_being_paired():
    """300 documents of one text in each part are 90,000 pairs, of which the first ten are named."""
    alike = found([["a b c d e f"] * 300, ["a b c d e f"] * 300])
    assert (alike.pairs, alike.common) == (90_000, 0)
    assert lines(alike) == [(0, 1, 1, line) for line in range(1, 11)]


def test_the_first_pairs_are_named_whenever_they_are_found():
    """Eleven equal texts are found before the pair of alike ones that stands above them."""
    same = [f"same text number {at} in both" for at in range(11)]
    alike = found([["a b c d e f g h i", *same], ["a b c d e f g h", *same]])
    assert lines(alike) == [(0, line, 1, line) for line in range(1, 11)]


def test_a_common_shingle_leads_to_a_bounded_number_of_texts():
    """The footer of 300 texts is said to be common, and a pair that shares more than it is still found."""
    footer = "sent from my own desk"
    many = [f"{at} one {at} two {at} three {footer}" for at in range(300)]
    alike = found([many, [many[7], many[299]]])
    assert lines(alike) == [(0, 8, 1, 1), (0, 300, 1, 2)]
    assert found([many, [f"{text} too" for text in many]], Fraction(1, 2)).common > 0


@pytest.mark.parametrize(
    ("text", "number"),
    [("", 1), (" \n", 1), ("one two three four", 1), ("one two three four five", 1), ("a b c d e f", 2)],
)
def test_a_short_text_is_one_shingle(text, number):
    """A text of fewer than five words is compared as a whole."""
    assert len(shingles_of(text)) == number
