"""Reports as the controller hears them, and the facts of a small suite."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_pii_eval.scoring.conformance import CaseEvidence, encode
from pytest_pii_eval.session.results import Results

SHA = "sha256:" + "0" * 64
P1, P2, N1 = (
    "a/conformance-positive.jsonl::p1",
    "a/conformance-positive.jsonl::p2",
    "conformance-negative.jsonl::n1",
)
# What the three cases show when all is well: two occurrences, one occurrence, no hit.
CLEAN: dict[str, CaseEvidence] = {
    P1: CaseEvidence("positive", ("casing", "html"), ((0, "correct"), (2, "correct"))),
    P2: CaseEvidence("positive", ("html",), ((1, "correct"),)),
    N1: CaseEvidence("negative", ("boundary", "negative")),
}


def subject(**fields: Any) -> dict[str, Any]:
    """Return what is said of a bank under the embedded engine."""
    own = {
        "kind": "bank",
        "name": "tiny",
        "version": "1",
        "engine": "embedded",
        "engine_version": "1",
        "libraries": {"regex": "1"},
        "fingerprint": SHA,
    }
    return {**own, **fields}


def facts(**fields: Any) -> dict[str, Any]:
    """Return the facts of a suite of two entities, three active patterns and three cases."""
    own = {
        "bank": {"id": "tiny", "version": "1", "fingerprint": SHA},
        "entities": [["code", 0, 1], ["person", 1, 3]],
        "subject": subject(),
        "artifacts": {kind: {"rows": 1, "sha256": SHA} for kind in ("positive", "negative")},
        "planned": {"positive": 2, "negative": 1, "occurrences": 3},
        "whole": True,
        "rows": 3,
        "cases": True,
    }
    return {**own, **fields}


def report(nodeid: str, outcome: Any = "passed", when: Any = "call", **attributes: Any) -> pytest.TestReport:
    """Return the report of a phase."""
    return pytest.TestReport(nodeid, ("f", 0, "n"), {}, outcome, None, when, **attributes)


def call(nodeid: str, evidence: CaseEvidence, **attributes: Any) -> pytest.TestReport:
    """Return the report of a case that was judged."""
    outcome = "passed" if evidence.passed else "failed"
    return report(nodeid, outcome, pii_evidence=encode(evidence), **attributes)


def heard(evidence: dict[str, CaseEvidence], **fields: Any) -> Results:
    """Return the results of a run in which the cases of `evidence` reported, and no others of `CLEAN`."""
    results = Results()
    results.plan(CLEAN)
    results.facts = facts(**fields)
    for nodeid, one in evidence.items():
        results.take(call(nodeid, one))
    return results


def as_text(value: dict[str, Any]) -> str:
    """Return facts as they travel."""
    return json.dumps(value)
