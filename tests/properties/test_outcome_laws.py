"""Outcomes of single spans add up to the evidence of the same documents, type by type."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pii_eval.contracts.spans import Detection, GoldSpan, Span
from pytest_pii_eval.scoring.documents import Document, Scope
from pytest_pii_eval.scoring.evidence import TypeCounts
from pytest_pii_eval.scoring.outcomes import outcome_of
from pytest_pii_eval.scoring.tally import score_documents

SCOPE = Scope(frozenset({"a", "b", "c"}))
LENGTH = 14

ranges = st.integers(0, LENGTH - 1).flatmap(
    lambda at: st.tuples(st.just(at), st.integers(at + 1, min(LENGTH, at + 6)))
)
identities = st.sampled_from([None, ("a", "m", "p"), ("a", "n", "p")])
types = st.sampled_from("abcx")
golds = st.builds(lambda r, t, i: GoldSpan(*r, t, i), ranges, types, identities)
spans = st.builds(lambda r, t, i: Span(*r, t, None, i), ranges, types, identities)
detections = st.builds(
    Detection,
    st.lists(spans, max_size=7).map(tuple),
    st.none(),
    st.none(),
    st.sampled_from([False] * 4 + [True]),
)
documents = st.builds(
    Document, st.just(LENGTH), st.lists(golds, max_size=6).map(tuple), st.none() | detections
)


@settings(max_examples=50, deadline=None)
@given(st.lists(documents, min_size=1, max_size=12))
def test_outcomes_sum_to_the_evidence(population: list[Document]) -> None:
    """Exact, shift, wrong type, miss, leak, extra and confusion, of every type."""
    told = [outcome_of(document, SCOPE) for document in population]
    gold = [one for outcome in told for one in outcome.gold]
    predictions = [one for outcome in told for one in outcome.predictions]
    by_state = Counter((one.type, one.state) for one in gold)
    found = Counter((one.type, one.state) for one in predictions)
    leaks = Counter(one.type for one in gold if one.leaks)
    evidence = score_documents(population, SCOPE)
    for name in SCOPE.types:
        row = evidence.types.get(name, TypeCounts())
        states = [by_state[name, state] for state in ("exact", "shift", "wrong_type", "miss")]
        assert states == [row.tp, row.shift, row.wrong_type, row.miss]
        told_of = [found[name, state] for state in ("exact", "overlap", "extra")]
        assert told_of == [row.tp, row.pred - row.tp - row.extra, row.extra]
        assert leaks[name] == evidence.leaking("selected", name).leaks
    assert Counter((one.type, one.taken_for) for one in gold if one.taken_for) == evidence.confusion


@settings(max_examples=50, deadline=None)
@given(documents)
def test_ordinals_name_the_gold_of_the_document(document: Document) -> None:
    """Each gold span in scope is told once, under its own index, with its own place and type."""
    told = outcome_of(document, SCOPE).gold
    expected = [
        (index, span.type, span.start, span.end)
        for index, span in enumerate(document.gold)
        if span.type in SCOPE.types
    ]
    assert [one[:4] for one in told] == expected
