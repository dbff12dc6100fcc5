"""What a masked text says was removed, and the maskings that do not say it for certain."""

from __future__ import annotations

import re

import pytest

from pytest_pii_eval.detectors.alignment import AmbiguousAlignment, NotAMasking, Removed, align
from pytest_pii_eval.detectors.placeholders import DEFAULT_PLACEHOLDER, label_of

DEFAULT = re.compile(DEFAULT_PLACEHOLDER)


def ranges(original, masked, placeholder=DEFAULT):
    return [(one.start, one.end) for one in align(original, masked, placeholder)]


@pytest.mark.parametrize(
    ("original", "masked", "expected"),
    [
        ("", "", []),
        ("nothing here", "nothing here", []),
        ("Bob", "<PERSON>", [(0, 3)]),
        ("Bob rang", "<PERSON> rang", [(0, 3)]),
        ("call Bob", "call <PERSON_1>", [(5, 8)]),
        ("from Bob to Al.", "from [NAME_1] to [NAME_2].", [(5, 8), (12, 14)]),
        ("I am Bob, b@x.example", "I am {{NAME}}, {{EMAIL}}", [(5, 8), (10, 21)]),
        ("\U0001f600 Bob e\u0301\r\n", "\U0001f600 <P> e\u0301\r\n", [(2, 5)]),
        ("nul \0 Bob", "nul \0 <P>", [(6, 9)]),
        # The kept text of one character occurs again, but only in one way with something on both sides.
        ("a-b", "<P>-<P>", [(0, 1), (2, 3)]),
    ],
)
def test_the_one_reading_is_found(original, masked, expected):
    """What stands between the kept pieces was removed, in code points."""
    assert ranges(original, masked) == expected


def test_touching_placeholders_share_one_range():
    """Where one removed value ends and the next begins cannot be seen, so only their union is told."""
    assert align("to BobAl.", "to <A><B>.", DEFAULT) == (Removed(3, 8, ("<A>", "<B>")),)


@pytest.mark.parametrize(
    ("original", "masked", "expected"),
    [
        ("tel 5551234 ok", "tel ******* ok", [(4, 11)]),
        ("4111-2222-3333-4444", "****-****-****-4444", [(0, 4), (5, 9), (10, 14)]),
        # By kept text alone the first range could reach to the second b.
        ("aa b cc b dd", "** b *******", [(0, 2), (5, 12)]),
        ("xx y zz y ww", "██ y ██ y ww", [(0, 2), (5, 7)]),
    ],
)
def test_a_mask_of_one_character_each_is_placed_by_position(original, masked, expected):
    """A mask that keeps the length says where it is, if that is its rule."""
    assert [(one.start, one.end) for one in align(original, masked, DEFAULT, in_place=True)] == expected


def test_lengths_that_happen_to_agree_prove_nothing():
    """Three stars for any value: both texts have seven characters, and the mask has two readings."""
    assert align("-bbb-ba", "-***-ba", DEFAULT, in_place=True) == (Removed(1, 4, ("***",)),)
    with pytest.raises(AmbiguousAlignment):
        align("-bbb-ba", "***b***", DEFAULT)


def test_a_run_of_another_length_is_placed_by_the_kept_text():
    """Three stars for any value are a placeholder like every other."""
    assert ranges("dear Bobby, bye", "dear ***, bye") == [(5, 10)]


@pytest.mark.parametrize(
    ("original", "masked"),
    [
        ("x and y and z", "<P> and <P>"),  # y belongs to the first or to the second
        ("a - b - c", "<P> - <P>"),
        ("aXaXa", "<P>X<P>"),  # the kept letter stands twice
        ("see <PERSON> and Bob", "see <PERSON> and <PERSON>"),  # the first may be the text itself
        ("<A>Bob", "<A><B>"),  # the same beside a placeholder
        ("Bob<B>", "<A><B>"),
        ("aa<B>aa", "<A><B><C>"),
        ("** note: 12", "** note: **"),  # the first two may be the text's own
        ("tel 55**12", "tel ******"),
        ("see <PERSON> there", "see <PERSON> there"),  # nothing masked, or this
    ],
)
def test_several_readings_are_refused(original, masked):
    """No range is guessed where two sets of ranges give the same masked text."""
    with pytest.raises(AmbiguousAlignment) as refusal:
        ranges(original, masked)
    assert refusal.value.reason == "ambiguous_alignment"


@pytest.mark.parametrize(
    ("original", "masked"),
    [
        ("Bob rang", "Bob rings"),  # changed without a placeholder
        ("Bob  rang off", "<P> rang  off"),  # white space was changed as well
        ("Bob", ""),
        ("", "<P>"),  # a placeholder that replaced nothing
        ("ab", "<P>ab"),
        ("ab", "a<P>b"),
        ("ab", "ab<P>"),
        ("aba", "ab<P>ba"),  # the kept ends would overlap
        ("b", "<A><B>"),  # one character is not enough for two
        ("a-b", "<A><B>-<C>"),
        ("Bob and Al", "<P> und <P>"),
        ("one two", "<P>two one"),  # out of order
    ],
)
def test_what_is_no_masking_is_refused(original, masked):
    """A text that is not the original with ranges replaced says nothing about ranges."""
    with pytest.raises(NotAMasking) as refusal:
        ranges(original, masked)
    assert refusal.value.reason == "not_a_masking"


def test_a_refusal_holds_no_text():
    """Neither text nor placeholder is in the exception, its arguments or its context."""
    with pytest.raises(NotAMasking) as refusal:
        ranges("Zephyrine rang", "<CANARY> sang")
    assert refusal.value.args == ("not_a_masking",)
    assert refusal.value.__context__ is None


@pytest.mark.parametrize(
    ("original", "masked", "expected"),
    [
        ("a*b", "<*>", [(0, 3)]),
        ("x " * 50_000 + "Bob", "x " * 50_000 + "<*>", [(100_000, 100_003)]),
    ],
)
def test_the_expression_says_what_a_placeholder_is(original, masked, expected):
    """A product's own form of placeholder is an option; its stars mean nothing here."""
    assert ranges(original, masked, re.compile(r"<\*>")) == expected


def test_empty_matches_of_the_expression_are_no_placeholders():
    """An expression that can match nothing does not hide kept text."""
    assert ranges("a Bob", "a ##", re.compile("#*")) == [(2, 5)]


def test_a_long_text_takes_no_square_time():
    """Many placeholders between equal pieces are refused, and between numbered ones found, at once."""
    numbered = "".join(f"{number};v;" for number in range(20_000))
    masked = "".join(f"{number};<P>;" for number in range(20_000))
    assert len(ranges(numbered, masked)) == 20_000
    with pytest.raises(AmbiguousAlignment):
        ranges("v;v;" * 20_000, "<P>;" * 20_000)


@pytest.mark.parametrize(
    ("placeholder", "label"),
    [
        ("<PERSON>", "PERSON"),
        ("<US_SSN_2>", "US_SSN"),
        ("[EMAIL_1]", "EMAIL"),
        ("{{NAME}}", "NAME"),
        ("<IPV4>", "IPV"),
        ("****", "MASKED"),
        ("[1]", "MASKED"),
    ],
)
def test_the_label_is_the_letters_of_the_placeholder(placeholder, label):
    """Brackets and numbers are no part of the label; without letters it is MASKED."""
    assert label_of(placeholder) == label


@pytest.mark.parametrize(
    "text", ["* item", "a*b", "<person>", "<b>", "[1]", "{name}", "5 > 3", "[x]", "2 * 3 * 4", "<>", "[]"]
)
def test_common_text_is_no_placeholder_by_default(text):
    """Bullets, markup in small letters and references are left alone."""
    assert DEFAULT.search(text) is None
