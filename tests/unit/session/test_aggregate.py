"""The aggregate and its gates, with counts worked out by hand; the suite is that of `heard`."""

from __future__ import annotations

import pytest
from heard import CLEAN, N1, P1, P2, heard

from pytest_pii_eval.scoring.conformance import CaseEvidence
from pytest_pii_eval.session.conformance import aggregate, gates, tally
from pytest_pii_eval.session.results import Results


def _judged(evidence, *, complete: bool = True, **fields: object):
    results = heard(evidence, **fields)
    return aggregate(results, tally(results), complete=complete)


def _with(nodeid: str, **changes: object):
    return {**CLEAN, nodeid: CLEAN[nodeid]._replace(**changes)}


def _counts(judged) -> tuple[int, ...]:
    return (judged.approved_positive_cases, judged.correctly_mapped, judged.missed, judged.wrong_canonical)


def test_a_clean_run() -> None:
    """All three occurrences are mapped, all three patterns have a witness, nothing hit: it passes."""
    judged = _judged(CLEAN)
    assert judged.model_dump(exclude={"by_entity", "by_tag"}) == {
        "evaluated": True,
        "active_patterns": 3,
        "patterns_with_positive_cases": 3,
        "positive_case_rows": 2,
        "approved_positive_cases": 3,
        "correctly_mapped": 3,
        "missed": 0,
        "wrong_canonical": 0,
        "negative_cases": 1,
        "unexpected_negative_matches": 0,
        "failed_scans": 0,
        "recall": 1.0,
        "passed": True,
    }


def test_entities_and_tags_of_a_clean_run() -> None:
    """Occurrences are counted under their entity, cases under their tags."""
    judged = _judged(CLEAN)
    entities = {key: tuple(value.model_dump().values()) for key, value in judged.by_entity.items()}
    # active, with witness, approved, correct, missed, wrong, negatives, recall
    assert entities == {"code": (1, 1, 1, 1, 0, 0, 0, 1.0), "person": (2, 2, 2, 2, 0, 0, 0, 1.0)}
    tags = {key: tuple(value.model_dump().values()) for key, value in judged.by_tag.items()}
    # positive cases, failed ones, negative cases, unexpected ones
    assert tags == {
        "boundary": (0, 0, 1, 0),
        "casing": (1, 0, 0, 0),
        "html": (2, 0, 0, 0),
        "negative": (0, 0, 1, 0),
    }


def test_a_miss_and_a_wrong_canonical() -> None:
    """One of three missed and one wrong leaves a third, and fails."""
    judged = _judged(_with(P1, outcomes=((0, "missed"), (2, "wrong_canonical"))))
    assert _counts(judged) == (3, 1, 1, 1)
    assert judged.recall == pytest.approx(1 / 3, abs=0)
    assert judged.passed is False
    assert judged.by_entity["code"].recall == 0.0
    assert judged.by_entity["person"].recall == 0.5


def test_a_negative_counts_once() -> None:
    """A negative case that raised five records of two entities is one unexpected match, and one for each."""
    judged = _judged(_with(N1, hits=5, hit_entities=("code", "person")))
    assert (judged.negative_cases, judged.unexpected_negative_matches) == (1, 1)
    assert [entity.unexpected_negative_matches for entity in judged.by_entity.values()] == [1, 1]
    assert judged.recall == 1.0
    assert judged.passed is False


def test_what_a_lost_case_expected_is_missed() -> None:
    """A case that never reported keeps its place in the denominator."""
    judged = _judged({P2: CLEAN[P2], N1: CLEAN[N1]}, complete=False)
    assert _counts(judged) == (3, 1, 2, 0)
    assert judged.positive_case_rows == 2
    assert judged.passed is False


def test_a_lost_negative_fails_the_run() -> None:
    """Without the report of the negative case every count is perfect, yet the run does not pass."""
    judged = _judged({P1: CLEAN[P1], P2: CLEAN[P2]}, complete=False)
    assert _counts(judged) == (3, 3, 0, 0)
    assert (judged.negative_cases, judged.recall, judged.passed) == (1, 1.0, False)


def test_nothing_heard_at_all() -> None:
    """A run of which nothing was heard has all its cases missed."""
    judged = _judged({}, complete=False)
    assert _counts(judged) == (3, 0, 3, 0)
    assert judged.recall == 0.0


def test_a_failed_scan_fails_the_run() -> None:
    """A scan that broke a limit on a negative case is no proof that nothing hits."""
    judged = _judged(_with(N1, failure="time_limit"))
    assert (judged.failed_scans, judged.unexpected_negative_matches, judged.passed) == (1, 0, False)


def test_a_pattern_without_a_witness_fails_the_run() -> None:
    """Perfect recall with a pattern that no case expects is evaluated and fails."""
    planned = {"positive": 1, "negative": 1, "occurrences": 2}
    judged = _judged({P1: CLEAN[P1], N1: CLEAN[N1]}, planned=planned)
    assert (judged.evaluated, judged.recall) == (True, 1.0)
    assert (judged.patterns_with_positive_cases, judged.active_patterns) == (2, 3)
    assert judged.passed is False


@pytest.mark.parametrize(
    "fields",
    [
        {"entities": [], "planned": {"positive": 0, "negative": 1, "occurrences": 0}},
        {"planned": {"positive": 0, "negative": 1, "occurrences": 0}},
        {"planned": {"positive": 2, "negative": 0, "occurrences": 3}},
    ],
    ids=["no-active-pattern", "no-positive", "no-negative"],
)
def test_empty_evidence_is_not_evaluated(fields) -> None:
    """No active patterns, or an empty artifact: evaluated false, recall null, passed false."""
    judged = _judged({}, **fields)
    assert (judged.evaluated, judged.recall, judged.passed) == (False, None, False)


def test_a_selection_never_passes_a_bank() -> None:
    """A clean part of a suite has no verdict; a part that fails is a failure."""
    planned = {"positive": 1, "negative": 0, "occurrences": 1}
    assert _judged({P2: CLEAN[P2]}, whole=False, planned=planned).passed is None
    bad = CLEAN[P2]._replace(outcomes=((1, "missed"),))
    assert _judged({P2: bad}, whole=False, planned=planned).passed is False
    assert _judged(CLEAN, whole=False, complete=False).passed is False


def test_without_facts_there_is_nothing() -> None:
    """A controller that heard no process at all reports zeros and does not pass."""
    judged = aggregate(Results(), tally(Results()), complete=False)
    assert _counts(judged) == (0, 0, 0, 0)
    assert (judged.evaluated, judged.recall, judged.passed) == (False, None, False)


def _gates(judged, *, whole: bool = True):
    return {gate.id.removeprefix("conformance."): gate for gate in gates(judged, whole=whole)}


GATES = [
    "recall",
    "wrong_canonical",
    "unexpected_negative_matches",
    "failed_scans",
    "patterns_with_positive_cases",
]


def test_all_gates_of_a_clean_run_pass() -> None:
    """The five gates pass on exact values, each with its support."""
    judged = _gates(_judged(CLEAN))
    rows = {name: (gate.value, gate.limit, gate.support, gate.verdict) for name, gate in judged.items()}
    assert rows == {
        "recall": (1.0, 1.0, 3, "pass"),
        "wrong_canonical": (0, 0, 3, "pass"),
        "unexpected_negative_matches": (0, 0, 1, "pass"),
        "failed_scans": (0, 0, 3, "pass"),
        "patterns_with_positive_cases": (3, 3, 3, "pass"),
    }


@pytest.mark.parametrize(
    ("evidence", "failed"),
    [
        (_with(P2, outcomes=((1, "missed"),)), {"recall"}),
        (_with(P2, outcomes=((1, "wrong_canonical"),)), {"recall", "wrong_canonical"}),
        (_with(N1, hits=1, hit_entities=("code",)), {"unexpected_negative_matches"}),
        (_with(N1, failure="match_limit"), {"failed_scans"}),
        (_with(P2, outcomes=((2, "correct"),)), {"patterns_with_positive_cases"}),
    ],
)
def test_each_gate_fails_for_its_reason(evidence, failed) -> None:
    """A gate fails exactly where its metric is off."""
    judged = _gates(_judged(evidence))
    assert {name for name, gate in judged.items() if gate.verdict == "fail"} == failed


def test_recall_just_below_one_fails() -> None:
    """One miss in a hundred thousand is no recall of one."""
    outcomes = (*((0, "correct"),) * 99_999, (0, "missed"))
    planned = {"positive": 1, "negative": 1, "occurrences": 100_000}
    case = CaseEvidence("positive", ("html",), outcomes)
    judged = _judged({P1: case, N1: CLEAN[N1]}, planned=planned)
    assert judged.recall == 0.99999
    assert _gates(judged)["recall"].verdict == "fail"


def test_support_is_not_judged_on_a_selection() -> None:
    """A partial selection leaves the support gate unevaluated and says why."""
    gate = _gates(_judged({P2: CLEAN[P2]}, whole=False), whole=False)["patterns_with_positive_cases"]
    assert (gate.verdict, gate.reason) == ("not_evaluated", "partial_selection")


def test_no_gate_is_judged_on_empty_evidence() -> None:
    """Without evidence no gate passes, and each says so."""
    judged = _judged({}, planned={"positive": 0, "negative": 1, "occurrences": 0})
    found = _gates(judged)
    assert list(found) == GATES
    assert {(gate.verdict, gate.reason) for gate in found.values()} == {("not_evaluated", "empty_evidence")}
