"""A report that fills every part of the page, and the same with every free string replaced."""

from __future__ import annotations

from typing import Any

from report_builders import failed_conformance, report
from report_values import SHA

from pytest_pii_eval.reports.comparing.model import Comparison
from pytest_pii_eval.reports.model import Report

# Strings that the model holds to a list or a pattern, by field.
_FIXED = frozenset(
    {"schema_version", "kind", "offset_unit", "direction", "verdict", "split_key", "role", "offset_hint"}
    | {"trend", "side", "part", "direction"}
)
# Fields whose keys are names out of files.
_NAMED = frozenset(
    {"slices", "by_type", "confusion", "unmapped_labels", "out_of_scope_types", "libraries", "fingerprints"}
    | {"by_entity", "by_tag", "unsupported_slices", "freeze_rules", "parts", "bands", "quarantined"}
    | {"held_out_documents", "a row"}
)
CORPUS = {
    "revision": "r1",
    "artifact_bytes": 1234,
    "artifact_sha256": SHA,
    "licence": "CC0-1.0",
    "adapter": "rows",
    "adapter_version": "1",
    "label_map": "rows",
    "split_key": "document_id",
    "languages": ["en"],
    "regions": ["body"],
    "rows": 10,
    "quarantined": {"bad_span": 2},
    "excluded_spans": 1,
    "held_out_documents": {"train": 3},
    "not_promotable": "public",
    "in_domain": True,
    "commitment": SHA,
}
RULE = {"verdict": "fail", "reasons": ["one template is in both"]}
LATENCY = {
    "host": {"system": "Linux", "machine": "x86_64", "processors": 2},
    "bands": {
        "0-500": {"documents": 9, "p50_ms": 0.5, "p95_ms": 1.25},
        "10001-": {"documents": 1, "p50_ms": 4.0, "p95_ms": 5.0},
    },
    "warm_up": {"builds": 1, "build_seconds": 0.25, "documents": 3, "seconds": 0.5},
}


def full_document() -> dict[str, Any]:
    """Return a decoded report in which every part of the page has something to show."""
    whole = report(lost=2, conformance=failed_conformance()).model_dump(mode="json")
    whole["slices"]["cards"].update(
        corpus=CORPUS,
        in_domain=True,
        offset_hint="utf16",
        unmapped_labels={"CARD_NO": 2},
        out_of_scope_types={"company": 1},
        role="public",
    )
    whole["conformance"]["by_tag"] = {
        "formats": {
            "positive_cases": 3,
            "failed_positive_cases": 1,
            "negative_cases": 2,
            "unexpected_negative_matches": 1,
        }
    }
    whole["run"]["latency"] = LATENCY
    whole.update(
        missing=["suite::case-1"],
        missing_count=1,
        crashed=["suite::case-2"],
        complete=False,
        consistent=False,
        selection={"whole": False, "collected": 9, "selected": 3, "limit": 5, "every_item": None},
        evidence_notes=["fewer_than_5_documents", "no_names"],
        freeze_rules={"split": RULE},
        promotion={
            "id": "p1",
            "set": "sealed",
            "started": SHA,
            "gold": SHA,
            "detector": SHA,
            "floors": SHA,
            "ships": False,
            "parts": {"floors": RULE},
        },
    )
    return whole


def full_report() -> Report:
    """Return that report."""
    return Report.model_validate(full_document())


def full_comparison() -> Comparison:
    """Return a comparison with one change, one gate and one move."""
    return Comparison.model_validate(_comparison())


def _comparison() -> dict[str, Any]:
    was = {"value": 1.0, "numerator": 8, "denominator": 8, "support": 8, "reason": None}
    now = {"value": 0.75, "numerator": 6, "denominator": 8, "support": 8, "reason": None}
    change = {"slice": "cards", "type": "payment", "metric": "recall", "old": was, "new": now}
    judged = {"difference": -0.25, "trend": "worse", "judged": True, "tolerance": "0", "regression": True}
    return {
        "old": {"kind": "bank", "name": "old-bank", "scorer_version": "0.1.0"},
        "new": {"kind": "bank", "name": "new-bank", "scorer_version": "0.1.0"},
        "refusals": [],
        "notes": ["the engine has another version"],
        "changes": [{**change, **judged}],
        "gates": [{"id": "max-leaks", "slice": "cards", "old": "pass", "new": "fail", "regression": True}],
        "unchanged": 40,
        "moves": [
            {
                "kind": "span",
                "id": "d1#0",
                "slices": ["cards"],
                "type": "payment",
                "old": "exact",
                "new": "miss",
                "direction": "lost",
            }
        ],
        "passed": False,
    }


class Replacing:
    """Replaces every free string by `word` and a number that is the same wherever the string stands."""

    def __init__(self, word: str) -> None:
        self._word = word
        self._numbers: dict[str, int] = {}

    def report(self) -> Report:
        """Return the full report with every free string replaced."""
        return Report.model_validate(self._replaced(full_document(), "report"))

    def comparison(self) -> Comparison:
        """Return the full comparison with every free string replaced, but states of gates."""
        given = _comparison()
        changed = self._replaced(given, "comparison")
        for gate, own in zip(changed["gates"], given["gates"], strict=True):
            gate.update(old=own["old"], new=own["new"])
        for move, own in zip(changed["moves"], given["moves"], strict=True):
            move.update(direction=own["direction"])
        return Comparison.model_validate(changed)

    def _word_for(self, text: str) -> str:
        number = self._numbers.setdefault(text, len(self._numbers))
        return f"{number}{self._word}"

    def _replaced(self, value: Any, field: str) -> Any:
        if isinstance(value, dict):
            named = field in _NAMED
            inner = "a row" if field == "confusion" else ""
            items = {
                (self._word_for(key) if named else key): self._replaced(one, inner if named else key)
                for key, one in value.items()
            }
            if field in {"counts", "metrics"} and value:
                items[self._word_for("a count or metric")] = next(iter(items.values()))
            return items
        if isinstance(value, list):
            return [self._replaced(one, field) for one in value]
        if isinstance(value, str) and field not in _FIXED and not value.startswith("sha256:"):
            return value if value == "pytest-pii-eval" else self._word_for(value)
        return value
