"""What the page says of a failed gate: by how much, which types are behind it, and what comes first."""

from __future__ import annotations

import re

import pytest
from comparison_builders import count, rate
from report_builders import report

from pytest_pii_eval.reports.markdown.page import render_markdown


def told(given):
    """Return the line below the verdict."""
    return render_markdown(given).split("\n")[1]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (
            {"metric": "recall", "direction": "min", "value": 11 / 12, "limit": 0.95},
            (
                "recall 0.9167 (11/12), must be at least 0.95 (support 12):"
                " type `payment` is not found exactly in 1 of 8 gold spans"
            ),
        ),
        (
            {"metric": "recall", "direction": "min", "value": 11 / 12, "limit": 0.91667},
            (
                "recall 0.9166666666666666 (11/12), must be at least 0.91667 (support 12):"
                " type `payment` is not found exactly in 1 of 8 gold spans"
            ),
        ),
        (
            {"metric": "precision", "direction": "min", "value": 11 / 12, "limit": 0.95},
            (
                "precision 0.9167 (11/12), must be at least 0.95 (support 12):"
                " type `payment` is wrong in 1 of 8 predictions"
            ),
        ),
        (
            {"metric": "protection_leaks", "value": None, "limit": 5, "reason": "protection_unavailable"},
            (
                "protection_leaks null, must be at most 5 (support 12, protection_unavailable):"
                " type `payment` leaks 1 of 8 gold spans"
            ),
        ),
        (
            {"metric": "candidate_coverage", "value": None, "limit": 1, "direction": "min"},
            "candidate_coverage null, must be at least 1 (support 12)",
        ),
        (
            {"metric": "f1", "direction": "min", "value": 0.5, "limit": 0.6},
            (
                "f1 0.5000, must be at least 0.6 (support 12):"
                " type `payment` is not found exactly in 1 of 8 gold spans and is wrong in 1 of 8 predictions"
            ),
        ),
        (
            {"metric": "character_recall", "direction": "min", "value": 0.5, "limit": 0.9},
            (
                "character_recall 0.5000, must be at least 0.9 (support 12):"
                " type `payment` leaves 16 of 128 gold characters visible"
            ),
        ),
        (
            {"metric": "document_miss_rate", "value": 0.25},
            (
                "document_miss_rate 0.2500 (1/4), must be at most 0 (support 12):"
                " type `payment` is not found exactly in 1 of 8 gold spans"
            ),
        ),
        (
            {"metric": "high_severity_document_leak_rate", "value": 0.25},
            (
                "high_severity_document_leak_rate 0.2500 (1/4), must be at most 0 (support 12):"
                " type `payment` leaks 1 of 8 gold spans"
            ),
        ),
        (
            {"metric": "protection_masking_precision", "direction": "min", "value": 0.5, "limit": 0.9},
            "protection_masking_precision 0.5000, must be at least 0.9 (support 12)",
        ),
        (
            {"metric": "extra_span_rate", "value": 0.5},
            (
                "extra_span_rate 0.5000, must be at most 0 (support 12):"
                " type `payment` is extra in 1 of 8 predictions"
            ),
        ),
        ({"metric": "leaks", "type": "payment"}, "leaks 1, must be at most 0 (support 12)"),
        (
            {"metric": "false_alarm_rate", "value": 0.5},
            "false_alarm_rate 0.5000 (1/2), must be at most 0 (...)",
        ),
    ],
)
def test_a_failed_gate_says_by_how_much_and_why(fields, words):
    """Value with its counts, limit, support, and the types that leak, are missed or are wrong."""
    (gate,) = report(lost=1).gates
    line = told(report(lost=1, gates=[gate.model_copy(update=fields)]))
    place = "slice `cards`, type `payment`" if "type" in fields else "slice `cards`"
    assert line == f"- Failed: {place}: {words.replace('(...)', '(support 12)')}"


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("cataloged_recall", "type `email` is not mapped in 1 of 2 cataloged spans"),
        ("cataloged_document_miss_rate", "type `email` is not mapped in 1 of 2 cataloged spans"),
        ("wrong_canonical", "type `payment` has another name in 2 of 3 cataloged spans"),
        ("protection_leaks", "type `email` leaks 3 of 4 gold spans"),
        ("protection_containment", "type `email` leaks 3 of 4 gold spans"),
        ("protection_character_recall", "type `payment` leaves 5 of 128 gold characters visible"),
    ],
)
def test_a_gate_blames_the_type_of_its_own_figure(metric, words):
    """Payment loses a find and leaks: each metric names the type that is bad in its own population."""
    given = report(lost=1)
    figures = {
        "email": {"cataloged_recall": rate(1, 2), "protection_leaks": count(3, 4)},
        "payment": {
            "cataloged_recall": rate(3, 3),
            "wrong_canonical": count(2, 3),
            "protection_leaks": count(0, 8),
            "protection_character_recall": rate(123, 128),
        },
    }
    cards = given.slices["cards"]
    found = {
        type_: one.model_copy(update={"metrics": {**one.metrics, **figures[type_]}})
        for type_, one in cards.by_type.items()
    }
    (gate,) = given.gates
    failing = {
        "slices": {"cards": cards.model_copy(update={"by_type": found})},
        "gates": [gate.model_copy(update={"metric": metric})],
    }
    assert told(given.model_copy(update=failing)).endswith(f"(support 12): {words}")


def test_the_worst_gate_comes_first():
    """Leaks before recall, and a slice where high severity leaks before another, whatever their order."""
    given = report(lost=1)
    (gate,) = given.gates
    recall = gate.model_copy(update={"metric": "recall", "value": 0.5, "limit": 1.0, "direction": "min"})
    gates = [gate.model_copy(update={"slice": "names"}), recall, gate]
    line = told(given.model_copy(update={"gates": gates}))
    assert re.findall(r"slice `(\w+)`: (\w+)", line) == [
        ("cards", "leaks"),
        ("names", "leaks"),
        ("cards", "recall"),
    ]


def test_documents_without_an_answer_are_a_cause():
    """A gate that fails for want of answers says so before the types."""
    given = report(lost=1)
    cards = given.slices["cards"]
    counts = {**cards.counts, "failed_documents": 2}
    slices = {"cards": cards.model_copy(update={"counts": counts})}
    line = told(given.model_copy(update={"slices": slices}))
    assert line.endswith(": 2 documents have no answer, type `payment` leaks 1 of 8 gold spans")
