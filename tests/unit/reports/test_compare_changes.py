"""What moved between two runs: counts and rates, what is a regression, and what a tolerance allows."""

from __future__ import annotations

import pytest
from compared_runs import LOST, WORDS, Suite, bank_report, finder, found
from report_values import conformance, document

from pytest_pii_eval import Fault
from pytest_pii_eval.reports.comparing import trends
from pytest_pii_eval.reports.comparing.compare import compare_reports
from pytest_pii_eval.reports.model import Report
from pytest_pii_eval.reports.snapshots.form import snapshot_of
from pytest_pii_eval.scoring.metrics import METRIC_NAMES, TYPE_METRIC_NAMES

CARD = "4111 1111 1111 1111"


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """The run that finds all, one that loses a card number, and one that loses a person."""
    suite = Suite()
    suite.gates = ["{slice: wide, metric: recall, type: payment_card, min: 1}"]
    folder = suite.write(tmp_path_factory.mktemp("changes") / "suite")
    return {
        "all": suite.evaluated(folder),
        "no card": suite.evaluated(folder, finder(without=[LOST])),
        "no person": suite.evaluated(folder, finder(without=[WORDS["person"][0]])),
    }


def test_every_metric_has_a_trend():
    """No metric of a slice or of a type is unknown to the table of what is better."""
    assert METRIC_NAMES | TYPE_METRIC_NAMES <= trends.KNOWN


def test_a_metric_without_a_better_side_is_one_of_two():
    """Only what is masked and what the catalog knew have no better side."""
    neither = {name for name in METRIC_NAMES | TYPE_METRIC_NAMES if trends.aim_of(name) == "neither"}
    assert neither == {
        "masked_character_fraction",
        "protection_masked_character_fraction",
        "catalog_coverage",
    }


@pytest.mark.parametrize(
    ("metric", "aim"),
    [
        ("leaks", "down"),
        ("protection_leaks", "down"),
        ("high_severity_document_leak_rate", "down"),
        ("false_alarm_rate", "down"),
        ("over_redaction_rate", "down"),
        ("policy_loss", "down"),
        ("unmapped", "down"),
        ("dropped", "down"),
        ("recall", "up"),
        ("precision", "up"),
        ("containment", "up"),
        ("candidate_coverage", "up"),
        ("repeated_identifier_coverage", "up"),
    ],
)
def test_which_way_is_better(metric, aim):
    """Fewer leaks and alarms are better, and more finds."""
    assert trends.aim_of(metric) == aim


def test_a_lost_card_is_a_regression_of_its_slice_and_type(runs):
    """One of two card numbers is lost: recall 2/2 -> 1/2 and leaks 0 -> 1, in slice and type; people stay."""
    comparison = compare_reports(runs["all"], runs["no card"])
    assert comparison.passed is False
    assert found(comparison, "wide", "payment_card", "recall") == ((2, 2, 1, 2), "worse", True)
    assert found(comparison, "wide", "payment_card", "leaks") == ((0, None, 1, None), "worse", True)
    assert found(comparison, "wide", None, "recall") == ((12, 12, 11, 12), "worse", True)
    assert found(comparison, "cards", None, "leaking_documents") == ((0, None, 1, None), "worse", True)
    assert {change.slice for change in comparison.changes} == {"cards", "wide"}


def test_regressions_come_first(runs):
    """Regressions, then what is worse and not judged, then the rest; in each by slice, type and metric."""
    changes = compare_reports(runs["all"], runs["no card"]).changes
    ranks = [0 if one.regression else 1 if one.trend == "worse" else 2 for one in changes]
    assert ranks == sorted(ranks)
    assert set(ranks) == {0, 1, 2}
    worst = [(one.slice, one.type or "", one.metric) for one in changes if one.regression]
    assert worst == sorted(worst)


def test_a_gate_that_held_is_a_regression(runs):
    """The floor of the type held and does not now."""
    (gate,) = compare_reports(runs["all"], runs["no card"]).gates
    assert (gate.slice, gate.id, gate.old, gate.new, gate.regression) == (
        *("wide", "gates[0]", "pass", "fail"),
        True,
    )


def test_what_is_found_again_is_better(runs):
    """The other way round nothing is a regression, and the comparison passes."""
    comparison = compare_reports(runs["no card"], runs["all"])
    assert comparison.passed is True
    assert found(comparison, "wide", "payment_card", "recall") == ((1, 2, 2, 2), "better", False)
    assert [(gate.new, gate.regression) for gate in comparison.gates] == [("pass", False)]


def test_a_gain_elsewhere_evens_nothing_out(runs):
    """A person for a card: the slice keeps 11 of 12, and the card is a regression all the same."""
    comparison = compare_reports(runs["no person"], runs["no card"])
    assert comparison.passed is False
    assert ("wide", None, "recall") not in {(one.slice, one.type, one.metric) for one in comparison.changes}
    assert found(comparison, "wide", "payment_card", "recall") == ((2, 2, 1, 2), "worse", True)
    assert found(comparison, "wide", "person", "recall") == ((1, 2, 2, 2), "better", False)


def test_precision_is_shown_and_not_judged(runs):
    """An F1 that falls is worse, and no regression until a tolerance names it."""
    assert found(compare_reports(runs["all"], runs["no card"]), "wide", None, "f1") == (
        *((24, 24, 22, 23), "worse"),
        False,
    )
    judged = compare_reports(runs["all"], runs["no card"], tolerances={"f1": "0.04"})
    assert found(judged, "wide", None, "f1")[2] is True


@pytest.mark.parametrize(("tolerance", "regression"), [("0.5", False), ("0.499999999999999999", True)])
def test_a_tolerance_is_exact(runs, tolerance, regression):
    """Recall of the cards falls by exactly a half: that much is allowed, and not the least less."""
    comparison = compare_reports(runs["all"], runs["no card"], tolerances={"recall": tolerance})
    assert found(comparison, "wide", "payment_card", "recall")[2] is regression


@pytest.mark.parametrize(
    ("tolerances", "words"),
    [
        ({"speed": "1"}, "tolerance 1 names no metric; there are: candidate_"),
        ({"recall": "-1"}, "plain decimal"),
    ],
)
def test_a_tolerance_that_makes_no_sense_is_a_fault(runs, tolerances, words):
    """An unknown metric and a number that is none are refused, and the known ones are listed."""
    with pytest.raises(Fault, match=words) as fault:
        compare_reports(runs["all"], runs["all"], tolerances=tolerances)
    assert "speed" not in str(fault.value)


def test_a_value_that_is_gone_is_a_regression(runs):
    """A judged metric that had a value and is null now is worse than any; the other way round is neither."""
    cards = runs["all"].slices["cards"]
    gone = cards.metrics["recall"].model_copy(
        update={"value": None, "numerator": None, "denominator": None, "support": 0, "reason": "no_gold"}
    )
    slices = {
        **runs["all"].slices,
        "cards": cards.model_copy(update={"metrics": {**cards.metrics, "recall": gone}}),
    }
    without = runs["all"].model_copy(update={"slices": slices})
    (lost,) = compare_reports(runs["all"], without).changes
    assert (lost.trend, lost.regression, lost.difference) == ("neither", True, None)
    (won,) = compare_reports(without, runs["all"]).changes
    assert (won.trend, won.regression) == ("neither", False)


def test_a_snapshot_compares_as_its_report(runs):
    """A baseline of either form gives the same changes."""
    of_report = compare_reports(runs["all"], runs["no card"])
    of_snapshot = compare_reports(snapshot_of(runs["all"]), runs["no card"])
    assert of_snapshot == of_report


@pytest.mark.parametrize(
    "counts",
    [
        {"correctly_mapped": 1, "missed": 1},
        {"correctly_mapped": 1, "wrong_canonical": 1},
        {"unexpected_negative_matches": 1},
        {"failed_scans": 1},
        {"patterns_with_positive_cases": 0},
    ],
    ids=lambda counts: list(counts)[-1],
)
def test_conformance_may_not_get_worse(counts):
    """One case missed, misnamed, hit or failed, or a pattern without a witness, is a regression."""
    comparison = compare_reports(bank_report(), bank_report(**counts))
    assert comparison.passed is False
    assert all(change.slice is None and change.regression for change in comparison.changes)
    assert compare_reports(bank_report(**counts), bank_report()).passed is True


def test_a_tolerance_of_slices_is_none_of_conformance():
    """`recall` speaks about slices; what the catalog may lose is said as `conformance_recall`."""
    worse = bank_report(correctly_mapped=1, missed=1)
    assert compare_reports(bank_report(), worse, tolerances={"recall": "1"}).passed is False
    allowed = {"conformance_recall": "0.5", "conformance_missed": "1"}
    assert compare_reports(bank_report(), worse, tolerances=allowed).passed is True


def test_the_bank_and_the_sources_may_differ():
    """What is compared may be another bank, scored by other sources: a note, and no refusal."""
    old = bank_report()
    scorer = old.scorer.model_copy(update={"source_sha256": "sha256:" + "9" * 64})
    new = old.model_copy(
        update={"scorer": scorer, "fingerprints": {**old.fingerprints, "bank": "sha256:" + "8" * 64}}
    )
    comparison = compare_reports(old, new)
    assert (comparison.passed, comparison.refusals) == (True, [])
    assert comparison.notes == ["the two runs were scored by different sources of pytest-pii-eval"]


def test_cases_of_one_and_slices_of_the_other_are_not_compared(runs):
    """Two runs with no part in common say so, and what each lacks; a detector is never asked for cases."""
    comparison = compare_reports(bank_report(), runs["all"])
    assert comparison.passed is None
    assert {one.part for one in comparison.refusals} == {
        *("nothing_in_common", "gold", "slice_plan", "policy", "taxonomy")
    }


def test_a_slice_that_one_run_lacks_is_refused(runs):
    """A whole run without a slice of the other, say of a corpus that is not prepared, is not compared."""
    rest = {name: one for name, one in runs["all"].slices.items() if name != "cards"}
    (refusal,) = compare_reports(runs["all"], runs["all"].model_copy(update={"slices": rest})).refusals
    assert (refusal.part, refusal.side) == ("slices", "new")
    assert "did not score: cards" in refusal.words


def test_types_of_one_run_are_told(runs):
    """A run narrowed to some types is partial, and its other policy is no second reason."""
    cards = runs["all"].slices["wide"].model_copy(update={"types": ["payment_card"]})
    narrowed = runs["all"].model_copy(
        update={
            "slices": {**runs["all"].slices, "wide": cards},
            "selection": runs["all"].selection.model_copy(update={"whole": False}),
            "fingerprints": {**runs["all"].fingerprints, "quality_policy": "sha256:" + "5" * 64},
        }
    )
    (refusal,) = compare_reports(runs["all"], narrowed).refusals
    assert (refusal.part, refusal.side) == ("partial", "new")


def test_the_host_never_enters(runs):
    """Another time, machine and latency move nothing."""
    run = runs["all"].run.model_copy(update={"seconds": 99.0, "platform": "other"})
    comparison = compare_reports(runs["all"], runs["all"].model_copy(update={"run": run}))
    assert (comparison.changes, comparison.passed) == ([], True)


def test_names_stay_inert_in_refusals(runs):
    """A slice id with an escape sequence is told without it."""
    name = "\x1b[2J<script>" + "x" * 10_000
    slices = {**runs["all"].slices, name: runs["all"].slices["cards"]}
    (refusal,) = compare_reports(runs["all"].model_copy(update={"slices": slices}), runs["all"]).refusals
    assert "\x1b" not in refusal.words
    assert len(refusal.words) < 400


def test_catalog_figures_of_another_catalog_are_left_out(runs):
    """Gold that is declared as cataloged otherwise: no catalog figure is compared, and that is said."""
    old, new = runs["all"], runs["no card"]
    prints = {**new.fingerprints, "catalog_bindings": "sha256:" + "0" * 64}
    slices = {name: one.model_copy(deep=True) for name, one in new.slices.items()}
    slices["wide"].metrics["cataloged_recall"] = old.slices["wide"].metrics["recall"]
    other = new.model_copy(update={"fingerprints": prints, "slices": slices})
    comparison = compare_reports(old, other)
    assert comparison.notes == [
        "the records declare other spans as cataloged: catalog figures of slices are left out"
    ]
    limited = other.model_copy(
        update={"selection": other.selection.model_copy(update={"limit": 1, "whole": False})}
    )
    assert compare_reports(old, limited).notes == []
    assert "cataloged_recall" not in {change.metric for change in comparison.changes}
    assert "recall" in {change.metric for change in comparison.changes}


def test_a_tag_that_fails_instead_of_another_is_a_regression():
    """One failed case as before, of another tag: the sum is what it was, and the tag is named."""
    tags = {"positive_cases": 2, "negative_cases": 0, "unexpected_negative_matches": 0}
    casing = {"casing": {**tags, "failed_positive_cases": 1}, "html": {**tags, "failed_positive_cases": 0}}
    other = {"casing": casing["html"], "html": casing["casing"]}
    old, new = (
        Report.model_validate(document(conformance=conformance(by_tag=one))) for one in (casing, other)
    )
    comparison = compare_reports(old, new)
    assert comparison.passed is False
    assert [(change.type, change.metric, change.regression) for change in comparison.changes] == [
        ("tag html", "failed_positive_cases", True),
        ("tag casing", "failed_positive_cases", False),
    ]


def test_a_corpus_that_is_not_prepared_is_the_only_reason(runs):
    """Its slice is missing, and gold, plan and policy differ by that alone: what to do is told once."""
    new = runs["all"]
    gap = {"cards": {"dimension": "corpus", "reason_code": "corpus_absent"}}
    prints = {**new.fingerprints, **dict.fromkeys(("gold", "slice_plan", "taxonomy"), "sha256:" + "1" * 64)}
    rest = {name: one for name, one in new.slices.items() if name != "cards"}
    told = new.model_dump() | {"fingerprints": prints, "unsupported_slices": gap}
    without = Report.model_validate(told).model_copy(update={"slices": rest})
    comparison = compare_reports(runs["all"], without)
    assert [(one.part, one.side) for one in comparison.refusals] == [("slices", "new")]
    assert "cards; prepare these corpora where it runs" in comparison.refusals[0].words
    assert comparison.faults == comparison.refusals  # nobody asked for less


def test_a_baseline_without_figures_is_refused(runs):
    """One that somebody emptied, its fingerprints kept, says nothing that a run could be held to."""
    baseline = snapshot_of(runs["all"])
    slices = {
        name: one.model_copy(update={"metrics": {}, "types": {}, "gates": []})
        for name, one in baseline.slices.items()
    }
    comparison = compare_reports(baseline.model_copy(update={"slices": slices}), runs["no card"])
    assert comparison.passed is None
    assert [(one.part, one.side) for one in comparison.refusals] == [("incomplete", "old")]
    assert "lacks figures of: cards" in comparison.refusals[0].words
