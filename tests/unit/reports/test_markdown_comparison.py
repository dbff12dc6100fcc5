"""The Markdown of a comparison by structure: verdict, what moved in words and tables, or why not compared."""

from __future__ import annotations

import pytest
from comparison_builders import (
    change,
    comparison,
    count,
    lost_gate,
    lost_span,
    nothing,
    one_more_leak,
    rate,
    refusal,
    refused,
)
from markdown_reading import html, items, strange, tables, titled
from report_builders import report

from pytest_pii_eval.reports.markdown.change_sentences import change_sentence
from pytest_pii_eval.reports.markdown.comparison import render_comparison
from pytest_pii_eval.reports.markdown.escaping import PLAIN
from pytest_pii_eval.reports.markdown.page import render_markdown


def first(markdown, number=3):
    """Return the first raw lines."""
    return markdown.split("\n")[:number]


def test_a_regression_is_the_verdict():
    """The heading counts the regressions, line two tells the worst with its counts, line three counts all."""
    better = change("recall", rate(1, 3), rate(2, 3), slice="names", trend="better", regression=False)
    worse = change("f1", rate(3, 4), rate(2, 4), slice="names", judged=False, regression=False)
    heading, line, baseline = first(render_comparison(comparison(*one_more_leak(), better, worse)))
    assert heading == "## pii-eval compare: FAIL (regressions: 1)"
    assert line == (
        "- Regression: slice `cards`, type `payment`: 1 more leak (0 -> 1 of 8 gold spans)"
        " (4 more figures of the same)"
    )
    assert baseline == (
        "- Against the baseline: regressions 1, more figures of the same 4,"
        " worse but tolerated or not judged 1, better 1, unchanged 100"
    )


def test_no_regression_is_said():
    """Nothing that got worse: the heading says so, and line two that no figure moved."""
    heading, line, _ = first(render_comparison(comparison()))
    assert heading == "## pii-eval compare: no regression"
    assert line == "- Against the baseline: no figure moved, unchanged 100"


def test_each_refusal_has_its_reason():
    """Nothing is compared: part, side and words of the first three, the others in a list."""
    parts = ("gold", "slice_plan", "policy", "taxonomy", "incomplete")
    markdown = render_comparison(refused(*(refusal(part, f"the {part} differs") for part in parts)))
    heading, line, _ = first(markdown)
    assert heading == "## pii-eval compare: not compared"
    assert line == (
        "- Not compared with the baseline: gold (both): the gold differs;"
        " slice_plan (both): the slice_plan differs; policy (both): the policy differs; and 2 more"
    )
    assert items(markdown, "Why nothing was compared") == [
        "taxonomy (both): the taxonomy differs",
        "incomplete (both): the incomplete differs",
    ]
    assert tables(markdown) == []


def test_a_comparison_without_verdict_or_reason_is_no_pass():
    """What says neither that it passed nor why not was not compared."""
    heading, line, _ = first(render_comparison(comparison(passed=None)))
    assert heading == "## pii-eval compare: not compared"
    assert line == "- Not compared with the baseline: no reason was given"


def test_regressions_stand_in_a_table():
    """Old and new with counts, the difference, what was tolerated; figures of the same stand apart."""
    moved = [*one_more_leak(), change("recall", rate(4, 5), rate(3, 5), tolerance="0.1")]
    markdown = render_comparison(comparison(*moved))
    assert titled(markdown, "Regressions").rows == [
        ["cards", "payment", "leaks", "0", "1", "+1", "none"],
        ["cards", "all", "recall", "0.8000 (4/5)", "0.6000 (3/5)", "-0.2", "0.1"],
    ]
    assert titled(markdown, "More figures of the same regressions").rows == [
        ["cards", "all", "high_severity_leaks", "0", "1", "+1", "none"],
        ["cards", "payment", "containment", "1.0 (8/8)", "0.8750 (7/8)", "-0.125", "none"],
        ["cards", "all", "leaks", "0", "1", "+1", "none"],
        ["cards", "all", "containment", "1.0 (12/12)", "0.9167 (11/12)", "-0.08333", "none"],
    ]


def test_a_type_of_high_severity_comes_first():
    """Types of high severity are told before others, whatever their name."""
    moved = comparison(
        change("leaks", count(0, 4), count(3, 4), type="email"),
        change("leaks", count(0, 8), count(1, 8), type="payment", severe=True),
    )
    assert first(render_markdown(report(), moved))[1] == (
        "- Regression: slice `cards`, type `payment`: 1 more leak (0 -> 1 of 8 gold spans);"
        " slice `cards`, type `email`: 3 more leaks (0 -> 3 of 4 gold spans)"
    )


def test_the_rest_is_folded():
    """What is worse but tolerated, what is better, and what else changed: a folded table each."""
    fields = {"slice": "names", "regression": False}
    moved = comparison(
        change("recall", rate(2, 4), rate(1, 4), tolerance="0.5", **fields),
        change("f1", rate(2, 4), rate(1, 4), judged=False, **fields),
        change("leaks", count(2, 3), count(1, 3), trend="better", **fields),
        change("precision", nothing("no_predictions"), rate(1, 1), trend="neither", **fields),
    )
    markdown = render_comparison(moved)
    *folds, mark = [line for line in html(markdown) if line != "</details>"]
    assert mark == "<!-- pii-eval comparison -->"
    assert folds == [
        "<details><summary>Worse, but not judged or within the tolerance (2)</summary>",
        "<details><summary>Better (1)</summary>",
        "<details><summary>Changed (1)</summary>",
    ]
    assert [row[-1] for row in titled(markdown, "Worse").rows] == ["0.5", "not judged"]
    assert titled(markdown, "Changed").rows == [
        ["names", "all", "precision", "null (no_predictions)", "1.0 (1/1)", "cannot be told", "none"]
    ]
    assert strange(markdown) == []


def test_gates_with_another_verdict_are_listed():
    """A gate that was lost counts as a regression; one that was gained stands in a list."""
    markdown = render_comparison(comparison(gates=[lost_gate()], passed=False))
    heading, line, _ = first(markdown)
    assert heading == "## pii-eval compare: FAIL (regressions: 1)"
    assert line == "- Regression: gate `max-leaks` of slice `cards`: pass -> fail"
    found = lost_gate().model_copy(update={"old": "fail", "new": "pass", "regression": False})
    markdown = render_comparison(comparison(gates=[found]))
    assert items(markdown, "Gates with another verdict") == ["gate max-leaks of slice cards: fail -> pass"]


def test_lost_and_gained_are_named_by_id():
    """Cases and spans by opaque id, with the slices that hold them; lost before gained."""
    gained = {"kind": "case", "id": "person.01", "slices": [], "type": None, "direction": "gained"}
    found = lost_span().model_copy(update={**gained, "old": "missed", "new": "mapped"})
    markdown = render_comparison(comparison(moves=[found, lost_span()]))
    assert [(table.title, table.rows) for table in tables(markdown)] == [
        ("Lost cases and spans (1)", [["span", "doc-1#0", "payment", "exact", "miss", "cards"]]),
        ("Gained cases and spans (1)", [["case", "person.01", "-", "missed", "mapped", "-"]]),
    ]


def test_notes_and_sides_are_told():
    """Whose runs these were, and what a reader must know about the comparison."""
    markdown = render_comparison(comparison(notes=["the scorer has another version"]))
    assert "\n- Old run: detector `finder`, scored by version `0.1.0`\n" in markdown
    assert items(markdown, "Notes on the comparison") == ["the scorer has another version"]


@pytest.mark.parametrize(
    ("metric", "old", "new", "words"),
    [
        ("leaks", count(0, 8), count(1, 8), "1 more leak (0 -> 1 of 8 gold spans)"),
        ("leaks", count(3, 8), count(1, 8), "2 fewer leaks (3 -> 1 of 8 gold spans)"),
        ("leaks", count(1, 8), count(2, 9), "1 more leak (1 of 8 -> 2 of 9 gold spans)"),
        (
            "protection_high_severity_leaks",
            count(0, 8),
            count(2, 8),
            "2 more protection high-severity leaks (0 -> 2 of 8 high-severity gold spans)",
        ),
        (
            "leaking_documents",
            count(1, 3),
            count(3, 3),
            "2 more leaking documents (1 -> 3 of 3 documents with gold)",
        ),
        (
            "failed_documents",
            count(0, 3),
            count(2, 3),
            "2 more documents without an answer (0 -> 2 of 3 documents)",
        ),
        ("unmapped", count(0, 3), count(5, 3), "5 more predictions without a type (0 -> 5)"),
        ("other", count(0, 3), count(2, 3), "2 more others (0 -> 2)"),
        ("recall", rate(1, 2), rate(1, 4), "recall 0.5000 (1/2) -> 0.2500 (1/4)"),
        ("leaks", count(0, 3), nothing("failed_documents"), "leaks 0 -> null (failed_documents)"),
        ("leaks", count(1, 3), count(1, 4), "leaks 1 -> 1"),
    ],
)
def test_a_change_in_words(metric, old, new, words):
    """Counts as more or fewer of what, rates as they are, and null with its reason."""
    assert change_sentence(change(metric, old, new), PLAIN) == f"slice cards: {words}"


def test_conformance_is_a_place_of_its_own():
    """A change without a slice is one of conformance; its type is an entity."""
    fields = {"slice": None, "type": "person"}
    assert change_sentence(change("missed", count(0, 9), count(1, 9), **fields), PLAIN) == (
        "conformance, entity person: 1 more missed case (0 -> 1 of 9 cases)"
    )
