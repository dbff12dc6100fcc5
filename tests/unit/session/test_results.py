"""What the controller keeps of the reports it hears."""

from __future__ import annotations

import pytest
from heard import CLEAN, N1, P1, P2, as_text, call, facts, report

from pytest_pii_eval.scoring.conformance import CaseEvidence, encode
from pytest_pii_eval.session.results import Results

MISSED = CaseEvidence("positive", ("html",), ((1, "missed"),))


@pytest.fixture
def results() -> Results:
    """Results of a plan of three cases, nothing heard yet."""
    planned = Results()
    planned.plan([P1, P2, N1])
    return planned


def test_everything_planned_is_missing_at_first(results) -> None:
    """Before anything is heard all is missing, in the order of the plan."""
    assert results.missing() == [P1, P2, N1]


def test_a_plan_said_twice_is_one_plan(results) -> None:
    """Each worker names the same items; they count once."""
    results.plan([P1, P2, N1])
    assert list(results.planned) == [P1, P2, N1]


def test_a_report_brings_outcome_and_evidence(results) -> None:
    """A case that reported is not missing, and its evidence is kept as it came."""
    results.take(call(P1, CLEAN[P1]))
    assert results.outcomes == {P1: "passed"}
    assert results.evidence == {P1: encode(CLEAN[P1])}
    assert results.missing() == [P2, N1]


def test_the_last_report_wins(results) -> None:
    """A case that ran again counts as it ended, once."""
    results.take(call(P2, MISSED))
    results.take(call(P2, CLEAN[P2]))
    assert results.outcomes == {P2: "passed"}
    assert results.evidence == {P2: encode(CLEAN[P2])}
    results.take(call(P2, MISSED))
    assert results.outcomes == {P2: "failed"}
    assert results.evidence == {P2: encode(MISSED)}


def test_phases_around_a_passed_call_say_nothing(results) -> None:
    """A set-up that passed is no outcome yet, and a tear-down that passed changes none."""
    results.take(report(P1, when="setup"))
    assert results.missing() == [P1, P2, N1]
    results.take(call(P1, MISSED))
    results.take(report(P1, when="teardown"))
    assert results.outcomes == {P1: "failed"}


@pytest.mark.parametrize(("when", "kept"), [("setup", {}), ("teardown", {P1: encode(CLEAN[P1])})])
def test_a_failed_phase_is_a_failure(results, when, kept) -> None:
    """A set-up or tear-down that failed fails the case; a set-up is a new attempt without evidence yet."""
    results.take(call(P1, CLEAN[P1]))
    results.take(report(P1, "failed", when))
    assert results.outcomes == {P1: "failed"}
    assert results.evidence == kept


def test_a_skipped_case_is_missing(results) -> None:
    """A case that was skipped gave no verdict, so it is named as missing."""
    results.take(report(N1, "skipped", "setup"))
    assert results.outcomes == {N1: "skipped"}
    assert results.missing() == [P1, P2, N1]


def test_an_expected_failure_gave_its_verdict(results) -> None:
    """A case marked as expected to fail is reported as skipped too, but its evidence is there."""
    results.take(report(P2, "skipped", "call", pii_evidence=encode(MISSED), wasxfail="known"))
    assert results.missing() == [P1, N1]
    assert results.evidence == {P2: encode(MISSED)}


def test_a_crash_is_named(results) -> None:
    """What xdist reports of a worker that died in a case marks the case as crashed, not as missing."""
    results.take(call(P1, CLEAN[P1]))
    results.take(report(P2, "failed", "???"))
    assert results.crashed == {P2}
    assert results.outcomes == {P1: "passed", P2: "crashed"}
    assert results.evidence == {P1: encode(CLEAN[P1])}
    assert results.missing() == [N1]


def test_a_case_that_ran_again_after_a_crash_is_well(results) -> None:
    """A later report of the same case takes the crash back."""
    results.take(report(P2, "failed", "???"))
    results.take(call(P2, CLEAN[P2]))
    assert results.crashed == set()
    assert results.outcomes == {P2: "passed"}


def test_reports_of_others_are_not_ours(results) -> None:
    """An item that is not in the plan leaves nothing."""
    results.take(report("test_other.py::test_x", "failed"))
    results.take(call("test_other.py::test_y", CLEAN[P1]))
    assert (results.outcomes, results.evidence) == ({}, {})


def test_facts_come_with_any_report(results) -> None:
    """The first report of a process carries the facts, whichever item it is of."""
    results.take(report(P1, when="setup", pii_facts=as_text(facts())))
    assert results.facts == facts()
    assert not results.facts_disagree


def test_equal_facts_of_two_processes_are_one(results) -> None:
    """Two workers that collected the same agree."""
    results.take(call(P1, CLEAN[P1], pii_facts=as_text(facts())))
    results.take(call(P2, CLEAN[P2], pii_facts=as_text(facts())))
    assert not results.facts_disagree


def test_different_facts_disagree(results) -> None:
    """Two workers that collected different suites disagree; the first is kept, and the quarrel too."""
    results.take(call(P1, CLEAN[P1], pii_facts=as_text(facts())))
    results.take(call(P2, CLEAN[P2], pii_facts=as_text(facts(rows=4))))
    results.take(call(N1, CLEAN[N1], pii_facts=as_text(facts())))
    assert results.facts_disagree
    assert results.facts == facts()
