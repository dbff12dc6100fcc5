"""Whether spans fit their text: every reason by hand, and offsets of each unit against brute force."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pii_eval.contracts.quality_model import MAX_GOLD, MAX_TEXT_BYTES
from pytest_pii_eval.corpora.draft import UnfitRow
from pytest_pii_eval.corpora.fitting import Given, checked_text, fitted


def _reason(text: object, spans: list[Given], unit: str = "codepoint") -> str:
    with pytest.raises(UnfitRow) as caught:
        fitted(text, spans, unit)
    return caught.value.reason


@pytest.mark.parametrize(
    ("unit", "start", "end"),
    # "aé😀b": é is 2 bytes and 1 unit of UTF-16, the emoji 4 bytes and 2 units.
    [("codepoint", 1, 3), ("byte", 1, 7), ("utf16", 1, 4)],
)
def test_offsets_of_each_unit_come_out_as_code_points(unit, start, end) -> None:
    """The same two characters, counted in three ways."""
    assert fitted("aé😀b", [Given(start, end, "A", "é😀")], unit) == ((1, 3, "A"),)


def test_spans_keep_their_order_and_may_nest_and_overlap() -> None:
    """Equal offsets under two labels are two spans."""
    spans = [Given(4, 6, "B"), Given(0, 6, "A"), Given(0, 6, "B"), Given(2, 5, "A")]
    assert fitted("abcdef", spans) == ((4, 6, "B"), (0, 6, "A"), (0, 6, "B"), (2, 5, "A"))
    assert fitted("", []) == ()


def test_a_whole_number_is_compared_by_its_digits() -> None:
    """A leading zero that the export lost is a difference; a truth value and a fraction are no digits."""
    assert fitted("is 123", [Given(3, 6, "A", 123)]) == ((3, 6, "A"),)
    assert _reason("is 0123", [Given(3, 7, "A", 123)]) == "value_differs"
    assert _reason("is True", [Given(3, 7, "A", True)]) == "value_differs"
    assert _reason("is 1.5", [Given(3, 6, "A", 1.5)]) == "value_differs"


@pytest.mark.parametrize("unit", ["codepoint", "byte", "utf16"])
@pytest.mark.parametrize(
    ("span", "reason"),
    [
        (Given("0", 1, "A"), "offset_not_integer"),
        (Given(0, 1.0, "A"), "offset_not_integer"),
        (Given(False, 1, "A"), "offset_not_integer"),
        (Given(0, None, "A"), "offset_not_integer"),
        (Given(0, 1, ""), "spans_not_readable"),
        (Given(0, 1, None), "spans_not_readable"),
        (Given(0, 1, ["A"]), "spans_not_readable"),
        (Given(1, 1, "A"), "empty_span"),
        (Given(-1, 1, "A"), "offset_outside_text"),
        (Given(2, 1, "A"), "offset_outside_text"),
        (Given(0, 4, "A"), "offset_outside_text"),
        (Given(0, 2, "A", "AB"), "value_differs"),
        (Given(0, 2, "A", ""), "value_differs"),
        (Given(0, 2, "A", ["ab"]), "value_differs"),
    ],
)
def test_a_span_that_does_not_fit_has_a_reason(span, reason, unit) -> None:
    """In ASCII the units are one, and so are the reasons."""
    assert _reason("abc", [Given(0, 3, "A"), span], unit) == reason


@pytest.mark.parametrize(
    ("unit", "start", "end", "reason"),
    [
        ("byte", 2, 3, "offset_inside_character"),
        ("byte", 1, 5, "offset_inside_character"),
        ("byte", 1, 9, "offset_outside_text"),
        ("utf16", 3, 4, "offset_inside_character"),
        # The text has 5 units of UTF-16 and 8 bytes: 6 is outside, though a byte stands there.
        ("utf16", 1, 6, "offset_outside_text"),
        ("codepoint", 1, 5, "offset_outside_text"),
    ],
)
def test_offsets_inside_a_character_and_behind_the_text_differ(unit, start, end, reason) -> None:
    """What is inside is counted in the unit of the corpus."""
    assert _reason("aé😀b", [Given(start, end, "A")], unit) == reason


@pytest.mark.parametrize(
    ("unit", "start", "end"),
    # "Bo" in "é😀é Bo é é é é" stands at code points 4:6, bytes 9:11, units of UTF-16 5:7.
    [
        ("codepoint", 9, 11),
        ("codepoint", 5, 7),
        ("byte", 4, 6),
        ("utf16", 4, 6),
        ("utf16", 9, 11),
    ],
)
def test_a_value_that_stands_there_in_another_unit_is_told_apart(unit, start, end) -> None:
    """The pin says the wrong unit; where it stands in none, the value differs."""
    text = "é😀é Bo é é é é"
    reason = "offset_inside_character" if (unit, start) == ("byte", 4) else "offsets_in_another_unit"
    assert _reason(text, [Given(start, end, "A", "Bo")], unit) == reason
    assert _reason(text, [Given(4, 6, "A", "bo")]) == "value_differs"


def test_a_text_is_a_bounded_string_of_characters() -> None:
    """The bound is on UTF-8 bytes, and a lone surrogate is no character."""
    assert _reason(7, []) == "text_not_string"
    assert _reason(None, []) == "text_not_string"
    assert _reason("a\ud800", []) == "lone_surrogate"
    assert checked_text("é" * (MAX_TEXT_BYTES // 2)) != ""
    assert _reason("é" * (MAX_TEXT_BYTES // 2 + 1), []) == "text_too_long"
    assert _reason("a" * (MAX_TEXT_BYTES + 1), []) == "text_too_long"


def test_spans_are_bounded_and_different() -> None:
    """One span said twice is a fault of the row."""
    assert _reason("abc", [Given(0, 1, "A"), Given(0, 1, "A")]) == "repeated_span"
    assert _reason("abc", [Given(0, 1, "A")] * (MAX_GOLD + 1)) == "too_many_spans"


def test_what_is_no_span_at_all_comes_before_what_does_not_fit() -> None:
    """Kinds of values are looked at first, then spans in their order, then repetitions."""
    outside, wrong = Given(0, 9, "A"), Given(0, 1, "A", "x")
    assert _reason("abc", [outside, Given(0, True, "A")]) == "offset_not_integer"
    assert _reason("abc", [wrong, outside]) == "value_differs"
    assert _reason("abc", [outside, wrong]) == "offset_outside_text"
    assert _reason("abc", [Given(0, 1, "A"), Given(0, 1, "A"), outside]) == "offset_outside_text"


_CHARACTERS = st.text(st.sampled_from("aé€😀"), max_size=6)
_WIDTHS = {
    "codepoint": lambda _: 1,
    "byte": lambda character: len(character.encode()),
    "utf16": lambda character: len(character.encode("utf-16-le")) // 2,
}


@settings(max_examples=50, deadline=None)
@given(_CHARACTERS, st.integers(-1, 25), st.integers(-1, 25), st.sampled_from(sorted(_WIDTHS)))
def test_offsets_agree_with_counting_character_by_character(text, start, end, unit) -> None:
    """A boundary is where as many units lie before a character; everything else has its reason."""
    boundaries = [0]
    for character in text:
        boundaries.append(boundaries[-1] + _WIDTHS[unit](character))
    if start in boundaries and end in boundaries and start < end:
        expected: object = ((boundaries.index(start), boundaries.index(end), "A"),)
    elif start in boundaries and start == end:
        expected = "empty_span"
    elif 0 <= start <= end <= boundaries[-1] and unit != "codepoint":
        expected = "offset_inside_character"
    else:
        expected = "empty_span" if unit == "codepoint" and start == end else "offset_outside_text"
    assert _outcome(text, [Given(start, end, "A")], unit) == expected


@settings(max_examples=50, deadline=None)
@given(_CHARACTERS.filter(bool), st.data())
def test_the_value_decides(text, data) -> None:
    """Every slice of a text is a fitting span with itself as its value, and with no other."""
    end = data.draw(st.integers(1, len(text)))
    start = data.draw(st.integers(0, end - 1))
    unit = data.draw(st.sampled_from(sorted(_WIDTHS)))
    at, behind = (sum(map(_WIDTHS[unit], text[:point])) for point in (start, end))
    surface = text[start:end]
    assert fitted(text, [Given(at, behind, "A", surface)], unit) == ((start, end, "A"),)
    assert _outcome(text, [Given(at, behind, "A", surface + "a")], unit) in {
        "value_differs",
        "offsets_in_another_unit",
    }


def _outcome(text: str, spans: list[Given], unit: str) -> object:
    try:
        return fitted(text, spans, unit)
    except UnfitRow as unfit:
        return unfit.reason
