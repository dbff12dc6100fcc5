"""A sealed run that ships, as a report built by hand, for the tests of ship verdict, floors and notes."""

from __future__ import annotations

from typing import Any

from pytest_pii_eval.contracts.floors_file import FloorsFile, parse_floors
from pytest_pii_eval.freezes.ledger_model import Binding
from pytest_pii_eval.reports.model import Report

DETECTOR = "sha256:" + "d" * 64
GOLD = "sha256:" + "a" * 64
FREEZES = "sha256:" + "f" * 64
SOURCE = "sha256:" + "5" * 64
OTHER = "sha256:" + "0" * 64
SCORER = "1" * 40
PLAN = ("train-lists-are-clean", "dev-freeze-was-read")

FLOORS = [
    {"kind": "exact_recall", "slice": "mail", "type": "email", "limit": "0.9"},
    {"kind": "extra_span_rate", "slice": "mail", "limit": "0.25"},
]


def metric(numerator: int, denominator: int | None, support: int) -> dict[str, Any]:
    """Return a metric with a value: a rate, or a count where there is no denominator."""
    value = float(numerator) if denominator is None else numerator / denominator
    return {
        "value": value,
        "numerator": numerator,
        "denominator": denominator,
        "support": support,
        "reason": None,
    }


def nothing(reason: str) -> dict[str, Any]:
    """Return a metric without a value."""
    return {"value": None, "numerator": None, "denominator": None, "support": 0, "reason": reason}


def quality_slice(**fields: Any) -> dict[str, Any]:
    """Return a slice of 40 documents: 20 e-mail addresses, 19 found exactly, and no leak of 8 secrets."""
    own = {
        "entity_class": "contact",
        "types": ["email", "person", "secret"],
        "cohort": "tickets",
        "split_role": "test",
        "text_view": "body",
        "label_strength": "independent",
        "annotation_completeness": "exhaustive_within_scope",
        "promotion_gate": True,
        "evaluated": True,
        "reason": None,
        "counts": {"documents": 40, "failed_documents": 0, "zero_gold_documents": 10},
        "outputs": {},
        "metrics": {
            "extra_span_rate": metric(7, 40, 40),
            "protection_high_severity_leaking_documents": metric(0, None, 6),
            "protection_high_severity_leaks": metric(0, None, 8),
        },
        "by_type": {
            "email": {"counts": {"gold": 20}, "metrics": {"recall": metric(19, 20, 20)}},
            "person": {"counts": {"gold": 12}, "metrics": {"recall": metric(8, 12, 12)}},
            "secret": {"counts": {"gold": 8}, "metrics": {"recall": metric(8, 8, 8)}},
        },
        "confusion": {},
        "role": "sealed_freeze",
        "in_domain": False,
        "passed": True,
    }
    return {**own, **fields}


def gate(**fields: Any) -> dict[str, Any]:
    """Return the gate of the first floor: 19 of 20, and 0.9 asked for."""
    own = {
        "id": "floors[0]",
        "slice": "mail",
        "metric": "recall",
        "type": "email",
        "direction": "min",
        "value": 0.95,
        "limit": 0.9,
        "support": 20,
        "verdict": "pass",
    }
    return {**own, **fields}


def extra_gate(**fields: Any) -> dict[str, Any]:
    """Return the gate of the second floor: 7 extra spans in 40 documents, and 0.25 allowed."""
    own = {
        "id": "floors[1]",
        "metric": "extra_span_rate",
        "type": None,
        "direction": "max",
        "value": 0.175,
        "limit": 0.25,
        "support": 40,
    }
    return gate(**{**own, **fields})


def p95_gate(**fields: Any) -> dict[str, Any]:
    """Return the gate of the host: 41.5 ms taken, and 50 allowed."""
    own = {
        "id": "max-p95-ms",
        "slice": None,
        "metric": "p95_ms_1501-2500",
        "type": None,
        "direction": "max",
        "value": 41.5,
        "limit": 50,
        "support": 12,
    }
    return gate(**{**own, **fields})


def run_of(**fields: Any) -> dict[str, Any]:
    """Return the facts of the run."""
    own = {
        "started": "2026-01-01T00:00:00+00:00",
        "seconds": 0.5,
        "python": "3.11.0",
        "platform": "linux",
        "pytest": "9.0.0",
        "processes": 1,
    }
    return {**own, **fields}


def subject(**fields: Any) -> dict[str, Any]:
    """Return the detector."""
    own = {
        "kind": "detector",
        "name": "invented",
        "version": "1",
        "libraries": {},
        "fingerprint": DETECTOR,
    }
    return {**own, **fields}


def scorer(**fields: Any) -> dict[str, Any]:
    """Return the scorer, clean at a known revision."""
    own = {"version": "0.1.0", "source_sha256": SOURCE, "git_revision": SCORER, "git_dirty": False}
    return {**own, **fields}


def report(**fields: Any) -> Report:
    """Return the report of a sealed run that ships."""
    own = {
        "complete": True,
        "missing": [],
        "missing_count": 0,
        "crashed": [],
        "selection": {"whole": True, "collected": 0, "selected": 0},
        "scorer": scorer(),
        "subject": subject(),
        "conformance": None,
        "slices": {"mail": quality_slice()},
        "freeze_rules": {name: {"verdict": "pass", "reasons": []} for name in PLAN},
        "gates": [gate(), extra_gate()],
        "fingerprints": {},
        "passed": True,
        "run": run_of(),
    }
    return Report.model_validate({**own, **fields})


def floors(*more: dict[str, str]) -> FloorsFile:
    """Return the two floors of the file, and `more` after them."""
    return parse_floors({"version": "pii_eval.floors.v1", "floors": [*FLOORS, *more]})


def binding(**fields: Any) -> Binding:
    """Return what the run was bound to."""
    own = {
        "set": "sealed",
        "gold": GOLD,
        "detector": DETECTOR,
        "floors": floors().fingerprint,
        "freezes": FREEZES,
        "scorer": SCORER,
        "scorer_source": SOURCE,
        "repository": "2" * 40,
    }
    return Binding.model_validate({**own, **fields})
