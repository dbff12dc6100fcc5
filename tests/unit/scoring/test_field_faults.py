"""Faults seen in the field, as offsets alone: shifted units, fragments, duplicates, gates on the edge."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

import pytest

from pytest_pii_eval.contracts.spans import Detection, GoldSpan, Span, valid_spans
from pytest_pii_eval.scoring.documents import Document, Scope
from pytest_pii_eval.scoring.evidence import Evidence, TypeCounts
from pytest_pii_eval.scoring.exact_metrics import added, f_score
from pytest_pii_eval.scoring.gates import judge, parse_limit
from pytest_pii_eval.scoring.labels import Labels
from pytest_pii_eval.scoring.metrics import derive
from pytest_pii_eval.scoring.tally import score_document

Rows: TypeAlias = list[tuple[int, int, str]]

# id: text length, gold, predictions as a detector gave them, then tp, fp without duplicates, fn, gold
# and covered characters summed over types, and contained gold spans
FAULTS: dict[str, tuple[int, Rows, Rows, tuple[int, ...]]] = {
    "BI-001": (20, [(7, 16, "PERSON")], [(8, 17, "PERSON")], (0, 1, 1, 9, 8, 0)),  # offset.utf16
    "BI-010": (22, [(5, 15, "PERSON")], [(2, 12, "PERSON")], (0, 1, 1, 10, 7, 0)),  # offset.grapheme
    "BI-011": (12, [(2, 12, "PERSON")], [(2, 11, "PERSON")], (0, 1, 1, 10, 9, 0)),  # offset.nfc
    "BI-013": (21, [(10, 21, "SSN")], [(9, 20, "SSN")], (0, 1, 1, 11, 10, 0)),  # offset.grapheme
    "BI-016": (21, [(0, 12, "PERSON")], [(0, 10, "PERSON")], (0, 1, 1, 12, 10, 0)),  # offset.nfc
    "BI-018": (19, [(7, 16, "PERSON")], [(3, 7, "PERSON")], (0, 1, 1, 9, 0, 0)),  # offset.nfd
    "BI-020": (
        29,
        [(3, 13, "PERSON"), (18, 28, "PERSON")],
        [(3, 13, "PERSON"), (3, 13, "PERSON")],
        (1, 0, 1, 20, 10, 1),
    ),  # offset.segment_relative
    "BI-021": (
        30,
        [(0, 4, "PERSON"), (14, 24, "PERSON")],
        [(0, 4, "PERSON"), (31, 41, "PERSON")],
        (1, 1, 1, 14, 4, 1),
    ),  # offset.post_redaction
    "BI-023": (17, [(7, 17, "PERSON")], [(7, 17, "PERSON")], (1, 0, 0, 10, 10, 1)),  # offset.special_char
    "BI-025": (
        24,
        [(7, 15, "PERSON"), (18, 21, "PERSON")],
        [(6, 16, "PERSON"), (18, 21, "PERSON")],
        (1, 1, 1, 11, 11, 2),
    ),  # offset.rtl
    "BI-026": (22, [(3, 18, "PERSON")], [(0, 10, "PERSON")], (0, 1, 1, 15, 7, 0)),  # html.offsets
    "BI-028": (22, [(15, 21, "CITY")], [(15, 22, "CITY")], (0, 1, 1, 6, 6, 1)),  # gold.boundary
    "BI-030": (14, [(0, 12, "PERSON")], [(0, 10, "PERSON")], (0, 1, 1, 12, 10, 0)),  # gold.whitespace
    "BI-033": (
        11,
        [(3, 5, "ORG"), (3, 5, "RUNBOOK")],
        [(3, 5, "ORG")],
        (1, 0, 1, 4, 4, 2),
    ),  # span.same_span_two_labels
    "BI-035": (
        28,
        [(2, 6, "PER"), (11, 24, "PER")],
        [(2, 6, "PER"), (11, 18, "PER"), (19, 24, "PER")],
        (1, 2, 1, 17, 16, 1),
    ),  # score.denominator
    "BI-036": (10, [(0, 4, "X")], [(0, 10, "Y"), (0, 10, "X")], (0, 2, 1, 4, 4, 1)),  # score.label_filter
    "BI-038": (
        10,
        [(0, 10, "PERSON")],
        [(0, 10, "PERSON"), (0, 10, "PERSON"), (0, 10, "PERSON")],
        (1, 0, 0, 10, 10, 1),
    ),  # span.duplicate_pred
    "BI-040": (
        10,
        [(0, 4, "PERSON")],
        [(0, 4, "PERSON"), (5, 6, "PERSON"), (7, 8, "PERSON"), (9, 10, "PERSON")],
        (1, 3, 0, 4, 4, 1),
    ),  # score.swap
    "BI-041": (24, [(5, 20, "PHONE")], [(5, 11, "PHONE")], (0, 1, 1, 15, 6, 0)),  # score.token_vs_span
    "BI-043": (
        40,
        [(0, 10, "PERSON")],
        [(0, 10, "PERSON"), (23, 33, "PERSON")],
        (1, 1, 0, 10, 10, 1),
    ),  # gold.partial_mentions
    "BI-045": (15, [(0, 10, "PERSON")], [(0, 10, "PER")], (0, 1, 1, 10, 10, 1)),  # label.disjoint
    "BI-046": (15, [(0, 10, "PERSON")], [(0, 10, "person")], (0, 1, 1, 10, 10, 1)),  # label.case
    "BI-048": (11, [(5, 10, "ID")], [(5, 9, "ID")], (0, 1, 1, 5, 4, 0)),  # gold.boundary
    "BI-050": (43, [], [(24, 35, "PHONE")], (0, 1, 0, 0, 0, 0)),  # fp.uuid
    "BI-051": (
        32,
        [],
        [(14, 16, "DRIVER_LICENSE"), (17, 19, "DRIVER_LICENSE"), (20, 32, "DRIVER_LICENSE")],
        (0, 3, 0, 0, 0, 0),
    ),  # fp.id_pattern
    "BI-053": (33, [], [(12, 21, "IP")], (0, 1, 0, 0, 0, 0)),  # fp.version
    "BI-055": (
        27,
        [],
        [(12, 21, "SSN"), (9, 16, "PHONE"), (12, 21, "BANK"), (12, 22, "UEN")],
        (0, 4, 0, 0, 0, 0),
    ),  # span.overlap_pred
    "BI-056": (41, [], [(10, 19, "SSN"), (30, 41, "SSN")], (0, 2, 0, 0, 0, 0)),  # fp.order_id
    "BI-058": (34, [(5, 27, "IBAN")], [(5, 34, "IBAN")], (0, 1, 1, 22, 22, 1)),  # boundary.overlong
    "BI-060": (
        33,
        [(4, 8, "PERSON")],
        [(15, 21, "PERSON"), (22, 26, "PERSON"), (27, 33, "PERSON")],
        (0, 3, 1, 4, 0, 0),
    ),  # fn.lowercase
    "BI-061": (31, [(12, 24, "PHONE")], [(6, 24, "EMAIL")], (0, 1, 1, 12, 12, 1)),  # label.wrong_cover
    "BI-063": (
        42,
        [],
        [(0, 17, "EMAIL"), (18, 27, "IP"), (32, 42, "PHONE")],
        (0, 3, 0, 0, 0, 0),
    ),  # fp.email_like
    "BI-065": (
        72,
        [(5, 22, "EMAIL"), (26, 44, "EMAIL"), (48, 72, "EMAIL")],
        [(11, 22, "URL"), (33, 44, "URL")],
        (0, 2, 3, 59, 22, 0),
    ),  # bypass.encoding
    "BI-066": (34, [(9, 26, "PERSON")], [(9, 15, "PERSON")], (0, 1, 1, 17, 6, 0)),  # html.entities
    "BI-068": (
        41,
        [(0, 13, "EMAIL"), (14, 27, "EMAIL"), (28, 41, "EMAIL")],
        [(0, 41, "EMAIL")],
        (0, 1, 3, 39, 39, 3),
    ),  # span.adjacent_merge
    "BI-070": (15, [(5, 11, "PERSON")], [(5, 7, "PERSON")], (0, 1, 1, 6, 2, 0)),  # leak.partial
    "BI-071": (
        20,
        [(0, 5, "PERSON"), (10, 20, "PERSON")],
        [(0, 5, "PERSON"), (10, 14, "PERSON")],
        (1, 1, 1, 15, 9, 1),
    ),  # leak.wrong_occurrence
    "BI-075": (
        399,
        [(379, 395, "EMAIL")],
        [(379, 384, "EMAIL"), (384, 395, "EMAIL")],
        (0, 2, 1, 16, 16, 1),
    ),  # window.boundary; contained by the union of both
    "BI-081": (5, [], [(0, 500, "PERSON")], (0, 1, 0, 0, 0, 0)),  # pred.out_of_range
    "BI-088": (12, [], [], (0, 0, 0, 0, 0, 0)),  # gate.no_predictions
    "BI-091": (11, [(1, 11, "PERSON")], [(0, 10, "PERSON")], (0, 1, 1, 10, 9, 0)),  # file.bom_in_text
    "BI-120": (40, [(11, 31, "PERSON")], [], (0, 0, 1, 20, 0, 0)),  # report.leak.junit
}


def scored(name: str) -> Evidence:
    length, gold, predictions, _ = FAULTS[name]
    kept, dropped = valid_spans((Span(*row) for row in predictions), length)
    document = Document(length, tuple(GoldSpan(*row) for row in gold), Detection(kept), 0, dropped)
    return score_document(document, scope(name))


def scope(name: str) -> Scope:
    _, gold, predictions, _ = FAULTS[name]
    return Scope(frozenset(row[2] for row in gold + predictions))


@pytest.mark.parametrize("name", FAULTS)
def test_counts_of_a_fault(name: str) -> None:
    """Offsets are scored exactly as given: nothing is shifted, clamped, folded or merged to look better."""
    evidence = scored(name)
    micro = added(evidence.types.values())
    leaked = sum(row.leaked_characters for (output, _), row in evidence.leaks.items() if output == "selected")
    assert (
        micro.tp,
        micro.fp - evidence.counts.duplicates + evidence.counts.dropped,
        micro.fn,
        micro.gold_characters,
        micro.gold_characters - leaked,
        evidence.output("selected").contained,
    ) == FAULTS[name][3]


@pytest.mark.parametrize(("name", "duplicates"), [("BI-020", 1), ("BI-038", 2)])
def test_duplicates_cost_precision_and_never_raise_recall(name: str, duplicates: int) -> None:
    """Copies of a prediction are false positives, and recall stays at most 1."""
    evidence = scored(name)
    assert evidence.types["PERSON"].fp == duplicates
    assert evidence.types["PERSON"].tp == 1


def test_two_labels_on_one_gold_range_are_two_gold_spans() -> None:
    """One range under two labels has support 2, and its characters count once in the union."""
    evidence = scored("BI-033")
    assert added(evidence.types.values()).gold == 2
    assert evidence.counts.gold_characters == 2


def test_a_type_scores_the_same_in_a_wider_scope() -> None:
    """The counts of X do not depend on whether Y is asked for beside it."""
    length, gold, predictions, _ = FAULTS["BI-036"]
    document = Document(
        length, tuple(GoldSpan(*row) for row in gold), Detection(tuple(Span(*row) for row in predictions))
    )
    narrow = score_document(document, Scope(frozenset({"X"})))
    wide = score_document(document, Scope(frozenset({"X", "Y"})))
    assert narrow.types["X"] == wide.types["X"]
    assert narrow.output("selected").leaks == wide.output("selected").leaks == 0


def test_precision_and_recall_are_not_swapped() -> None:
    """One hit among four predictions is precision 1/4 and recall 1."""
    metrics = derive(scored("BI-040"), scope("BI-040"), Labels()).types["PERSON"]
    assert (metrics["precision"].value, metrics["recall"].value) == (Fraction(1, 4), Fraction(1))


@pytest.mark.parametrize(
    ("name", "predictions"), [("BI-050", 1), ("BI-051", 3), ("BI-055", 4), ("BI-063", 3)]
)
def test_a_document_without_gold_alarms_once(name: str, predictions: int) -> None:
    """However many predictions a clean document raises, it is one false alarm, and F1 has no value."""
    overall = derive(scored(name), scope(name), Labels()).overall
    assert overall["false_alarm_rate"][:3] == (Fraction(1), 1, 1)
    assert overall["extra_span_rate"].value == predictions
    assert overall["f1"].reason == "no_gold"


def test_a_text_outside_any_prediction_keeps_its_over_redaction() -> None:
    """A prediction 7 characters too long contains the gold span and is 7 characters of over-redaction."""
    overall = derive(scored("BI-058"), scope("BI-058"), Labels()).overall
    assert overall["leaks"].value == 0
    assert overall["over_redaction_rate"][1:3] == (7, 34)


def test_a_prediction_past_the_end_is_dropped_and_counted() -> None:
    """An offset outside the text is never clamped into a hit."""
    evidence = scored("BI-081")
    assert (evidence.counts.dropped, evidence.output("selected").masked_characters) == (1, 0)


@pytest.mark.parametrize("detection", [None, Detection((Span(0, 10, "PERSON"),), partial=True)])
def test_a_failed_detector_misses_and_leaks_everything(detection: Detection | None) -> None:
    """A detector that raised, or whose answer was cut off, is counted as failed with all gold leaked."""
    document = Document(15, (GoldSpan(0, 10, "PERSON"),), detection)
    evidence = score_document(document, Scope(frozenset({"PERSON"})))
    assert evidence.counts.failed_documents == 1
    assert evidence.types["PERSON"] == TypeCounts(gold=1, gold_characters=10)
    assert evidence.output("selected").leaks == 1


def test_an_f1_on_the_edge_of_its_gate_passes() -> None:
    """17/20 keeps the limit 0.9 - 0.05, which binary floating point puts just above 0.85."""
    f1 = f_score(TypeCounts(gold=20, pred=20, tp=17), 1)
    baseline, drop = parse_limit("0.9"), parse_limit("0.05")
    assert baseline is not None
    assert drop is not None
    assert judge(f1, baseline - drop, "min").verdict == "pass"
    assert judge(f1, baseline - drop + Fraction(1, 10**15), "min").verdict == "fail"


def test_nothing_to_find_and_nothing_found_satisfies_no_gate() -> None:
    """Without gold and predictions there is no precision, recall or F1, and their gates stay unjudged."""
    overall = derive(scored("BI-088"), Scope(frozenset({"PERSON"})), Labels()).overall
    assert overall["precision"].reason == "no_predictions"
    assert overall["recall"].reason == "no_gold"
    assert judge(overall["f1"], Fraction(0), "min").verdict == "not_evaluated"
