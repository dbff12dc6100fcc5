"""Support: what a suite must hold to judge its bank, and what is said where it does not."""

from __future__ import annotations

import pytest
from reading import conformance, failures, patterns_of, verdicts

from conftest import NAME_ID, entity, literal, name


def no_negatives(suite):
    """Leave the file of negatives empty."""
    suite.negatives = []


def no_positives(suite):
    """Leave the file of positives empty."""
    suite.positives = []


def no_cases(suite):
    """Leave both files empty."""
    suite.positives, suite.negatives = [], []


def no_active_patterns(suite):
    """Retire the whole bank; a positive case could name none of its patterns."""
    suite.bank["status"] = "deprecated"
    suite.positives = []


@pytest.mark.parametrize(
    ("change", "red"),
    [
        (no_negatives, {"every-tag-is-covered", "a-boundary-negative-exists"}),
        (no_positives, {"every-active-pattern-has-a-witness", "every-tag-is-covered"}),
        (
            no_cases,
            {"every-active-pattern-has-a-witness", "every-tag-is-covered", "a-boundary-negative-exists"},
        ),
        (no_active_patterns, {"bank-has-active-patterns", "every-tag-is-covered"}),
    ],
)
def test_empty_artifacts_are_not_evaluated(suite, change, red):
    """Nothing to judge is no pass: evaluated false, recall null, passed false, exit 1."""
    change(suite)
    result = suite.write().run()
    assert result.ret == 1
    assert failures(result) == red | {"positives-and-negatives-are-not-empty"}
    conformance(suite, evaluated=False, recall=None, passed=False)
    assert suite.report()["passed"] is False
    assert set(verdicts(suite).values()) == {"not_evaluated"}
    assert {gate["value"] for gate in suite.report()["gates"]} <= {None, 0, 2}
    result.stdout.fnmatch_lines(
        ["conformance  not evaluated: *", "gate         not_evaluated conformance.recall: *"]
    )


def test_every_support_check_says_its_reason(suite):
    """A pattern without witness, a missing tag, no boundary negative: one line each, and names of nobody."""
    patterns_of(suite, "person", NAME_ID)["spare"] = literal("Nobody Here")
    suite.positives = [row for row in suite.positives if row["tags"] != ["signature"]]
    for row in suite.negatives:
        row["tags"] = ["negative"]
    for row in suite.positives:
        row["tags"] = [tag for tag in row["tags"] if tag != "boundary"] or ["unicode"]
    result = suite.write().run()
    assert failures(result) == {
        "every-active-pattern-has-a-witness",
        "every-tag-is-covered",
        "a-boundary-negative-exists",
    }
    result.stdout.fnmatch_lines_random(
        [
            "every-active-pattern-has-a-witness: 1 of 3 active patterns have no positive case: person 1",
            "every-tag-is-covered: no case carries the tags: boundary, signature",
            "a-boundary-negative-exists: no negative case carries the tag boundary",
        ]
    )
    conformance(
        suite, active_patterns=3, patterns_with_positive_cases=2, recall=1.0, passed=False, evaluated=True
    )
    assert verdicts(suite)["patterns_with_positive_cases"] == "fail"


def test_inactive_patterns_need_no_witness(suite):
    """Drafts, and what a retired name or entity holds, are not scanned with and need no case."""
    patterns_of(suite, "person", NAME_ID)["draft"] = literal("Order", status="draft")
    names = suite.bank["entities"]["person"]["names"]
    names["gone"] = dict(name("Gone", word=literal("shipped")), status="inactive")
    suite.bank["entities"]["old"] = dict(entity(x=name("X", word=literal("Write"))), status="deprecated")
    result = suite.write().run()
    assert result.ret == 0
    conformance(suite, active_patterns=2, passed=True)


def test_aggregate_alone_fails_the_session(suite, processes):
    """Items all pass, the one that would not is deselected: the gate still ends the run with 1."""
    patterns_of(suite, "person", NAME_ID)["spare"] = literal("Nobody Here")
    check = "bank.json::every-active-pattern-has-a-witness"
    result = suite.write().run(*processes, "--deselect", check)
    assert "failed" not in result.parseoutcomes()
    assert result.ret == 1
    assert suite.report()["passed"] is False
    gate = next(gate for gate in suite.report()["gates"] if gate["verdict"] == "fail")
    assert gate["id"] == "conformance.patterns_with_positive_cases"
    assert (gate["value"], gate["limit"], gate["support"], gate["reason"]) == (2, 3, 3, None)
