"""Ids beyond what memory keeps: the same repetition, and the same cover, as a dict of all of them tells."""

from __future__ import annotations

from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pii_eval.contracts import runs
from pytest_pii_eval.contracts.places import Place, Places
from pytest_pii_eval.contracts.runs import Runs

names = st.integers(0, 40).map("doc-{}".format)
mentions = st.lists(st.tuples(names, st.booleans()), max_size=60)
kept = st.integers(1, 12)


def placed(drawn: list[tuple[str, bool]]) -> list[tuple[str, Place]]:
    """Each name with its place: lines count up, and a name that is marked begins another file."""
    file, line, found = 0, 0, []
    for name, begins in drawn:
        file, line = (file + 1, 1) if begins else (file, line + 1)
        found.append((name, (f"records-{file:03}.jsonl", line)))
    return found


def repetition(rows: list[tuple[str, Place]]) -> tuple[Place, Place] | None:
    """The first row whose name an earlier one has, by a dict."""
    first: dict[str, Place] = {}
    for name, place in rows:
        if name in first:
            return first[name], place
        first[name] = place
    return None


def added(rows: list[tuple[str, Place]], number: int) -> Places:
    """The ids of `rows`, that many of them in memory."""
    places = Places(number)
    for name, place in rows:
        places.add(name, place)
    return places


@settings(max_examples=50, deadline=None)
@given(mentions, kept)
def test_the_earliest_repetition_is_told_however_few_ids_are_in_memory(
    drawn: list[tuple[str, bool]], number: int
) -> None:
    """Both places are those of a dict, whether `add` could tell or not."""
    rows = placed(drawn)
    assert added(rows, number).repeated() == repetition(rows)


@settings(max_examples=50, deadline=None)
@given(mentions, kept)
def test_what_is_told_at_once_is_true(drawn: list[tuple[str, bool]], number: int) -> None:
    """`add` names the first mention or nothing, and never anything while all ids are in memory and new."""
    places, first = Places(number), {}
    for name, place in placed(drawn):
        told = places.add(name, place)
        assert told in (None, first.get(name))
        if len(first) < number:
            assert told == first.get(name)
        first.setdefault(name, place)


@settings(max_examples=50, deadline=None)
@given(st.sets(names), st.sets(names), kept, kept)
def test_ids_that_another_set_lacks_are_counted_with_the_earliest(
    mine: set[str], theirs: set[str], number: int, other: int
) -> None:
    """The difference of two sets, and the least place in it, by Python's own sets."""
    lines = {name: ("mine.jsonl", line) for line, name in enumerate(sorted(mine), start=1)}
    places = added(list(lines.items()), number)
    others = added([(name, ("theirs.jsonl", 1)) for name in theirs], other)
    left = mine - theirs
    assert places.lacking(others) == (len(left), min((lines[name] for name in left), default=None))


@settings(max_examples=30, deadline=None)
@given(st.sets(names), kept)
def test_every_id_and_no_other_is_found_again(mine: set[str], number: int) -> None:
    """Membership and iteration are those of a set, with ids on disk as in memory."""
    places = added([(name, ("mine.jsonl", 1 + int(name[4:]))) for name in mine], number)
    assert {name for name in map("doc-{}".format, range(41)) if name in places} == mine
    assert sorted(place for _, place in places) == sorted(("mine.jsonl", 1 + int(name[4:])) for name in mine)
    assert len(places) == len(mine)
    assert all(places.holds(digest) for digest, _ in places)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(st.binary(min_size=4, max_size=4), min_size=1, max_size=5), max_size=30), kept)
def test_runs_of_all_levels_are_one_sorted_list(drawn: list[list[bytes]], number: int) -> None:
    """Three runs become one of the next level, whose runs do the same; nothing is lost or doubled."""
    made = Runs(4, number)
    with patch.object(runs, "FAN", 3):
        for entries in drawn:
            made.append(sorted(entries))
    assert list(made.merged([b"last"])) == sorted(
        [entry for entries in drawn for entry in entries] + [b"last"]
    )
    assert all(made.holds(entry[:2]) for entries in drawn for entry in entries)
    assert [len(level.runs) for level in made._levels] == digits(len(drawn))


def digits(number: int) -> list[int]:
    """The digits of a number in base three, the last one first: so many runs each level has."""
    found = [number % 3]
    while number := number // 3:
        found.append(number % 3)
    return found
