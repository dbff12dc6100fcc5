"""What the error dump shows of many or long errors: bounded, and what is left out is counted."""

from __future__ import annotations

import unicodedata

import pytest

from pytest_pii_eval.reports.dump.census import Census
from pytest_pii_eval.reports.dump.contexts import context_of, shortened, visible
from pytest_pii_eval.reports.dump.gathering import Gathering
from pytest_pii_eval.reports.dump.model import Dump, Occurrence, Page, Some, Unanswered
from pytest_pii_eval.reports.dump.occurrences import occurrences
from pytest_pii_eval.reports.dump.pages import pages_of
from pytest_pii_eval.reports.dump.text_form import text_form


def missed(text: str, surface: str, *slices: str) -> Occurrence:
    """Return a miss of the first `surface`."""
    start = text.index(surface)
    return Occurrence("miss", "person", start, start + len(surface), "", slices or ("all",))


def gathered(documents: list[tuple[str, str, list[Occurrence]]]) -> tuple[Page, ...]:
    """Return the pages of documents, each with id, text and errors."""
    census = Census()
    for _, text, found in documents:
        census.add(text, found)
    gathering = Gathering(census)
    for name, text, found in documents:
        gathering.add(name, text, found, [])
    return gathering.pages()


def test_two_hundred_surfaces_of_a_type_are_shown() -> None:
    """The most frequent of 204 is first, though met last; four single ones are left out and counted."""
    names = [*(f"name{number}" for number in range(203)), "again", "Again"]
    documents = [(f"d{number}", name, [missed(name, name)]) for number, name in enumerate(names)]
    (section,) = gathered(documents)[0].sections
    assert (section.number, len(section.groups), section.left_out) == (205, 200, 4)
    assert (section.groups[0].surface, section.groups[0].number) == ("again", 2)
    assert section.groups[0].documents.shown == ("d203", "d204")
    assert "4 more errors" in "".join(text_form(Dump("d 1", 205, gathered(documents), ())))


def test_an_error_counts_once_however_many_slices_hold_it() -> None:
    """One miss in three slices is one error, in each of them; a repeated extra is two."""
    gold = [[0, "person", 2, 5, "miss", None, True]]
    extra = ["person", 7, 9, "extra"]
    found = occurrences([(gold, [extra, extra]), (gold, [])], {"a": 0, "b": 1, "c": 1})
    assert found == [
        Occurrence("extra", "person", 7, 9, "", ("a",)),
        Occurrence("extra", "person", 7, 9, "", ("a",)),
        Occurrence("leak", "person", 2, 5, "", ("a", "b", "c")),
        Occurrence("miss", "person", 2, 5, "", ("a", "b", "c")),
    ]


def test_a_context_has_sixty_code_points_on_each_side() -> None:
    """What is cut on a side is told by an ellipsis; where the text ends there is none."""
    text = "a" * 100 + "Bo" + "c" * 60
    context = context_of("d", text, missed(text, "Bo"), [])
    assert [part.text for part in context.parts] == ["…", "a" * 60, "Bo", "c" * 60]


def test_a_long_span_is_cut_in_its_middle() -> None:
    """The first and last 80 characters stay, and the rest is counted."""
    assert shortened("a" * 80 + "b" * 1_000 + "c" * 80) == f"{'a' * 80} […1,000 characters…] {'c' * 80}"


def test_predictions_are_marked_inside_and_beside_the_gold() -> None:
    """Two predictions over one gold span: what is only gold, only predicted, and both."""
    found = Occurrence("shift", "person", 4, 8, "", ("all",))
    context = context_of("d", "0123456789ab", found, [(6, 10, "person"), (2, 5, "org"), (10, 12, "far")])
    assert [(part.text, part.mark) for part in context.parts] == [
        ("01", ""),
        ("23", "predicted"),
        ("4", "both"),
        ("5", "gold"),
        ("67", "both"),
        ("89", "predicted"),
        ("ab", ""),
    ]
    assert context.predictions == ("person 6-10", "org 2-5")


def test_of_many_predictions_all_are_marked_and_those_of_the_type_are_told_first() -> None:
    """Ten predictions over one span: each is marked, eight are told, and two are counted."""
    found = Occurrence("shift", "person", 0, 30, "", ("all",))
    others = [(start, start + 2, "org") for start in range(0, 27, 3)]
    context = context_of("d", "x" * 40, found, [*others, (20, 35, "person")])
    assert context.predictions[0] == "person 20-35"
    assert (len(context.predictions), context.predictions[-1]) == (9, "and 2 more")
    assert [part.text for part in context.parts if part.mark == "predicted"] == ["x" * 5]
    assert sum(len(part.text) for part in context.parts if part.mark == "both") == 7 * 2 + 10


@pytest.mark.parametrize(
    "character", ["\u202e", "\u2069", "\u200b", "\ufeff", "\x00", "\x9b", "\u2028", "\ue000"]
)
def test_what_cannot_be_seen_is_escaped(character: str) -> None:
    """Direction marks, zero width, controls of both sets, line separators and private characters."""
    assert visible(f"a{character}b") == f"a\\u{{{ord(character):x}}}b"


def test_letters_of_every_script_stay() -> None:
    """With their marks, digits, punctuation and symbols."""
    text = unicodedata.normalize("NFD", "Zoë Ж 山 ש नि ๑, “€” 😀")
    assert visible(text) == text


def test_hostile_names_are_inert_in_every_file() -> None:
    """Of types, slices, documents, detectors and reasons: no markup, no direction mark, all cut."""
    bad = "<script>\"'`{{ 1 }}\u202e\x1b\n" + "x" * 10_000
    found = Occurrence("wrong_type", bad, 0, 2, bad, (bad,))
    census = Census()
    census.add("Bo", [found])
    gathering = Gathering(census)
    gathering.add(bad, "Bo", [found], [(0, 2, bad)])
    dump = Dump(bad, 1, gathering.pages(), (Unanswered(bad, 1, Some((bad,), 0)),))
    pages = {name: "".join(pieces) for name, pieces in pages_of(dump)}
    text = "".join(text_form(dump))
    assert len(pages) == 6
    assert not any("<script" in page for page in pages.values())
    for told in (*pages.values(), text):
        assert not {"\u202e", "\x1b"} & set(told)
        assert "x" * 200 not in told
    assert "{{ 1 }}" in pages["wrong-types.html"]
