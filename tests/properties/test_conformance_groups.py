"""Sums of conformance form a commutative monoid: groups of cases, in any order, add up to the cases."""

from __future__ import annotations

import json
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pii_eval.scoring.case_groups import (
    GroupEvidence,
    add_evidence,
    is_cut_off,
    is_group,
    pack_group,
    unpack_group,
)
from pytest_pii_eval.scoring.conformance import CaseEvidence, ConformanceTally, encode, tally_of

PATTERNS = 12
ENTITY_OF = ["a"] * 5 + ["b"] * 6 + ["c"]
TAGS = st.lists(st.sampled_from(["boundary", "casing", "html"]), unique=True).map(tuple)
OUTCOMES = st.sampled_from(["correct", "missed", "wrong_canonical"])
PAIRS = st.lists(st.tuples(st.integers(0, PATTERNS - 1), OUTCOMES), max_size=6).map(tuple)
FAILURES = st.none() | st.sampled_from(["time_limit", "match_limit"])
POSITIVES = st.builds(lambda t, p, f: CaseEvidence("positive", t, p, failure=f), TAGS, PAIRS, FAILURES)
ENTITIES = st.lists(st.sampled_from(["a", "b", "c"]), unique=True, min_size=1).map(tuple)
HITS = st.builds(lambda t, n, e: CaseEvidence("negative", t, (), n, e), TAGS, st.integers(1, 9), ENTITIES)
CLEAN = st.builds(lambda t, f: CaseEvidence("negative", t, failure=f), TAGS, FAILURES)
CASES = st.lists(st.one_of(POSITIVES, HITS, CLEAN), max_size=10)


def _tally(cases) -> ConformanceTally:
    total = ConformanceTally()
    for case in cases:
        total.add(case, ENTITY_OF)
    return total


def _plain(total: ConformanceTally) -> object:
    """Return every count as plain values, by the names of the fields."""
    return (
        (total.positive_cases, total.negative_cases, total.unexpected, total.failed_scans),
        {name: _fields(one) for name, one in total.entities.items()},
        {name: _fields(one) for name, one in total.tags.items()},
    )


def _fields(counts: object) -> dict[str, object]:
    return {name: getattr(counts, name) for name in type(counts).__slots__}


def _merged(*tallies: ConformanceTally) -> ConformanceTally:
    total = ConformanceTally()
    for one in tallies:
        total.merge(one)
    return total


@settings(max_examples=50)
@given(CASES, CASES, CASES)
def test_merging_is_associative(first, second, third) -> None:
    """(a + b) + c has the counts of a + (b + c)."""
    left = _merged(_merged(_tally(first), _tally(second)), _tally(third))
    right = _merged(_tally(first), _merged(_tally(second), _tally(third)))
    assert _plain(left) == _plain(right)


@settings(max_examples=50)
@given(CASES, CASES)
def test_merging_is_commutative(first, second) -> None:
    """A + b has the counts of b + a, and is written with the same bytes."""
    one, other = _merged(_tally(first), _tally(second)), _merged(_tally(second), _tally(first))
    assert _plain(one) == _plain(other)
    assert one.packed() == other.packed()


@settings(max_examples=50)
@given(CASES)
def test_nothing_is_the_identity(cases) -> None:
    """Adding a sum of no cases changes nothing, from either side."""
    total = _tally(cases)
    assert _plain(_merged(total, ConformanceTally())) == _plain(total)
    assert _plain(_merged(ConformanceTally(), total)) == _plain(total)


@settings(max_examples=50)
@given(CASES, st.data())
def test_groups_add_up_to_their_cases(cases, data) -> None:
    """Whatever the groups, their sums give the counts of adding case by case."""
    parts = data.draw(st.lists(st.integers(0, 3), min_size=len(cases), max_size=len(cases)))
    groups = [_tally(case for case, part in zip(cases, parts, strict=True) if part == n) for n in range(4)]
    assert _plain(_merged(*groups)) == _plain(_tally(cases))


@settings(max_examples=50)
@given(CASES, CASES)
def test_merging_leaves_what_is_added_as_it_is(first, second) -> None:
    """The sum shares nothing with its parts: adding to it later does not reach them."""
    part = _tally(first)
    before = part.packed()
    total = _merged(part)
    total.merge(_tally(second))
    assert part.packed() == before


@settings(max_examples=50)
@given(CASES)
def test_a_sum_survives_its_journey(cases) -> None:
    """Reading what was written gives the same counts."""
    total = _tally(cases)
    assert _plain(tally_of(json.loads(total.packed()))) == _plain(total)


@settings(max_examples=50)
@given(st.sets(st.integers(0, 300)))
def test_witnesses_travel_as_runs(patterns) -> None:
    """Written as start and stop of unbroken runs, they are as many numbers as two a run."""
    case = CaseEvidence("positive", (), tuple((one, "correct") for one in sorted(patterns)))
    total = ConformanceTally()
    total.add(case, ["a"] * 301)
    runs = json.loads(total.packed())["e"].get("a", [0, 0, 0, 0])[4:]
    starts = sorted(one for one in patterns if one - 1 not in patterns)
    stops = sorted(one + 1 for one in patterns if one + 1 not in patterns)
    assert runs[::2] == starts
    assert runs[1::2] == stops


@settings(max_examples=50)
@given(CASES, st.integers(0, 3))
def test_a_group_says_what_it_is(cases, left) -> None:
    """Its evidence is told from that of a case, and says whether cases are left; both add up alike."""
    own = {f"case-{number}": encode(case) for number, case in enumerate(cases)}
    evidence = pack_group(GroupEvidence(_tally(cases), left, {**own, "broken": None}))
    assert is_group(evidence)
    assert is_cut_off(evidence) is (left > 0)
    assert not any(is_group(one) or is_cut_off(one) for one in own.values())
    found = unpack_group(evidence)
    assert (found.left, found.cases) == (left, {**own, "broken": None})
    total, one_by_one = ConformanceTally(), ConformanceTally()
    add_evidence(total, evidence, ENTITY_OF)
    for one in own.values():
        add_evidence(one_by_one, one, ENTITY_OF)
    assert _plain(total) == _plain(one_by_one)
    assert total.failed_scans == Counter(case.failure is not None for case in cases)[True]
