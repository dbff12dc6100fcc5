"""Laws of evidence: it adds up in any order and grouping, and its identities always hold."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import reduce

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pii_eval.contracts.spans import Detection, GoldSpan, Span
from pytest_pii_eval.scoring.documents import Document, Scope
from pytest_pii_eval.scoring.evidence import Evidence
from pytest_pii_eval.scoring.exact_metrics import added
from pytest_pii_eval.scoring.labels import Labels
from pytest_pii_eval.scoring.metrics import derive
from pytest_pii_eval.scoring.packing import packed, unpacked
from pytest_pii_eval.scoring.tally import score_document, score_documents

SCOPE = Scope(frozenset({"a", "b"}), frozenset({"b"}))
LENGTH = 30

ranges = st.integers(0, LENGTH - 1).flatmap(
    lambda at: st.tuples(st.just(at), st.integers(at + 1, min(LENGTH, at + 9)))
)
identities = st.sampled_from([None, ("a", "m", "p"), ("a", "n", "p")])
types = st.sampled_from("abx")
golds = st.builds(
    lambda r, t, i, g: GoldSpan(*r, t, i, g), ranges, types, identities, st.none() | st.integers(0, 1)
)
spans = st.builds(lambda r, t, i: Span(*r, t, None, i), ranges, types, identities)
detections = st.builds(
    Detection,
    st.lists(spans, max_size=5).map(tuple),
    st.none() | st.lists(spans, max_size=2).map(tuple),
    st.none() | st.lists(ranges, max_size=2).map(tuple),
    st.just(False),
)
documents = st.builds(
    Document,
    st.just(LENGTH),
    st.lists(golds, max_size=5).map(tuple),
    st.none() | detections,
    st.integers(0, 1),
)
populations = st.lists(documents, max_size=6)


@settings(max_examples=100, deadline=None)
@given(populations, st.randoms(use_true_random=False))
def test_order_of_documents_and_spans_is_irrelevant(population: list[Document], shuffler: object) -> None:
    """Shuffling documents, gold spans, predictions and ranges gives equal evidence."""

    def shuffled(values: tuple[object, ...] | None) -> tuple[object, ...] | None:
        return None if values is None else tuple(shuffler.sample(values, len(values)))

    turned = [
        one._replace(
            gold=shuffled(one.gold),
            detection=one.detection and Detection(*map(shuffled, one.detection[:3])),
        )
        for one in shuffler.sample(population, len(population))
    ]
    assert score_documents(turned, SCOPE) == score_documents(population, SCOPE)


@settings(max_examples=100, deadline=None)
@given(populations, populations, populations)
def test_evidence_is_a_commutative_monoid(
    first: list[Document], second: list[Document], third: list[Document]
) -> None:
    """Merging is associative and commutative, has a neutral element, and equals scoring together."""
    one, two, three = (score_documents(population, SCOPE) for population in (first, second, third))
    assert one.merge(two) == two.merge(one)
    assert one.merge(two).merge(three) == one.merge(two.merge(three))
    assert one.merge(Evidence()) == Evidence().merge(one) == one
    assert one.merge(two).merge(three) == score_documents(first + second + third, SCOPE)


@settings(max_examples=100, deadline=None)
@given(populations)
def test_nothing_is_pooled_across_documents(population: list[Document]) -> None:
    """Documents scored together give the sum of each scored alone."""
    alone = [score_document(document, SCOPE) for document in population]
    assert score_documents(population, SCOPE) == reduce(Evidence.merge, alone, Evidence())


@settings(max_examples=100, deadline=None)
@given(populations)
def test_counts_always_add_up(population: list[Document]) -> None:
    """Gold and predictions in scope are counted once each, in exact counts, states and pairs alike."""
    evidence = score_documents(population, SCOPE)
    answers = [one.detection.selected for one in population if one.detection is not None]
    for type_ in SCOPE.types:
        row = evidence.types.get(type_, added([]))
        assert row.tp + row.fn == sum(gold.type == type_ for one in population for gold in one.gold)
        assert row.tp + row.fp == sum(span.type == type_ for answer in answers for span in answer)
        assert min(row.fp, row.fn, row.miss, row.extra, row.fp - row.extra, row.cataloged_fn) >= 0
        assert row.tp + row.shift + row.wrong_type + row.miss == row.gold
    assert sum(evidence.confusion.values()) == sum(row.wrong_type for row in evidence.types.values())
    assert min(evidence.paired_miss, evidence.paired_extra) >= 0
    masked = evidence.output("selected")
    assert masked.gold == added(evidence.types.values()).gold
    assert masked.leaks == sum(
        row.leaks for (output, _), row in evidence.leaks.items() if output == "selected"
    )


@settings(max_examples=100, deadline=None)
@given(populations)
def test_rates_lie_between_zero_and_one(population: list[Document]) -> None:
    """Every rate but extra spans per document is a share, and a null one has its reason."""
    metrics = derive(score_documents(population, SCOPE), SCOPE, Labels())
    for name, metric in [
        item for group in (metrics.overall, *metrics.types.values()) for item in group.items()
    ]:
        assert (metric.value is None) == (metric.reason is not None)
        if metric.denominator is not None and name != "extra_span_rate":
            assert 0 <= metric.value <= 1
            assert metric.value == Fraction(metric.numerator, metric.denominator)


@settings(max_examples=50, deadline=None)
@given(populations)
def test_packing_is_reversible_and_canonical(population: list[Document]) -> None:
    """Evidence survives JSON, and equal evidence has equal bytes whatever the order it came about."""
    evidence = score_documents(population, SCOPE)
    form = json.dumps(packed(evidence))
    assert unpacked(json.loads(form)) == evidence
    assert json.dumps(packed(score_documents(population[::-1], SCOPE))) == form
