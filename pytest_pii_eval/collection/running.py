"""Running one case: scan and judge; the text of the case lives in these frames only."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_pii_eval.collection.failures import Narrator
from pytest_pii_eval.detectors.bank.errors import ScanFailure
from pytest_pii_eval.scoring.conformance import (
    CORRECT,
    MISSED,
    CaseEvidence,
    encode,
    encode_positive,
    judge_positive,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pii_eval.collection.suite import Suite
    from pytest_pii_eval.contracts.cases import Case
    from pytest_pii_eval.contracts.patterns import Match

_SCAN_LIMITS = {
    "input_limit": "the text is larger than the engine takes",
    "match_limit": "raised more records than the limit of {max_matches:,} a case (ini pii_max_matches)",
    "time_limit": "took longer than the limit of {time_limit:g} s a case (ini pii_time_limit)",
}


class CaseOutcome(NamedTuple):
    """The evidence of a case as JSON, and the text of its failure or None."""

    evidence: str
    failure: str | None


class JudgedCase(NamedTuple):
    """The evidence of a case, and the text of its failure or None."""

    evidence: CaseEvidence
    failure: str | None


def run_case(suite: Suite, case: Case) -> CaseOutcome:
    """Scan `case` with the whole bank and judge what was found."""
    evidence, failure = judge_case(suite, case)
    return CaseOutcome(encoded(evidence), failure)


def encoded(evidence: CaseEvidence) -> str:
    """Return the evidence of a case as JSON, quickly for most of them."""
    if evidence.outcomes and evidence.failure is None:
        return encode_positive(evidence.tags, evidence.outcomes)
    return encode(evidence)


def judge_case(suite: Suite, case: Case) -> JudgedCase:
    """Scan `case` with the whole bank and judge what was found; the evidence may yet be added to others."""
    detector = suite.detector()
    try:
        matches = detector.scan(case.text, max_matches=suite.settings.max_matches)
    except ScanFailure as failure:
        return _failed_scan(suite, case, failure.reason)
    judge = _positive if case.kind == "positive" else _negative
    return judge(suite, case, matches)


def _positive(suite: Suite, case: Case, matches: Sequence[Match]) -> JudgedCase:
    expected = case.expected
    outcomes = judge_positive(expected, matches, suite.bank.patterns)
    pairs = tuple([(one[2], outcome) for one, outcome in zip(expected, outcomes, strict=True)])
    failure = None
    if outcomes.count(CORRECT) != len(outcomes):
        failure = _narrator(suite).positive(case, outcomes, matches)
    return JudgedCase(CaseEvidence("positive", case.tags, pairs), failure)


def _negative(suite: Suite, case: Case, matches: Sequence[Match]) -> JudgedCase:
    patterns = suite.bank.patterns
    entities = tuple(sorted({patterns[match.pattern].entity_id for match in matches}))
    evidence = CaseEvidence("negative", case.tags, hits=len(matches), hit_entities=entities)
    return JudgedCase(evidence, _narrator(suite).negative(case, matches) if matches else None)


def _failed_scan(suite: Suite, case: Case, reason: str) -> JudgedCase:
    pairs = tuple((wanted.pattern, MISSED) for wanted in case.expected)
    rule = _SCAN_LIMITS[reason].format(
        max_matches=suite.settings.max_matches, time_limit=suite.settings.time_limit
    )
    evidence = CaseEvidence(case.kind, case.tags, pairs, failure=reason)
    return JudgedCase(evidence, f"case {case.case_id}: the scan {rule}")


def _narrator(suite: Suite) -> Narrator:
    return Narrator(suite.bank.patterns, suite.settings.reveal)
