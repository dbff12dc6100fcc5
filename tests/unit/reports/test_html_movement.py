"""What moved against a baseline on the page: the worst first, and what only says it again in a fold."""

from __future__ import annotations

import pytest
from comparison_builders import change, comparison, count, one_more_leak, rate
from html_reading import Page
from html_reports import full_comparison, full_report
from report_builders import report

from pytest_pii_eval.reports.comparing.model import Comparison
from pytest_pii_eval.reports.html.movement import movement
from pytest_pii_eval.reports.html.page import render_html

ANCHORS = {"cards": "slice-1"}


@pytest.fixture(scope="module")
def many_types():
    """Twelve types that lost their recall, then one more leak: what is worst stands last."""
    lost = [change("recall", rate(4, 4), rate(3, 4), type=f"type-{number:02}") for number in range(12)]
    leaks = change("leaks", count(0, 4), count(1, 4), type="type-05")
    return movement(comparison(*lost, leaks), ANCHORS)


def _firsts(one):
    return [(row[0].text, row[0].below) for row in one.rows]


def test_what_moved_is_told_with_counts():
    """A regression names slice, metric and type, both figures, and that it is one, before the difference."""
    text = Page(render_html(full_report(), full_comparison())).text
    moved = text[text.index("Figures that moved") : text.index("Gates with another verdict")]

    assert "cards\nrecall of payment\n1.0 (8/8)\n0.7500 (6/8)\n✗ regression\n-0.25" in moved
    assert "d1#0\n▼ lost" in text


def test_a_tolerance_that_was_passed_is_named():
    """Beyond 0.1, not merely worse."""
    worse = change("recall", rate(8, 8), rate(6, 8), tolerance="0.1")
    shown = movement(comparison(worse), ANCHORS)

    assert shown.tables[0].rows[0][3].text == "✗ regression, beyond 0.1"


def test_ten_figures_are_shown_and_the_others_folded(many_types):
    """Of thirteen figures three are in the fold."""
    assert [len(one.rows) for one in many_types.tables] == [10]
    assert [(one.caption, len(one.rows)) for one in many_types.folded] == [("3 more figures that moved", 3)]


def test_the_worst_comes_first(many_types):
    """A leak stands before finds, wherever the comparison has it."""
    assert _firsts(many_types.tables[0])[0] == ("cards", "leaks of type-05")


def test_figures_that_say_it_again_are_folded():
    """The rate of a leak, and the sums of what one type moved, stand apart from it."""
    shown = movement(comparison(*one_more_leak()), ANCHORS)
    again = {below for one in shown.folded for _, below in _firsts(one)}

    assert "leaks of payment" in [below for _, below in _firsts(shown.tables[0])]
    assert "containment of payment" in again
    assert len(shown.tables[0].rows) + sum(len(one.rows) for one in shown.folded) == 5


def test_a_regression_never_hides_behind_a_figure_that_may_move():
    """Leaks are within their tolerance, containment is not: it stays in sight."""
    leaks = change("leaks", count(0, 4), count(1, 4), regression=False, tolerance="1")
    contained = change("containment", rate(4, 4), rate(3, 4))
    shown = movement(comparison(contained, leaks), ANCHORS)

    assert _firsts(shown.tables[0])[0] == ("cards", "containment")


def test_a_refused_comparison_says_why():
    """Nothing is compared over other gold."""
    given = full_comparison().model_dump()
    refusal = {"part": "gold", "side": "both", "words": "the gold differs; score both on the same"}
    refused = {**given, "changes": [], "gates": [], "moves": None, "passed": None, "refusals": [refusal]}
    page = Page(render_html(report(), Comparison.model_validate(refused)))

    assert "○ Not compared" in page.text
    assert "gold (of both): the gold differs; score both on the same" in page.text


def test_without_a_baseline_nothing_is_said_to_have_moved():
    """Silence is not the same as no regression."""
    assert "No baseline was given" in Page(render_html(report())).text
