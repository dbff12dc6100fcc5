"""Tricky pairs of gold and predictions with figures worked out by hand or by an independent count."""

from __future__ import annotations

from typing import TypeAlias

import pytest

from pytest_pii_eval.contracts.spans import Detection, GoldSpan, Span, grouped
from pytest_pii_eval.scoring.documents import Document, Scope
from pytest_pii_eval.scoring.exact_metrics import added
from pytest_pii_eval.scoring.tally import score_document

Rows: TypeAlias = list[tuple[int, int, str]]

# name: text length, gold, predictions
CASES: dict[str, tuple[int, Rows, Rows]] = {
    "split_prediction": (
        38,
        [(4, 6, "ID"), (7, 22, "ADDRESS")],
        [(4, 6, "ID"), (7, 14, "ADDRESS"), (15, 22, "ADDRESS")],
    ),
    "merged_prediction": (31, [(0, 13, "PERSON"), (15, 23, "ORG")], [(0, 23, "PERSON")]),
    "two_labels_same_span": (10, [(0, 3, "PERSON")], [(0, 4, "ORG"), (0, 4, "PERSON")]),
    "duplicate_identical_prediction": (31, [(8, 24, "EMAIL")], [(8, 24, "EMAIL"), (8, 24, "EMAIL")]),
    "same_bounds_wrong_type": (24, [(5, 19, "ORG")], [(5, 19, "PERSON")]),
    "zero_gold_false_alarm": (45, [], [(4, 11, "PERSON"), (22, 26, "DATE")]),
    "both_empty": (28, [], []),
    "nested_gold_inner_only": (41, [(11, 33, "ADDRESS"), (24, 33, "CITY")], [(24, 33, "CITY")]),
    "repeated_mention_partial": (
        48,
        [(0, 9, "PERSON"), (17, 26, "PERSON"), (33, 42, "PERSON")],
        [(0, 9, "PERSON"), (17, 26, "PERSON")],
    ),
    "unknown_types": (15, [(4, 9, "FOO_TYPE")], [(4, 9, "BAR_TYPE")]),
}

# name: tp, fp, fn | paired shift, wrong type, shift and type, miss, extra | gold, covered and masked
# characters, contained spans, touched spans | any leak, any false alarm
PAIRED = {
    "split_prediction": (1, 2, 1, 1, 0, 0, 0, 1, 17, 16, 16, 1, 2, True, False),
    "merged_prediction": (0, 1, 2, 1, 0, 0, 1, 0, 21, 21, 23, 2, 2, False, False),
    "two_labels_same_span": (0, 2, 1, 1, 0, 0, 0, 1, 3, 3, 4, 1, 1, False, False),
    "duplicate_identical_prediction": (1, 1, 0, 0, 0, 0, 0, 1, 16, 16, 16, 1, 1, False, False),
    "same_bounds_wrong_type": (0, 1, 1, 0, 1, 0, 0, 0, 14, 14, 14, 1, 1, False, False),
    "zero_gold_false_alarm": (0, 2, 0, 0, 0, 0, 0, 2, 0, 0, 11, 0, 0, False, True),
    "both_empty": (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, False, False),
    "nested_gold_inner_only": (1, 0, 1, 0, 0, 0, 1, 0, 22, 9, 9, 1, 2, True, False),
    "repeated_mention_partial": (2, 0, 1, 0, 0, 0, 1, 0, 27, 18, 18, 2, 2, True, False),
    "unknown_types": (0, 1, 1, 0, 1, 0, 0, 0, 5, 5, 5, 1, 1, False, False),
}

# name: exact, shift, wrong type, miss | extra, by the states of the design: overlap alone decides, so a
# prediction may touch two gold spans and a fragment or duplicate of a gold span is no extra
STATES = {
    "split_prediction": (1, 1, 0, 0, 0),
    "merged_prediction": (0, 1, 1, 0, 0),
    "two_labels_same_span": (0, 1, 0, 0, 0),
    "duplicate_identical_prediction": (1, 0, 0, 0, 0),
    "same_bounds_wrong_type": (0, 0, 1, 0, 0),
    "zero_gold_false_alarm": (0, 0, 0, 0, 2),
    "both_empty": (0, 0, 0, 0, 0),
    "nested_gold_inner_only": (1, 0, 1, 0, 0),
    "repeated_mention_partial": (2, 0, 0, 1, 0),
    "unknown_types": (0, 0, 1, 0, 0),
}


def document(name: str) -> Document:
    length, gold, predictions = CASES[name]
    return Document(
        length,
        tuple(GoldSpan(*row) for row in gold),
        Detection(tuple(Span(*row) for row in predictions)),
    )


def scope(name: str) -> Scope:
    _, gold, predictions = CASES[name]
    return Scope(frozenset(row[2] for row in gold + predictions))


@pytest.mark.parametrize("name", CASES)
def test_exact_paired_and_character_counts(name: str) -> None:
    """Each case has the figures that an independent brute-force count found for it."""
    evidence = score_document(document(name), scope(name))
    micro, counts, masked = added(evidence.types.values()), evidence.counts, evidence.output("selected")
    assert (
        micro.tp,
        micro.fp,
        micro.fn,
        counts.paired_shift,
        counts.paired_wrong_type,
        counts.paired_shift_and_type,
        evidence.paired_miss,
        evidence.paired_extra,
        counts.gold_characters,
        masked.covered_characters,
        masked.masked_characters,
        masked.contained,
        micro.gold - micro.miss,
        masked.leaking_documents == 1,
        evidence.output("scope").zero_gold_masked_documents == 1,
    ) == PAIRED[name]


@pytest.mark.parametrize("name", CASES)
def test_states_of_gold_and_extra_predictions(name: str) -> None:
    """Each gold span has the first state that holds of it, and extras overlap no gold span at all."""
    micro = added(score_document(document(name), scope(name)).types.values())
    assert (micro.tp, micro.shift, micro.wrong_type, micro.miss, micro.extra) == STATES[name]


def test_gold_order_does_not_matter_to_a_merged_prediction() -> None:
    """One prediction over two gold spans gives the same evidence whichever gold span comes first."""
    merged = document("merged_prediction")
    turned = merged._replace(gold=merged.gold[::-1])
    assert score_document(turned, scope("merged_prediction")) == score_document(
        merged, scope("merged_prediction")
    )


def test_a_second_copy_of_a_prediction_is_a_duplicate() -> None:
    """The copy of an exact prediction is a false positive and counted as a duplicate."""
    evidence = score_document(document("duplicate_identical_prediction"), Scope(frozenset({"EMAIL"})))
    assert (evidence.types["EMAIL"].fp, evidence.counts.duplicates) == (1, 1)


def test_a_partly_found_repeated_identifier_is_not_covered() -> None:
    """Two of three equal mentions masked leave the one repeated identifier leaking."""
    name = "repeated_mention_partial"
    value = "A" * 9
    repeated = document(name)
    gold = grouped(f"{value}        {value}       {value}      ", repeated.gold)
    evidence = score_document(repeated._replace(gold=gold), scope(name))
    assert evidence.counts.repeated_identifiers == 1
    assert evidence.output("selected").leaking_repeated_identifiers == 1


def test_two_unknown_labels_do_not_become_one() -> None:
    """Types that no taxonomy knows are confused with each other, not equal, and stay counted as unmapped."""
    evidence = score_document(document("unknown_types")._replace(unmapped=2), scope("unknown_types"))
    assert evidence.confusion == {("FOO_TYPE", "BAR_TYPE"): 1}
    assert evidence.counts.unmapped == 2
