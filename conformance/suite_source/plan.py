"""Reads the slice tables and makes slice rows and rows of declared gaps out of them; knows no document."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from suite_source.tables import TableError, lines

VIEW = "natural_body"
_REGIONS = [VIEW]
_WORDS = frozenset(["weak", "partial", "promotion"])


@dataclass(frozen=True)
class Plan:
    """One slice line: `classes` are its members, `scope` is the one class or the id of the several."""

    id: str
    scope: str
    classes: tuple[str, ...]
    role: str
    cohort: str
    policy: str
    words: frozenset[str]


def read_policies(source: str) -> dict[str, str]:
    """Return the commitment to each sentence of `id | sentence` lines."""
    sentences = (line.split(" | ", 1) for _, line in lines(source))
    return {identity: commitment(sentence) for identity, sentence in sentences}


def read_plan(source: str) -> list[Plan]:
    """Return the slices of a table of `id | scope | classes | role | cohort | policy | words` lines."""
    return [_plan(number, line) for number, line in lines(source)]


def read_gaps(source: str) -> list[dict[str, str]]:
    """Return the rows of `id | dimension | reason code` lines."""
    names = ("id", "dimension", "reason_code")
    return [dict(zip(names, line.split(" | "), strict=True)) for _, line in lines(source)]


def slice_row(plan: Plan, policies: dict[str, str], artifact: str) -> dict[str, Any]:
    """Return the closed slice row; `artifact` is the commitment to the texts of the whole view."""
    return {
        "id": plan.id,
        "label_artifact_id": f"shipped_labels.{plan.cohort}",
        "label_strength": "structured_weak" if "weak" in plan.words else "independent",
        "annotation_scope": {
            "entity_classes": list(plan.classes),
            "document_regions": _REGIONS,
            "span_policy_sha256": policies[plan.policy],
            "exclusions": [],
        },
        "annotation_completeness": "partial" if "partial" in plan.words else "exhaustive_within_scope",
        "entity_class": plan.scope,
        "cohort": plan.cohort,
        "split_role": plan.role,
        "text_view": VIEW,
        "text_view_descriptor": {
            "id": VIEW,
            "artifact_sha256": artifact,
            "content_policy_sha256": policies[VIEW],
            "document_regions": _REGIONS,
            "primary_for_quality": True,
            "answer_bearing_fields_included": False,
        },
        "promotion_gate": "promotion" in plan.words,
    }


def commitment(text: str) -> str:
    """Return `sha256:` and the digest of the UTF-8 of `text`."""
    return "sha256:" + sha256(text.encode("utf-8")).hexdigest()


def _plan(number: int, line: str) -> Plan:
    fields = [part.strip() for part in line.split("|")]
    if len(fields) != len(Plan.__dataclass_fields__):
        raise TableError(f"slice table, line {number}: not seven fields")
    identity, scope, classes, role, cohort, policy, words = fields
    plan = Plan(
        identity, scope, tuple(sorted(classes.split())), role, cohort, policy, frozenset(words.split())
    )
    if not plan.words <= _WORDS:
        raise TableError(f"slice table, line {number}: an unknown word")
    return plan
