"""The report that is built from what was heard."""

from __future__ import annotations

import pytest
from heard import CLEAN, N1, P1, P2, SHA, facts, heard, report

from pytest_pii_eval.reports.model import Run
from pytest_pii_eval.session.build import build_report
from pytest_pii_eval.session.results import Results

RUN = Run(started="2026-01-01T00:00:00+00:00", seconds=1.0, python="3", platform="x", pytest="9", processes=1)
SUPPORT = "bank.json::every-tag-is-covered"


def _built(results: Results):
    return build_report(results, RUN)


def test_a_clean_run_is_complete_and_passes() -> None:
    """Everything reported, everything held."""
    built = _built(heard(CLEAN))
    assert (built.complete, built.passed, built.missing, built.missing_count, built.crashed) == (
        True,
        True,
        [],
        0,
        [],
    )
    assert built.selection.model_dump() == {
        "whole": True,
        "collected": 3,
        "selected": 3,
        "limit": None,
        "every_item": True,
    }
    assert built.run == RUN


def test_the_subject_is_bank_and_engine() -> None:
    """The subject names the bank and the engine with its libraries."""
    assert _built(heard(CLEAN)).subject.model_dump() == {
        "kind": "bank",
        "name": "tiny",
        "version": "1",
        "engine": "embedded",
        "engine_version": "1",
        "libraries": {"regex": "1"},
        "fingerprint": SHA,
        "offset_unit": None,
        "label_map": None,
        "replayed": False,
    }


def test_lost_cases_are_named_and_counted() -> None:
    """What never reported is named by case id, sorted, and the report is incomplete and failed."""
    built = _built(heard({P1: CLEAN[P1]}))
    assert (built.complete, built.passed) == (False, False)
    assert (built.missing, built.missing_count) == (["n1", "p2"], 2)
    assert built.conformance.missed == 1


def test_a_skipped_negative_does_not_pass() -> None:
    """A negative case that was skipped proves nothing: incomplete, and no pass."""
    results = heard({P1: CLEAN[P1], P2: CLEAN[P2]})
    results.take(report(N1, "skipped", "setup"))
    built = _built(results)
    assert (built.complete, built.passed, built.missing) == (False, False, ["n1"])


def test_a_crashed_case_is_named() -> None:
    """The case in which a worker died is named as crashed; what it expected is missed."""
    results = heard({P1: CLEAN[P1], N1: CLEAN[N1]})
    results.take(report(P2, "failed", "???"))
    built = _built(results)
    assert (built.complete, built.passed, built.crashed, built.missing) == (False, False, ["p2"], [])
    assert (built.conformance.approved_positive_cases, built.conformance.missed) == (3, 1)


def test_a_failed_support_item_fails_the_report() -> None:
    """The aggregate may be clean: a support check that failed fails the report."""
    results = heard(CLEAN)
    results.plan([SUPPORT])
    results.take(report(SUPPORT, "failed"))
    built = _built(results)
    assert (built.complete, built.conformance.passed, built.passed) == (True, True, False)


def test_processes_that_disagree_make_no_complete_run() -> None:
    """Workers that collected different suites leave the report incomplete."""
    results = heard(CLEAN)
    results.facts_disagree = True
    built = _built(results)
    assert (built.complete, built.passed) == (False, False)


def test_a_selection_has_no_verdict() -> None:
    """Part of a suite, clean: no verdict, and the report says how large the part was."""
    results = Results()
    results.plan([P2])
    results.facts = facts(whole=False, planned={"positive": 1, "negative": 0, "occurrences": 1})
    results.outcomes[P2] = "passed"
    results.evidence.update(heard({P2: CLEAN[P2]}).evidence)
    built = _built(results)
    assert (built.complete, built.passed) == (True, None)
    assert built.selection.model_dump() == {
        "whole": False,
        "collected": 3,
        "selected": 1,
        "limit": None,
        "every_item": False,
    }


def test_nothing_heard_is_no_pass() -> None:
    """A controller that heard no facts writes a report that is incomplete, without fingerprints."""
    results = Results()
    results.plan(CLEAN)
    built = _built(results)
    assert (built.complete, built.fingerprints, built.subject.name) == (False, {}, "unknown")
    assert built.passed is not True


def test_a_thousand_names_are_enough() -> None:
    """The list of lost cases is bounded; their number is not."""
    results = heard({})
    results.plan(f"conformance-positive.jsonl::q{number:04}" for number in range(1_500))
    built = _built(results)
    assert (len(built.missing), built.missing_count) == (1_000, 1_503)
    assert built.missing[:2] == ["n1", "p1"]


@pytest.mark.parametrize("order", [[P1, P2, N1], [N1, P2, P1]])
def test_the_order_of_reports_leaves_no_trace(order) -> None:
    """The report is the same in whatever order cases reported."""
    built = _built(heard({nodeid: CLEAN[nodeid] for nodeid in order}))
    assert built.model_dump_json() == _built(heard(CLEAN)).model_dump_json()
