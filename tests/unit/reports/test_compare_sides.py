"""Two runs that are not of one kind, or not whole: a bank and a detector, lost cases, incomplete runs."""

from __future__ import annotations

import pytest
from compared_runs import LOST, Suite, bank_report, finder, found

from pytest_pii_eval.reports.comparing.compare import compare_reports
from pytest_pii_eval.reports.model import Gate


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """The run of a detector that finds all, and of one that loses a card number."""
    folder = tmp_path_factory.mktemp("sides") / "suite"
    suite = Suite()
    return {
        "all": suite.evaluated(folder),
        "no card": suite.evaluated(folder, finder(without=[LOST])),
    }


def of_bank(detector):
    """Return the run of a bank on the same slices, which passed a gate on conformance cases, too."""
    bank = bank_report()
    passed = {"direction": "min", "value": 1.0, "limit": 1.0, "support": 2, "verdict": "pass"}
    gate = Gate(id="conformance.recall", metric="recall", **passed)
    return detector.model_copy(
        update={
            "subject": bank.subject,
            "conformance": bank.conformance,
            "gates": [gate, *detector.gates],
            "fingerprints": {**detector.fingerprints, **bank.fingerprints, "policy": "sha256:" + "3" * 64},
        }
    )


def test_a_bank_and_a_detector_compare_on_slices(runs):
    """Of a bank and a detector on one gold the slices are compared; conformance is left out, and told."""
    bank = of_bank(runs["all"])
    for old, new in ((bank, runs["all"]), (runs["all"], bank)):
        comparison = compare_reports(old, new)
        assert (comparison.passed, comparison.changes, comparison.gates) == (True, [], [])
        assert "only one of the runs was held to conformance cases: conformance is left out" in (
            comparison.notes
        )


def test_a_detector_is_held_to_the_slices_of_a_bank(runs):
    """A card that the bank finds and the detector loses is a regression of the slice."""
    comparison = compare_reports(of_bank(runs["all"]), runs["no card"])
    assert comparison.passed is False
    assert found(comparison, "wide", "payment_card", "leaks") == ((0, None, 1, None), "worse", True)


def test_a_detector_loses_no_name_of_a_catalog(runs):
    """Only a bank names patterns: what it says of its catalog, and gates on that, are left out, and told."""
    bank = of_bank(runs["all"])
    wide = runs["all"].slices["wide"]
    named = {**wide.metrics, "cataloged_recall": wide.metrics["recall"]}
    passed = {"direction": "min", "value": 1.0, "limit": 1.0, "support": 2, "verdict": "pass"}
    gate = Gate(id="gates[9]", slice="wide", metric="cataloged_recall", **passed)
    with_names = {
        "slices": {**bank.slices, "wide": wide.model_copy(update={"metrics": named})},
        "gates": [*bank.gates, gate],
    }
    comparison = compare_reports(bank.model_copy(update=with_names), runs["all"])
    assert (comparison.passed, comparison.changes, comparison.gates) == (True, [], [])
    assert comparison.notes[-1] == (
        "a detector names no pattern of a catalog: catalog figures and gates of slices are left out"
    )


def test_a_bank_and_a_detector_need_the_same_gold(runs):
    """Other gold refuses a bank and a detector as it does two detectors, and nothing else is told."""
    other = {**runs["all"].fingerprints, "gold": "sha256:" + "4" * 64}
    comparison = compare_reports(of_bank(runs["all"]), runs["all"].model_copy(update={"fingerprints": other}))
    assert [one.part for one in comparison.refusals] == ["gold"]
    assert comparison.notes == ["the old run is of a bank, the new one of a detector"]


def test_a_bank_that_lost_its_cases_is_refused(runs):
    """Of two banks the one without conformance lost it: it does not pass on its slices alone."""
    lost = runs["all"].model_copy(update={"subject": bank_report().subject})
    comparison = compare_reports(of_bank(runs["all"]), lost)
    assert comparison.passed is None
    assert [one.words for one in comparison.refusals] == [
        f"the {kind} cases differ; run both on the same case files (the new run has none)"
        for kind in ("positive", "negative")
    ]


def test_documents_without_an_answer_make_a_run_incomplete(runs):
    """Where documents had no answer that is said, and nothing of a run that did not come to its end."""
    cards = runs["all"].slices["cards"]
    counts = {**cards.counts, "failed_documents": 1}
    slices = {**runs["all"].slices, "cards": cards.model_copy(update={"counts": counts})}
    failed = runs["all"].model_copy(update={"slices": slices, "complete": False})
    (refusal,) = compare_reports(runs["all"], failed).refusals
    assert refusal.words == (
        "the new run is incomplete: documents have no answer; mend what keeps them from one, and run it again"
    )


def test_processes_that_disagree_make_a_run_incomplete(runs):
    """Where processes disagreed that is said, and what to do."""
    torn = runs["all"].model_copy(update={"consistent": False, "complete": False})
    (refusal,) = compare_reports(torn, runs["all"]).refusals
    assert refusal.words == (
        "the old run is incomplete: processes disagree about the suite or the subject;"
        " give each of them the same of both"
    )
