"""Slice aggregates against the accumulator of nerb 0.0.12 on generated documents.

The one difference in meaning: on documents without gold nerb gives F1 = 0 where something was predicted;
here F1 has no value there. nerb counts characters by the predictions of the slice's own classes, which
is the output `scope` here; leaks of the output `selected` look at every prediction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pii_eval.contracts.spans import Detection, GoldSpan, Span
from pytest_pii_eval.scoring.documents import Document, Scope
from pytest_pii_eval.scoring.exact_metrics import added
from pytest_pii_eval.scoring.labels import Labels
from pytest_pii_eval.scoring.metrics import derive
from pytest_pii_eval.scoring.tally import score_documents

if TYPE_CHECKING:
    from pytest_pii_eval.scoring.evidence import Evidence

nerb = pytest.importorskip("nerb.enron_quality")

TYPES = ("person", "contact")
SCOPES = {"person": ("person",), "contact": ("contact",), nerb.PERSON_CONTACT_SCOPE_ID: TYPES}
METRICS = {
    "precision": "precision",
    "open_world_recall": "recall",
    "f1": "f1",
    "catalog_coverage": "catalog_coverage",
    "cataloged_recall": "cataloged_recall",
    "document_leak_rate": "document_miss_rate",
    "cataloged_document_leak_rate": "cataloged_document_miss_rate",
    "negative_document_false_alarm_rate": "false_alarm_rate",
    "over_redaction_rate": "over_redaction_rate",
}


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """One document whose gold spans differ in range or type, as nerb demands."""
    length = draw(st.integers(3, 20))
    starts = st.integers(0, length - 1)
    ranges = starts.flatmap(lambda at: st.tuples(st.just(at), st.integers(at + 1, min(length, at + 6))))
    keys = st.tuples(ranges, st.sampled_from(TYPES))
    identity = st.tuples(st.sampled_from("ab"), st.sampled_from("pq"))
    gold = draw(st.dictionaries(keys, st.none() | identity, max_size=4))
    found = draw(st.lists(keys, max_size=3))
    if gold:
        found += draw(st.lists(st.sampled_from(sorted(gold)), max_size=4))
    return Document(
        length,
        tuple(GoldSpan(*place, type_, name and (type_, *name)) for (place, type_), name in gold.items()),
        Detection(tuple(Span(*place, type_, None, (type_, *draw(identity))) for place, type_ in found)),
    )


def theirs(population: list[Document], entity_class: str) -> dict[str, object]:
    digest = "sha256:" + "0" * 64
    spec = nerb._SliceSpec(
        *("slice", "labels", "independent", TYPES, ("body",), digest, (), "exhaustive_within_scope"),
        *(entity_class, "all", "train", "view", digest, digest, ("body",), True, False, False),
    )
    accumulator = nerb._SliceAccumulator()
    for one in population:
        nerb._accumulate_slice_document(
            accumulator,
            spec,
            nerb._Document("d", "x" * one.length, "view", "train"),
            tuple(nerb._GoldSpan("d", g.type, g.start, g.end, g.identity) for g in one.gold),
            tuple(nerb._Prediction("d", p.type, p.start, p.end, *p.identity) for p in one.detection.selected),
        )
    return nerb._finish_slice(spec, accumulator)


def ours(evidence: Evidence) -> dict[str, int]:
    micro, counts, scope = added(evidence.types.values()), evidence.counts, evidence.output("scope")
    return {
        "documents": counts.documents,
        "documents_with_sensitive_gold": counts.documents_with_gold,
        "documents_with_any_miss": counts.documents_with_any_miss,
        "documents_with_cataloged_gold": counts.documents_with_cataloged_gold,
        "documents_with_any_cataloged_miss": counts.documents_with_any_cataloged_miss,
        "documents_with_any_leaked_character": scope.leaking_documents,
        "gold_spans": micro.gold,
        "predicted_spans": micro.pred,
        "true_positive": micro.tp,
        "false_positive": micro.fp,
        "false_negative": micro.fn,
        "cataloged_gold_spans": micro.cataloged,
        "cataloged_true_positive": micro.cataloged_tp,
        "cataloged_false_negative": micro.cataloged_fn,
        "cataloged_wrong_canonical": micro.wrong_canonical,
        "sensitive_gold_characters": counts.gold_characters,
        "covered_sensitive_characters": scope.covered_characters,
        "leaked_sensitive_characters": counts.gold_characters - scope.covered_characters,
        "predicted_characters": scope.masked_characters,
        "over_redacted_characters": scope.masked_characters - scope.covered_characters,
        "evaluated_characters": counts.characters,
        "negative_documents": counts.zero_gold_documents,
        "negative_documents_with_predictions": scope.zero_gold_masked_documents,
    }


@settings(max_examples=100, deadline=None)
@given(st.lists(documents(), min_size=1, max_size=4), st.sampled_from(sorted(SCOPES)))
def test_every_aggregate_of_a_slice_agrees_with_nerb(population: list[Document], entity_class: str) -> None:
    """All counts are equal, and so is every metric, but F1 without gold."""
    scope = Scope(frozenset(SCOPES[entity_class]))
    evidence, expected = score_documents(population, scope), theirs(population, entity_class)
    counts = ours(evidence)
    assert counts == {name: expected[name] for name in counts}
    overall = derive(evidence, scope, Labels()).overall
    for name, own_name in METRICS.items():
        value = overall[own_name].value
        if name == "f1" and not counts["gold_spans"]:
            assert value is None
        else:
            assert (None if value is None else float(value)) == pytest.approx(expected["metrics"][name])
