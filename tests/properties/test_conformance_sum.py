"""Evidence of conformance adds in any order and grouping, and travels unchanged."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pytest_pii_eval.contracts.cases import Expected
from pytest_pii_eval.contracts.patterns import ActivePattern, Match
from pytest_pii_eval.scoring.conformance import (
    CaseEvidence,
    ConformanceTally,
    decode,
    encode,
    encode_positive,
    judge_positive,
)
from pytest_pii_eval.session.conformance import aggregate, tally
from pytest_pii_eval.session.results import Results

ENTITY_OF = ["a", "a", "b", "b", "b", "c"]
OUTCOMES = st.sampled_from(["correct", "missed", "wrong_canonical"])
TAGS = st.lists(st.sampled_from(["boundary", "casing", "html"]), unique=True).map(tuple)
PAIRS = st.lists(st.tuples(st.integers(0, 5), OUTCOMES), max_size=6).map(tuple)
NOTHING = st.just(())
FAILURES = st.none() | st.sampled_from(["time_limit", "match_limit"])
POSITIVES = st.builds(CaseEvidence, st.just("positive"), TAGS, PAIRS, st.just(0), NOTHING, failure=FAILURES)
ENTITIES = st.lists(st.sampled_from(["a", "b", "c"]), unique=True, min_size=1).map(tuple)
HITS = st.builds(
    CaseEvidence,
    st.just("negative"),
    TAGS,
    NOTHING,
    hits=st.integers(1, 9),
    hit_entities=ENTITIES,
    failure=st.none(),
)
CLEAN = st.builds(CaseEvidence, st.just("negative"), TAGS, NOTHING, st.just(0), NOTHING, failure=FAILURES)
CASES = st.lists(st.one_of(POSITIVES, HITS, CLEAN), max_size=12)


def _counts(value: object) -> object:
    if isinstance(value, dict):
        return {key: _counts(inner) for key, inner in value.items()}
    slots = getattr(type(value), "__slots__", None)
    if isinstance(slots, tuple):
        return {field: _counts(getattr(value, field)) for field in slots}
    return value


def _sum(cases) -> object:
    total = ConformanceTally()
    for case in cases:
        total.add(case, ENTITY_OF)
    return _counts(total)


def _plain(cases) -> dict[str, int]:
    """Count what a tally counts in the plainest way."""
    positives = [case for case in cases if case.kind == "positive"]
    negatives = [case for case in cases if case.kind == "negative"]
    return {
        "positive_cases": len(positives),
        "negative_cases": len(negatives),
        "unexpected": len([case for case in negatives if case.hits]),
        "failed_scans": len([case for case in cases if case.failure]),
    }


@given(CASES, st.randoms(use_true_random=False))
def test_any_order_gives_the_same_sum(cases, rng) -> None:
    """Adding is commutative: a shuffled suite has the same counts in every field."""
    shuffled = rng.sample(cases, len(cases))
    assert _sum(shuffled) == _sum(cases)


@given(CASES)
def test_the_sum_counts_each_case_once(cases) -> None:
    """The totals are those of counting by hand."""
    total = _sum(cases)
    assert {field: total[field] for field in _plain(cases)} == _plain(cases)
    outcomes = [(pattern, outcome) for case in cases for pattern, outcome in case.outcomes]
    for entity in "abc":
        of_entity = [outcome for pattern, outcome in outcomes if ENTITY_OF[pattern] == entity]
        counts = total["entities"].get(entity)
        if counts is None:
            assert of_entity == []
            continue
        found = (counts["correctly_mapped"], counts["missed"], counts["wrong_canonical"])
        assert found == tuple(of_entity.count(one) for one in ("correct", "missed", "wrong_canonical"))
        assert counts["witnesses"] == {pattern for pattern, _ in outcomes if ENTITY_OF[pattern] == entity}


@given(st.one_of(POSITIVES, HITS, CLEAN))
def test_evidence_survives_its_journey(evidence) -> None:
    """Reading what was written gives equal evidence."""
    assert decode(encode(evidence)) == evidence


@given(TAGS, PAIRS.filter(bool))
def test_the_short_cut_writes_what_the_long_way_writes(tags, pairs) -> None:
    """The quick form for positive cases is the usual one."""
    assert encode_positive(tags, pairs) == encode(CaseEvidence("positive", tags, pairs))


def _results(cases, order) -> Results:
    results = Results()
    results.facts = {
        "entities": [["a", 0, 2], ["b", 2, 5], ["c", 5, 6]],
        "whole": True,
        "planned": {
            "positive": sum(case.kind == "positive" for case in cases),
            "negative": sum(case.kind == "negative" for case in cases),
            "occurrences": sum(len(case.outcomes) for case in cases),
        },
    }
    for index in order:
        results.evidence[f"f::{index}"] = encode(cases[index])
    return results


@given(CASES, st.randoms(use_true_random=False))
def test_reports_may_come_in_any_order(cases, rng) -> None:
    """The aggregate is the same to the byte, in whatever order reports arrive."""
    order = list(range(len(cases)))
    first = _results(cases, order)
    rng.shuffle(order)
    second = _results(cases, order)
    texts = [aggregate(one, tally(one), complete=True).model_dump_json() for one in (first, second)]
    assert texts[0] == texts[1]


@given(CASES, st.data())
def test_a_lost_case_never_shrinks_a_denominator(cases, data) -> None:
    """Without the evidence of some cases all they expected is missed, and counts still add up."""
    kept = data.draw(st.lists(st.sampled_from(range(len(cases))), unique=True)) if cases else []
    results = _results(cases, kept)
    judged = aggregate(results, tally(results), complete=False)
    assert judged.approved_positive_cases == sum(len(case.outcomes) for case in cases)
    assert judged.correctly_mapped + judged.missed + judged.wrong_canonical == judged.approved_positive_cases
    correct = [outcome for index in kept for _, outcome in cases[index].outcomes].count("correct")
    assert judged.correctly_mapped == correct
    assert judged.passed is False


PATTERNS = [
    ActivePattern(entity, name, pattern, "literal", name.upper()[:1], "x", 1)
    for entity in ("e", "f")
    for name in ("a1", "a2", "b")
    for pattern in ("p", "q")
]
SPANS = st.tuples(st.integers(0, 2), st.integers(3, 4), st.integers(0, len(PATTERNS) - 1))


def _slow(expected, matches) -> list[str]:
    """Judge as spec/bank.md says it, one occurrence after another, over plain lists."""
    left = sorted(set(matches))
    outcomes = dict.fromkeys(expected, "missed")
    for wanted in expected:
        if wanted in left:
            left.remove(wanted)
            outcomes[wanted] = "correct"
    for wanted in sorted(expected):
        if outcomes[wanted] == "correct":
            continue
        own = PATTERNS[wanted[2]]
        for match in left:
            other = PATTERNS[match[2]]
            same_place = match[:2] == wanted[:2] and other.entity_id == own.entity_id
            if same_place and (other.name_id, other.canonical_name) != (own.name_id, own.canonical_name):
                left.remove(match)
                outcomes[wanted] = "wrong_canonical"
                break
    return [outcomes[wanted] for wanted in expected]


@given(st.lists(SPANS, unique=True, max_size=7), st.lists(SPANS, unique=True, max_size=7))
def test_judging_is_what_the_document_says(expected, matches) -> None:
    """Outcomes are those of a slow judge, whatever the order of occurrences and matches."""
    wanted = [Expected(*one) for one in expected]
    found = [Match(*one) for one in matches]
    assert list(judge_positive(wanted, found, PATTERNS)) == _slow(expected, matches)
