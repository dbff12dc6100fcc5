"""A small report, complete and passing, for the tests of the reports."""

from __future__ import annotations

from typing import Any

from pytest_pii_eval.reports.model import Report

SHA = "sha256:" + "0" * 64


def document(**fields: Any) -> dict[str, Any]:
    """Return the report as a decoded document."""
    own = {
        "complete": True,
        "missing": [],
        "missing_count": 0,
        "crashed": [],
        "selection": {"whole": True, "collected": 3, "selected": 3},
        "scorer": {"version": "0.1.0", "source_sha256": SHA, "git_revision": None, "git_dirty": None},
        "subject": {
            "kind": "bank",
            "name": "tiny-bänk",
            "version": "1",
            "engine": "embedded",
            "engine_version": "1",
            "libraries": {"regex": "2026.1"},
            "fingerprint": SHA,
        },
        "conformance": conformance(),
        "gates": [],
        "fingerprints": {"bank": SHA},
        "passed": True,
        "run": {
            "started": "2026-01-01T00:00:00+00:00",
            "seconds": 0.5,
            "python": "3.11.0",
            "platform": "linux",
            "pytest": "9.0.0",
            "processes": 1,
        },
    }
    return {**own, **fields}


def conformance(**fields: Any) -> dict[str, Any]:
    """Return the conformance part: two occurrences, both mapped, and one clean negative."""
    own = {
        "evaluated": True,
        "active_patterns": 1,
        "patterns_with_positive_cases": 1,
        "positive_case_rows": 2,
        "approved_positive_cases": 2,
        "correctly_mapped": 2,
        "missed": 0,
        "wrong_canonical": 0,
        "negative_cases": 1,
        "unexpected_negative_matches": 0,
        "failed_scans": 0,
        "recall": 1.0,
        "passed": True,
        "by_entity": {},
        "by_tag": {},
    }
    return {**own, **fields}


def report(**fields: Any) -> Report:
    """Return the report."""
    return Report.model_validate(document(**fields))
