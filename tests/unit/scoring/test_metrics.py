"""Metrics of hand-counted documents: exact fractions, their support, and reasons where there is none."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pytest_pii_eval.contracts.spans import Detection, GoldSpan, Span
from pytest_pii_eval.scoring.documents import Document, Scope
from pytest_pii_eval.scoring.evidence import Evidence
from pytest_pii_eval.scoring.labels import Labels
from pytest_pii_eval.scoring.metrics import OPEN_WORLD, SliceMetrics, derive
from pytest_pii_eval.scoring.tally import score_documents

SCOPE = Scope(frozenset({"person", "secret"}), frozenset({"secret"}))
JANE = ("person", "jane", "full")
JOHN = ("person", "john", "full")

# Two people, one under the wrong name and one missed; a secret half masked beside a stray prediction;
# a clean document with one alarm of 5 of its 50 characters; a clean one left alone.
DOCUMENTS = (
    Document(
        100,
        (GoldSpan(0, 10, "person", JANE), GoldSpan(20, 30, "person", JOHN), GoldSpan(40, 50, "person")),
        Detection((Span(0, 10, "person", None, JOHN), Span(40, 50, "person"))),
    ),
    Document(
        100, (GoldSpan(10, 20, "secret"),), Detection((Span(10, 15, "secret"), Span(60, 70, "person"))), 2, 1
    ),
    Document(50, (), Detection((Span(0, 5, "person"),))),
    Document(50, (), Detection(())),
)

OVERALL = {
    "precision": (2, 5),
    "recall": (2, 4),
    "labeled_span_recall": (2, 4),
    "f1": (4, 9),
    "catalog_coverage": (2, 4),
    "cataloged_recall": (0, 2),
    "wrong_canonical": (1, None),
    "cataloged_document_miss_rate": (1, 1),
    "high_severity_f2": (0, 5),
    "macro_f1": (2, 7),
    "extra_span_rate": (2, 4),
    "document_miss_rate": (2, 2),
    "containment": (2, 4),
    "leaks": (2, None),
    "leak_rate": (2, 4),
    "leaking_documents": (2, None),
    "document_leak_rate": (2, 2),
    "high_severity_leaks": (1, None),
    "high_severity_leak_rate": (1, 1),
    "high_severity_leaking_documents": (1, None),
    "high_severity_document_leak_rate": (1, 1),
    "character_recall": (25, 40),
    "character_leak_rate": (15, 40),
    "masking_precision": (25, 40),
    "over_redaction_rate": (15, 300),
    "masked_character_fraction": (40, 300),
    "zero_gold_document_mask_rate": (1, 2),
    "zero_gold_masked_character_fraction": (5, 100),
    "false_alarm_rate": (1, 2),
    "unmapped": (2, None),
    "dropped": (1, None),
    "failed_documents": (0, None),
}


def metrics(documents: tuple[Document, ...] = DOCUMENTS, labels: Labels | None = None) -> SliceMetrics:
    return derive(score_documents(documents, SCOPE), SCOPE, labels or Labels())


@pytest.mark.parametrize("name", OVERALL)
def test_overall_metrics_keep_numerator_and_denominator(name: str) -> None:
    """Every overall metric is the fraction counted by hand, with both integers beside it."""
    numerator, denominator = OVERALL[name]
    metric = metrics().overall[name]
    assert (metric.numerator, metric.denominator) == (numerator, denominator)
    assert metric.value == Fraction(numerator, denominator or 1)


def test_metrics_of_a_type() -> None:
    """A type's figures count its own gold and predictions only."""
    person = metrics().types["person"]
    assert person["precision"][:3] == (Fraction(1, 2), 2, 4)
    assert person["recall"][:3] == (Fraction(2, 3), 2, 3)
    assert person["character_recall"][:3] == (Fraction(2, 3), 20, 30)
    assert "f2" not in person
    assert metrics().types["secret"]["f2"][:3] == (Fraction(0), 0, 5)


def test_macro_f1_is_the_mean_over_types_with_gold() -> None:
    """Person has F1 4/7, secret 0: the mean is 2/7 over two types."""
    assert metrics().overall["macro_f1"] == (Fraction(2, 7), 2, 7, 2, None)


def test_macro_f1_leaves_out_types_without_gold() -> None:
    """A type that was only predicted has no F1 to average; its false positives stay in the micro figures."""
    document = DOCUMENTS[0]._replace(detection=Detection((Span(60, 70, "secret"),)))
    assert metrics((document,)).overall["macro_f1"] == (Fraction(0), 0, 1, 1, None)


def test_f2_weighs_a_miss_four_times_a_false_alarm() -> None:
    """One hit, one miss and two false positives: 5 / (5 + 4 + 2)."""
    spans = (Span(0, 5, "secret"), Span(6, 7, "secret"), Span(8, 9, "secret"))
    document = Document(30, (GoldSpan(0, 5, "secret"), GoldSpan(20, 25, "secret")), Detection(spans))
    assert metrics((document,)).types["secret"]["f2"][:4] == (Fraction(5, 11), 5, 11, 2)


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        (Labels(independent=False), "structured_weak_labels"),
        (Labels(exhaustive=False), "partial_annotation"),
        (Labels(covering=False), "regions_do_not_cover_view"),
        (Labels(independent=False, exhaustive=False, covering=False), "structured_weak_labels"),
    ],
)
def test_weaker_labels_keep_labelled_span_and_catalog_figures_only(labels: Labels, reason: str) -> None:
    """What partial, weak or partly covering labels cannot support is null with the reason, never a number."""
    overall = metrics(labels=labels).overall
    assert {name for name, metric in overall.items() if metric.reason == reason} == {
        name for name in overall if name.removeprefix("protection_").removeprefix("candidate_") in OPEN_WORLD
    }
    assert overall["labeled_span_recall"].value == Fraction(1, 2)
    assert overall["catalog_coverage"].value == Fraction(1, 2)
    assert overall["containment"].value == Fraction(1, 2)


def test_an_empty_population_supports_no_metric() -> None:
    """Without documents every metric is null, overall and by type."""
    empty = derive(Evidence(), SCOPE, Labels())
    everything = [*empty.overall.values(), *empty.types["person"].values(), *empty.types["secret"].values()]
    assert {metric.reason for metric in everything} == {"empty_population"}
    assert {metric.value for metric in everything} == {None}


def test_every_name_is_there_whatever_the_evidence() -> None:
    """The set of metric names depends on the scope alone."""
    assert derive(Evidence(), SCOPE, Labels()).overall.keys() == metrics().overall.keys()


def test_metrics_without_a_population_name_it() -> None:
    """Clean documents without predictions leave each metric null for the population that it lacks."""
    overall = metrics(DOCUMENTS[3:]).overall
    assert {name: overall[name].reason for name in ("precision", "recall", "macro_f1", "leaks")} == {
        "precision": "no_predictions",
        "recall": "no_gold",
        "macro_f1": "no_gold",
        "leaks": "no_gold",
    }
    assert overall["cataloged_recall"].reason == "no_cataloged_gold"
    assert overall["high_severity_f2"].reason == "no_high_severity_gold"
    assert overall["high_severity_document_leak_rate"].reason == "no_high_severity_gold"
    assert overall["repeated_identifier_coverage"].reason == "no_repeated_identifiers"
    assert overall["masking_precision"].reason == "no_masked_characters"
    assert overall["false_alarm_rate"].value == 0
    assert metrics(DOCUMENTS[:1]).overall["false_alarm_rate"].reason == "no_zero_gold_documents"
    assert metrics((Document(0, (), Detection(())),)).overall["over_redaction_rate"].reason == "no_characters"


def test_a_gold_free_population_with_alarms_has_no_f1() -> None:
    """Precision is 0 there, but F1 needs gold to speak about."""
    overall = metrics(DOCUMENTS[2:]).overall
    assert overall["precision"].value == 0
    assert overall["f1"].reason == "no_gold"


def test_an_unbound_catalog_has_no_catalog_figures() -> None:
    """Gold that was never adjudicated against a bank says nothing about the bank."""
    overall = metrics(labels=Labels(cataloged=False)).overall
    assert {overall[name].reason for name in ("catalog_coverage", "cataloged_recall", "wrong_canonical")} == {
        "catalog_unbound"
    }
    assert overall["cataloged_document_miss_rate"].reason == "catalog_unbound"


def test_outputs_that_a_document_did_not_expose_are_null() -> None:
    """One document without protection or candidates leaves their metrics null, with the reason."""
    exposed = DOCUMENTS[0]._replace(detection=Detection((), (Span(0, 10, "person"),), ((20, 30), (30, 50))))
    whole, mixed = metrics((exposed,)), metrics((exposed, DOCUMENTS[1]))
    assert whole.overall["protection_containment"][:3] == (Fraction(2, 3), 2, 3)
    assert whole.overall["protection_leaks"].value == 1
    assert whole.overall["protection_masking_precision"][:3] == (Fraction(2, 3), 20, 30)
    assert whole.overall["candidate_coverage"][:3] == (Fraction(1, 3), 1, 3)
    assert whole.types["person"]["candidate_coverage"].value == Fraction(1, 3)
    assert mixed.overall["protection_containment"].reason == "protection_unavailable"
    assert mixed.overall["candidate_coverage"].reason == "candidates_unavailable"
    assert mixed.types["person"]["protection_leaks"].reason == "protection_unavailable"


def test_protection_follows_the_labels_like_any_output() -> None:
    """Weak labels support no masking precision of protection ranges either."""
    exposed = DOCUMENTS[0]._replace(detection=Detection((), (), ((0, 10),)))
    overall = metrics((exposed,), Labels(independent=False)).overall
    assert overall["protection_masking_precision"].reason == "structured_weak_labels"
    assert overall["protection_containment"].value == Fraction(1, 3)


def test_a_failure_on_a_clean_document_supports_no_false_alarm_rate() -> None:
    """A detector that failed on a document without gold has not shown that it leaves it alone."""
    overall = metrics((*DOCUMENTS, Document(10, (), None))).overall
    assert overall["false_alarm_rate"].reason == "failed_documents"
    assert overall["zero_gold_document_mask_rate"].reason == "failed_documents"
    assert overall["recall"].value == Fraction(1, 2)


def test_a_prediction_outside_the_scope_masks_but_is_not_judged() -> None:
    """A type nobody asked the slice about covers gold characters, and costs no precision."""
    document = Document(20, (GoldSpan(0, 5, "person"),), Detection((Span(0, 10, "city"),)))
    overall = metrics((document,)).overall
    assert overall["leaks"].value == 0
    assert overall["character_recall"].value == 1
    assert overall["precision"].reason == "no_predictions"
    assert overall["over_redaction_rate"].value == 0


def test_one_bank_gives_four_different_answers() -> None:
    """Three names, two cataloged, one of those under a wrong name, and the uncataloged one found."""
    documents = (
        Document(10, (GoldSpan(0, 4, "person", JANE),), Detection((Span(0, 4, "person", None, JANE),))),
        Document(10, (GoldSpan(0, 4, "person", JOHN),), Detection((Span(0, 4, "person", None, JANE),))),
        Document(10, (GoldSpan(0, 4, "person"),), Detection(())),
    )
    overall = metrics(documents).overall
    assert overall["catalog_coverage"].value == Fraction(2, 3)
    assert overall["cataloged_recall"].value == Fraction(1, 2)
    assert overall["recall"].value == Fraction(2, 3)
    assert overall["document_miss_rate"].value == Fraction(1, 3)
