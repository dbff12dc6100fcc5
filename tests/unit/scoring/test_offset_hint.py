"""The offset hint: which unit makes every missed gold span equal a prediction."""

from __future__ import annotations

import unicodedata

import pytest

from pytest_pii_eval.contracts.spans import GoldSpan, Span
from pytest_pii_eval.scoring.offset_hint import OffsetFits, added, offset_fits, offset_hint

# "Ann" stands at code points 2 to 5; the emoji is one code point, two UTF-16 units, four UTF-8 bytes.
EMOJI = "\U0001f600 Ann"
FOUND = (Span(2, 5, "person"),)


def test_gold_after_an_emoji_counted_in_utf16_units():
    """3 to 6 in UTF-16 units are 2 to 5 in code points; as bytes 3 stands inside the emoji."""
    fits = offset_fits(EMOJI, (GoldSpan(3, 6, "person"),), FOUND)
    assert fits == {"person": OffsetFits(1, 1, 0)}
    assert offset_hint(fits["person"]) == "utf16"


def test_gold_after_an_emoji_counted_in_bytes():
    """5 to 8 in bytes are 2 to 5 in code points; in UTF-16 units they are 4 to 7."""
    text = EMOJI + " was here"
    fits = offset_fits(text, (GoldSpan(5, 8, "person"),), FOUND)
    assert fits == {"person": OffsetFits(1, 0, 1)}
    assert offset_hint(fits["person"]) == "byte"


def test_a_span_that_ends_with_the_text_fits():
    """`é` alone is bytes 0 to 2 of two: the end of the text is a place in every unit."""
    fits = offset_fits("aé", (GoldSpan(1, 3, "sign"),), (Span(1, 2, "sign"),))
    assert fits == {"sign": OffsetFits(1, 0, 1)}


def test_type_must_agree():
    """A prediction of another type at the place that bytes give is no fit."""
    gold = (GoldSpan(5, 8, "place"),)
    assert offset_fits(EMOJI + " was here", gold, FOUND) == {"place": OffsetFits(1, 0, 0)}


def test_spans_found_exactly_count_nothing():
    """Gold that equals a prediction is not missed, whatever stands elsewhere."""
    assert offset_fits(EMOJI, (GoldSpan(2, 5, "person"),), FOUND) == {}


def test_ascii_documents_say_nothing():
    """In ASCII all units are one, so a miss there is neither for nor against."""
    assert offset_fits("To Ann", (GoldSpan(0, 2, "person"),), (Span(3, 6, "person"),)) == {}


def test_each_type_has_counts_of_its_own():
    """Two people, one of them never found, and a place: counts by gold type."""
    text = "é Ann in Rome, Bob"  # Ann 2-5, Rome 9-13, Bob 15-18; one more each in bytes
    gold = (GoldSpan(3, 6, "person"), GoldSpan(10, 14, "place"), GoldSpan(16, 18, "person"))
    found = (Span(2, 5, "person"), Span(9, 13, "place"))
    assert offset_fits(text, gold, found) == {"person": OffsetFits(2, 0, 1), "place": OffsetFits(1, 0, 1)}


def test_gold_counted_on_nfc_of_an_nfd_text_is_no_unit():
    """Such gold stands too far left in code points, and further left in any other unit."""
    text, theirs = (unicodedata.normalize(form, "Żółć, Ann and Bob") for form in ("NFD", "NFC"))
    gold = [GoldSpan(theirs.index(name), theirs.index(name) + 3, "person") for name in ("Ann", "Bob")]
    found = [Span(text.index(name), text.index(name) + 3, "person") for name in ("Ann", "Bob")]
    assert offset_fits(text, gold, found) == {"person": OffsetFits(2, 0, 0)}


@pytest.mark.parametrize(
    ("fits", "hint"),
    [
        (OffsetFits(0, 0, 0), None),
        (OffsetFits(1, 1, 0), "utf16"),
        (OffsetFits(40, 0, 40), "byte"),
        (OffsetFits(40, 39, 0), None),
        (OffsetFits(2, 2, 2), None),
    ],
)
def test_hint_needs_every_miss_and_one_unit(fits, hint):
    """No miss, a miss that does not fit, or two units that both fit: no hint."""
    assert offset_hint(fits) == hint


def test_counts_add_up():
    """Counts of documents add up field by field; nothing gives zeros."""
    assert added([OffsetFits(1, 1, 0), OffsetFits(2, 1, 1)]) == (3, 2, 1)
    assert added([]) == (0, 0, 0)
