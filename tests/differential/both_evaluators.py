"""The same suite judged by nerb's evaluator and by the parts of this package, with either engine."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pytest_pii_eval.contracts.bank import parse_bank
from pytest_pii_eval.contracts.cases import Case, CaseContract
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.jsonl import parse_row
from pytest_pii_eval.contracts.strict_json import parse
from pytest_pii_eval.detectors.bank_detector import BankDetector, EngineName
from pytest_pii_eval.scoring.conformance import CaseEvidence, encode, judge_positive
from pytest_pii_eval.session.conformance import aggregate, tally
from pytest_pii_eval.session.results import Results

if TYPE_CHECKING:
    from generated_suite import Suite

REFUSED: dict[str, Any] = {"refused": True}
_VERDICT = ("evaluated", "recall", "passed")
_COUNTS = (
    "active_patterns",
    "patterns_with_positive_cases",
    "approved_positive_cases",
    "correctly_mapped",
    "missed",
    "wrong_canonical",
    "negative_cases",
    "unexpected_negative_matches",
)


def by_nerb(suite: Suite) -> dict[str, Any]:
    """Return nerb's aggregate, or that it refused the input."""
    from nerb.enron_conformance import evaluate_enron_conformance  # noqa: PLC0415  # optional

    try:
        result = evaluate_enron_conformance(suite.bank, suite.positives, suite.negatives)
    except ValueError:
        return REFUSED
    return compared(result["catalog_conformance"])


def by_us(suite: Suite, engine: EngineName) -> dict[str, Any]:
    """Return our aggregate, or that the input was refused."""
    try:
        return _judged(suite, engine)
    except Fault:
        return REFUSED


def compared(conformance: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that are compared; nerb counts nothing where it evaluates nothing."""
    fields = (*_VERDICT, *_COUNTS) if conformance["evaluated"] else _VERDICT
    return {field: conformance[field] for field in fields}


def _bytes(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _judged(suite: Suite, engine: EngineName) -> dict[str, Any]:
    bank = parse_bank(parse(_bytes(suite.bank)))
    detector = BankDetector(bank, engine=engine)
    cases = _cases(CaseContract("positive", bank), suite.positives)
    cases += _cases(CaseContract("negative", bank), suite.negatives)
    if len({case.case_id for case in cases}) != len(cases):
        raise Fault("an id stands twice")
    results = Results()
    results.evidence = {f"cases::{case.case_id}": encode(_evidence(detector, case)) for case in cases}
    results.facts = {
        "entities": bank.entities,
        "whole": True,
        "planned": {
            "positive": len(suite.positives),
            "negative": len(suite.negatives),
            "occurrences": sum(len(case.expected) for case in cases),
        },
    }
    return compared(aggregate(results, tally(results), complete=True).model_dump())


def _cases(contract: CaseContract, rows: list[dict[str, Any]]) -> list[Case]:
    return [contract.parse(parse_row(_bytes(row))) for row in rows]


def _evidence(detector: BankDetector, case: Case) -> CaseEvidence:
    patterns = detector.bank.patterns
    matches = detector.scan(case.text)
    if case.kind == "negative":
        entities = tuple(sorted({patterns[match.pattern].entity_id for match in matches}))
        return CaseEvidence("negative", case.tags, hits=len(matches), hit_entities=entities)
    outcomes = judge_positive(case.expected, matches, patterns)
    pairs = tuple(zip([one.pattern for one in case.expected], outcomes, strict=True))
    return CaseEvidence("positive", case.tags, pairs)
