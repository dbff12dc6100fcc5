"""What became of single cases: in items of their own, in groups, and in what never told."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_pii_eval.scoring.case_groups import GroupEvidence, pack_group
from pytest_pii_eval.scoring.conformance import CaseEvidence, ConformanceTally, encode
from pytest_pii_eval.session.case_results import CaseResults
from pytest_pii_eval.session.results import Results
from pytest_pii_eval.settings import default_settings

HELD = CaseEvidence("positive", ("html",), ((0, "correct"),))
MISSED = CaseEvidence("positive", ("html",), ((0, "missed"),))


@pytest.fixture
def results() -> Results:
    """A group of three cases of which two were reached, one of them without evidence."""
    results = Results()
    results.plan(["f::all-cases", "f::lost"])
    cases = {"a": encode(HELD), "b": encode(MISSED), "c": None}
    results.evidence["f::all-cases"] = pack_group(GroupEvidence(ConformanceTally(), 1, cases))
    results.outcomes["f::all-cases"] = "failed"
    return results


def found(results, items="file") -> CaseResults:
    """Return what finds results under these items."""
    return CaseResults(default_settings(Path("/nowhere"), items=items), results)


@pytest.mark.parametrize(
    ("case_id", "outcome", "evidence"),
    [("a", "passed", HELD), ("b", "failed", MISSED), ("c", "failed", None), ("d", "missing", None)],
)
def test_each_case_of_a_group_has_its_own_outcome(results, case_id, outcome, evidence) -> None:
    """Held, missed, broken, and not reached."""
    assert found(results).result("f::all-cases", case_id) == (outcome, evidence)


def test_cases_of_a_lost_group_share_its_fate(results) -> None:
    """Without evidence of the group nothing is known of a case but what became of the item."""
    assert found(results).result("f::lost", "a") == ("missing", None)
    results.outcomes["f::lost"] = "crashed"
    assert found(results).result("f::lost", "a") == ("crashed", None)


def test_rows_lead_to_their_items(results) -> None:
    """By case id, by reason or by file, as items are asked for."""
    row = {"case_id": "x.1", "reason_code": "look_alike"}
    assert [found(results, items).item(row) for items in ("case", "pattern", "file")] == [
        "x.1",
        "negative-look_alike",
        "all-cases",
    ]


def test_a_cut_off_group_is_missing(results) -> None:
    """It gave evidence, and a verdict, but not of all its cases."""
    results.outcomes["f::lost"] = "passed"
    assert results.missing() == ["f::all-cases"]
