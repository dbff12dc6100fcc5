"""The box of the verdict: what a run fails on, its baseline among it, and what a pass says nothing about."""

from __future__ import annotations

import pytest
from comparison_builders import change, comparison, count, lost_gate, one_more_leak, refusal, refused
from html_reading import Page
from report_builders import report
from report_values import document

from pytest_pii_eval.reports.html.metric_names import readable
from pytest_pii_eval.reports.html.overview import started_text, verdict
from pytest_pii_eval.reports.html.page import render_html
from pytest_pii_eval.reports.model import Report

NARROWED = refusal("limited", "the new run was limited to 3 documents", "new")


@pytest.fixture(scope="module")
def passing():
    """The page of a report that passes."""
    return Page(render_html(report()))


def box(page):
    """Return what the page says before it says what was tested."""
    return page.text[page.text.index("Verdict\nBaseline") : page.text.index("What was tested")]


def test_a_pass_says_what_was_judged(passing):
    """A pass of one gate on leaks says nothing about recall, and the page tells so."""
    assert "Judged were: leaks (1). A pass says nothing about other metrics." in passing.text


def test_no_verdict_is_explained():
    """Where a part ran and nothing failed there is no verdict."""
    selection = {"whole": False, "collected": 9, "selected": 3}
    page = Page(render_html(report(passed=None, selection=selection)))

    assert "NO VERDICT" in page.text
    assert "There is no verdict: part of the suite ran, and nothing failed." in page.text
    assert "Partial: only a part of the suite was asked for." in page.text


def test_a_run_that_holds_fails_on_a_regression():
    """Five figures and a gate are worse than in the baseline: the box, the tab and the table say FAIL."""
    page = Page(render_html(report(), comparison(*one_more_leak(), gates=[lost_gate()], passed=False)))

    assert page.within("title")[0] == "FAIL: tiny-bänk · pii-eval report"
    assert "The baseline fails this run; nothing else does." in box(page)
    assert "2 regressions (4 more figures of the same) against the baseline." in box(page)
    assert "PASS" not in page.text


def test_a_run_that_was_refused_its_baseline_fails():
    """Other gold must be mended before anybody can say that nothing got worse."""
    page = Page(render_html(report(), refused()))

    assert page.within("title")[0].startswith("FAIL:")
    assert (
        "The run could not be compared with the baseline: the gold differs; compare runs on the same gold."
        in box(page)
    )
    assert "PASS" not in page.text


def test_a_long_reason_is_told_to_its_end():
    """A refusal that names many slices is a sentence, not a name to be cut."""
    long = refusal("partial", f"the new run did not score: {', '.join(['slice'] * 60)}; mend that", "old")

    assert verdict(report(), refused(long)).reasons[0].endswith("slice, slice; mend that.")


def test_a_narrowed_run_is_not_compared_and_passes():
    """Who asks for three documents expects no comparison, and no failure by it."""
    page = Page(render_html(report(), refused(NARROWED)))

    assert page.within("title")[0].startswith("PASS:")
    assert "Not compared with the baseline: this run was narrowed on purpose." in box(page)


def test_a_baseline_that_holds_changes_nothing():
    """One leak fewer is no reason to fail."""
    better = change("leaks", count(1, 12), count(0, 12), trend="better", regression=False)
    found = verdict(report(), comparison(better))

    assert (found.word, len(found.reasons)) == ("PASS", 1)


def test_a_run_without_a_verdict_fails_on_a_regression():
    """Part of a suite ran, was compared nevertheless, and got worse."""
    found = verdict(report(passed=None), comparison(*one_more_leak()))

    assert (found.word, found.reasons) == (
        "FAIL",
        ("1 regression (4 more figures of the same) against the baseline.",),
    )


def test_a_run_that_fails_names_its_regressions_first():
    """A lost card breaks a gate of a slice and is a regression."""
    found = verdict(report(lost=1), comparison(*one_more_leak()))

    assert found.reasons == (
        "1 regression (4 more figures of the same) against the baseline.",
        "1 gate of 1 failed.",
        "1 of 4 slices failed.",
    )


@pytest.mark.parametrize("passed", [True, None])
def test_an_incomplete_run_fails_whatever_its_file_says(passed):
    """One item never reported: what holds of the others proves nothing."""
    found = verdict(report(passed=passed, complete=False, missing=["a"], missing_count=1))

    assert (found.word, found.reasons) == ("FAIL", ("The run is not complete: 1 item without a verdict.",))


def test_a_pass_over_leaks_that_nobody_judged_warns():
    """Without its only gate on leaks the run passes while one of three slices with gold leaks."""
    page = Page(render_html(report(gates=[])))

    assert "No gate judged leaks; 1 of 3 slices leaks." in box(page)


def test_a_pass_over_leaks_that_were_judged_does_not_warn(passing):
    """The gate on one slice is a judge of leaks."""
    assert "No gate judged leaks" not in passing.text


def test_a_detector_of_foreign_labels_is_told_by_its_words():
    """Six labels that no map knows: the five most frequent are named where the verdict is."""
    page = Page(render_html(_foreign()))

    assert (
        "The detector said MAILBOX, CCN, \\u{202e}AGE, CITY, DAY and 1 more; no label map knows them,"
        " so recall is 0." in box(page)
    )
    assert "It predicted company; no slice asks for them." in box(page)


def _foreign() -> Report:
    given = report().model_dump(mode="json")
    labels = {"CCN": 7, "MAILBOX": 9, "\u202eAGE": 3, "CITY": 2, "DAY": 2, "ZIP": 1}
    given["slices"]["cards"].update(unmapped_labels=labels, out_of_scope_types={"company": 1})
    gate = {"id": "labels.common", "metric": "predictions_in_scope", "direction": "min", "value": 0}
    judged = {"limit": 1, "support": 25, "verdict": "fail", "reason": "disjoint_labels"}
    subject = {**document()["subject"], "kind": "detector"}
    return Report.model_validate(
        {**given, "gates": [{**gate, **judged}], "passed": False, "subject": subject}
    )


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("dropped", "predictions dropped for their offsets"),
        ("patterns_with_positive_cases", "patterns with a witness"),
        ("high_severity_leaks", "high-severity leaks"),
    ],
)
def test_metrics_are_named_in_words(metric, words):
    """A reader of the box need not know the names of the JSON report."""
    base = report()
    gate = base.gates[0].model_copy(update={"metric": metric})
    page = Page(render_html(base.model_copy(update={"gates": [gate]})))

    assert readable(metric) == words
    assert f"Judged were: {words} (1)." in box(page)


@pytest.mark.parametrize(
    ("started", "shown"),
    [
        ("2026-01-01T00:30:00+02:00", "2025-12-31 22:30 UTC"),
        ("yesterday\x1b[31m", "yesterday\\u{1b}[31m"),
        ("0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00+14:00"),
    ],
)
def test_the_start_is_told_in_utc_or_as_it_is(started, shown):
    """What is no time of our calendar is shown harmless."""
    assert started_text(started) == shown


def test_a_detector_without_a_version_says_so():
    """`unversioned` stands for none."""
    page = Page(render_html(Report.model_validate({**document(), "subject": _unversioned()})))

    assert "bank tiny-bänk, no version declared" in page.text
    assert "unversioned" not in page.text


def _unversioned():
    return {**document()["subject"], "version": "unversioned"}
