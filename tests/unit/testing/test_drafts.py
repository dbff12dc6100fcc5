"""Neutral texts: identifiers stand where they are said to, and no two texts begin, end or measure alike."""

from __future__ import annotations

from itertools import islice

import pytest

from pytest_pii_eval.testing.drafts import (
    Drafts,
    Identifier,
    alone,
    filler,
    length_for,
    renumbered,
    shuffled_words,
)

MAIL = Identifier(0, "EMAIL", "zoe.quill@example.org")
PHONE = Identifier(1, "PHONE", "+44 20 7946 0018")


def all_kinds(test):
    """Draw texts of every kind for one test."""
    drafts = Drafts(test)
    yield drafts.around(MAIL)
    yield drafts.around(PHONE, "before", "after")
    yield drafts.around(MAIL, start="   ")
    yield drafts.at(MAIL, 0)
    yield drafts.at(PHONE, 1)
    yield from (drafts.at(MAIL, offset) for offset in range(2, 40))
    yield drafts.at(MAIL, 700)
    yield drafts.ending_with(PHONE)
    yield drafts.joined([MAIL, PHONE, MAIL], ",")
    yield drafts.packed([MAIL, PHONE], 16, 1_500)
    yield from drafts.twins(MAIL)[:2]


def test_identifiers_stand_where_it_is_said():
    """Every place of every kind of text holds its identifier."""
    drafts = [draft for test in range(24) for draft in all_kinds(test)]
    assert {draft.text[start:end] == one.value for draft in drafts for one, start, end in draft.places} == {
        True
    }
    assert all(draft.places for draft in drafts)


def test_an_offset_is_met_exactly():
    """`at` puts the identifier at the offset it was asked for, 0 and 1 too."""
    drafts = Drafts(3)
    assert [drafts.at(MAIL, offset).places[0].start for offset in range(200)] == list(range(200))


def test_packed_texts_begin_at_their_offset_and_reach_the_depth():
    """Identifiers alternate from the offset on to beyond the depth."""
    draft = Drafts(3).packed([MAIL, PHONE], 32, 2_000)
    assert draft.places[0].start == 32
    assert [place.identifier.number for place in draft.places[:4]] == [0, 1, 0, 1]
    assert draft.places[-1].end <= 2_100 < len(draft.text) + 100


def test_shifted_texts_begin_behind_so_many_words():
    """Three words and as many more stand before the first, five between one and the next."""
    for words in range(10):
        draft = Drafts(3).shifted(PHONE, words, 500)
        first, second = draft.places[:2]
        assert len(draft.text[: first.start].split()) == 3 + words
        assert len(draft.text[first.end : second.start].split()) == 5


def test_alone_means_as_long_with_as_many_words_and_tokens():
    """At other places stands what is no identifier, with blanks and signs where these were."""
    draft = Drafts(3).packed([MAIL, PHONE], 16, 400)
    text, places = alone(draft, draft.places[2])
    assert places == (draft.places[2],)
    assert text.count(MAIL.value) == 1
    assert text.count("xxx,xxxxx,xxxxxxx,xxx") == sum(one.identifier == MAIL for one in draft.places) - 1
    assert text.count(",xx xx xxxx xxxx") == sum(one.identifier == PHONE for one in draft.places)
    assert text[: draft.places[0].start] == draft.text[: draft.places[0].start]
    assert len(text) == len(draft.text)


@pytest.mark.parametrize(
    ("value", "number", "changed"),
    [
        ("zoe.quill@example.org", 0, "aaa.quill@example.org"),
        ("zoe.quill@example.org", 29, "abd.quill@example.org"),
        ("+44 20 7946 0018", 407, "+44 20 7946 0407"),
        ("жо 7", 3, "жо 3"),
        ("жо", 3, "жо"),
    ],
)
def test_values_are_renumbered_by_hand(value, number, changed):
    """Letters count from the front in 26s, digits at the end in tens."""
    assert renumbered(value, number) == changed


def test_no_two_texts_share_beginning_end_or_length():
    """Lengths differ between all texts of a suite but twins; so do their first and last 100 code points."""
    drafts = [draft for test in range(24) for draft in islice(all_kinds(test), 44)]
    for key in (len, lambda text: text[:100], lambda text: text[-100:]):
        keys = [key(draft.text) for draft in drafts]
        assert len(set(keys)) == len(keys)


def test_shifted_texts_share_neither_beginning_end_nor_length():
    """Nor do texts with one identifier throughout."""
    drafts = Drafts(3)
    texts = [drafts.shifted(PHONE, words, 1_500).text for words in range(60)]
    for key in (len, lambda text: text[:100], lambda text: text[-100:]):
        assert len(set(map(key, texts))) == 60


def test_twins_differ_in_the_middle_alone():
    """Three texts of one length share 250 code points at either end; the last holds no identifier."""
    early, late, without = Drafts(11).twins(MAIL)
    texts = [early.text, late.text, without]
    assert len({len(text) for text in texts}) == len({text[:250] for text in texts}) == 1
    assert len({text[-250:] for text in texts}) == 1
    assert early.places[0].start != late.places[0].start
    assert MAIL.value not in without


def test_fillers_are_of_exact_length_and_plain():
    """A filler has the length asked for, no blank at an end, and lower-case ASCII letters and blanks only."""
    fillers = [filler(length, first=length) for length in range(1, 300)]
    assert [len(text) for text in fillers] == list(range(1, 300))
    assert all(
        text == text.strip() and text.replace(" ", "").isalpha() and text.islower() for text in fillers
    )


def test_shuffled_words_differ_in_order_alone():
    """Each number gives another order of the same words."""
    texts = [shuffled_words(number) for number in range(500)]
    assert len(set(texts)) == 500
    assert len({" ".join(sorted(text.split())) for text in texts}) == 1


def test_a_length_leaves_the_number_of_its_test():
    """Lengths are told apart by their rest to 64."""
    assert [length_for(22, least) for least in (0, 22, 23, 100)] == [22, 22, 86, 150]
