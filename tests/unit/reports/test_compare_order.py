"""What is told first of two runs, and which figures only say again what another one says."""

from __future__ import annotations

from compared_runs import LOST, Suite, finder
from comparison_builders import change, comparison, count, nothing, one_more_leak, rate

from pytest_pii_eval.reports.comparing.compare import compare_reports
from pytest_pii_eval.reports.comparing.order import by_severity, told_apart
from pytest_pii_eval.reports.comparing.text import comparison_line, comparison_lines


def test_the_worst_kind_comes_first():
    """Leaks of high severity, leaks counted before rated, finds, then the rest; of one kind as they were."""
    moved = [
        change("f1", rate(2, 2), rate(1, 2)),
        change("cataloged_recall", rate(2, 2), rate(1, 2)),
        change("containment", rate(2, 2), rate(1, 2)),
        change("leaks", count(0, 2), count(1, 2), type="email"),
        change("precision", rate(2, 2), rate(1, 2)),
        change("high_severity_leaks", count(0, 1), count(1, 1)),
        change("leaks", count(0, 1), count(1, 1), type="payment", severe=True),
    ]
    assert [(one.metric, one.type) for one in by_severity(moved)] == [
        ("leaks", "payment"),
        ("high_severity_leaks", None),
        ("leaks", "email"),
        ("containment", None),
        ("f1", None),
        ("cataloged_recall", None),
        ("precision", None),
    ]


def test_figures_of_all_types_that_their_types_explain_say_nothing_new():
    """The slice leaks one more, of high severity, and so does its one severe type: that is one thing."""
    own, again = told_apart(one_more_leak())
    assert [(one.metric, one.type) for one in own] == [("leaks", "payment")]
    assert len(again) == 4


def test_a_figure_of_all_types_that_is_no_sum_stands_alone():
    """Three leaks more of which the types told explain one, another population, and null say something."""
    moved = [
        change("leaks", count(0, 9), count(3, 9)),
        change("recall", rate(9, 9), rate(7, 8)),
        change("character_recall", rate(9, 9), nothing()),
        change("leaks", count(0, 4), count(1, 4), type="email"),
        change("recall", rate(4, 4), rate(2, 4), type="email"),
        change("character_recall", rate(4, 4), rate(2, 4), type="email"),
    ]
    assert told_apart(moved) == (moved, [])


def test_another_slice_explains_nothing():
    """A leak of a type in one slice is not that of all types in another."""
    moved = [
        change("leaks", count(0, 4), count(1, 4), slice="a"),
        change("leaks", count(0, 4), count(1, 4), slice="b", type="email"),
    ]
    assert told_apart(moved) == (moved, [])


def test_a_severe_type_is_told_before_the_cut():
    """Of 22 regressions twenty are shown: the last by name comes first, for it is of high severity."""
    moved = [change("leaks", count(0, 4), count(1, 4), slice=f"s{at:02}", type="email") for at in range(21)]
    moved.append(change("leaks", count(0, 4), count(1, 4), slice="z", type="payment", severe=True))
    _, first, *_, cut = comparison_lines(comparison(*moved))
    assert first == "REGRESSION: slice z, payment: leaks 0 -> 1"
    assert cut == "REGRESSION: and 2 more; the JSON form of pii-eval compare has all of them"


def test_one_lost_card_is_a_few_regressions(tmp_path):
    """In a slice of cards it is a leak, a document, its characters, a find; the rest says it again."""
    suite = Suite()
    suite.slices = {"cards": ["payment_card"]}
    suite.gates = ["{slice: cards, metric: leaks, max: 9}"]
    suite.write(tmp_path / "suite")
    old, new = (suite.evaluated(tmp_path / "suite", finder(without=lost)) for lost in ((), (LOST,)))
    compared = compare_reports(old, new)
    own, again = told_apart(by_severity(compared.regressions))
    assert {one.metric for one in own} >= {"leaks", "leaking_documents", "character_recall", "recall"}
    assert (own[0].metric, own[0].type, own[0].severe) == ("leaks", "payment_card", True)
    assert comparison_line(compared) == f"{len(own)} regressions ({len(again)} more figures of the same)"
    assert len(again) > len(own)
