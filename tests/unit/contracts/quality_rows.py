"""Small valid rows of the quality files, for tests to break one field of."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from pytest_pii_eval.contracts.bank import Bank, parse_bank
from pytest_pii_eval.contracts.slices import SlicePlan, make_plan, parse_slice

TEXT = "Ada Moe, ada@x.test, Ada Moe"

_SLICE = {
    "id": "person_all",
    "label_artifact_id": "reviewed-labels",
    "label_strength": "independent",
    "annotation_scope": {
        "entity_classes": ["person"],
        "document_regions": ["body"],
        "span_policy_sha256": "sha256:" + "0" * 64,
        "exclusions": [],
    },
    "annotation_completeness": "exhaustive_within_scope",
    "entity_class": "person",
    "cohort": "all",
    "split_role": "test",
    "text_view": "body",
    "text_view_descriptor": {
        "id": "body",
        "artifact_sha256": "sha256:" + "1" * 64,
        "content_policy_sha256": "sha256:" + "2" * 64,
        "document_regions": ["body"],
        "primary_for_quality": True,
        "answer_bearing_fields_included": False,
    },
    "promotion_gate": False,
}


def slice_row(slice_id: str = "person_all", **changes: Any) -> dict[str, Any]:
    """A slice of one class; a change named `a__b` reaches field `b` of object `a`."""
    row = changed(_SLICE, **changes)
    row["id"] = slice_id
    return row


def scope_row(slice_id: str = "everyone", **changes: Any) -> dict[str, Any]:
    """A slice of persons and e-mails that may be a promotion gate."""
    scope = {"entity_class": "person_and_email", "annotation_scope__entity_classes": ["person", "email"]}
    return slice_row(slice_id, **{**scope, **changes})


def gold_row(start: int, end: int, entity_class: str = "person", **changes: Any) -> dict[str, Any]:
    """A gold span of document `doc-1`."""
    row = {"document_id": "doc-1", "entity_class": entity_class, "start": start, "end": end}
    return {**row, "catalog_identity": None, **changes}


def record_row(
    *gold: dict[str, Any], slices: tuple[str, ...] = ("everyone",), **document: Any
) -> dict[str, Any]:
    """A record of document `doc-1` with the text `TEXT`; keywords change its document."""
    fields = {"document_id": "doc-1", "text": TEXT, "text_view": "body", "split_role": "test"}
    return {"document": {**fields, **document}, "gold_spans": list(gold), "slice_ids": list(slices)}


def plan_of(*rows: dict[str, Any]) -> SlicePlan:
    """The plan of these slices; of the two scopes of this module where there are none."""
    return make_plan(map(parse_slice, rows or (scope_row(), slice_row())))


def small_bank() -> Bank:
    """A bank with two active patterns of one person and an inactive one."""
    described = {"description": "", "status": "active", "metadata": {}}
    literal = {
        **described,
        "kind": "literal",
        "priority": 1,
        "case_sensitive": True,
        "normalize_whitespace": False,
        "left_boundary": "word",
        "right_boundary": "word",
    }
    patterns = {
        "full": {**literal, "value": "Ada Moe"},
        "first": {**literal, "value": "Ada"},
        "retired": {**literal, "value": "Moe", "status": "inactive"},
    }
    return parse_bank(
        {
            **described,
            "schema_version": "nerb.bank.v1",
            "id": "small",
            "name": "small",
            "version": "1",
            "created_at": "2026-01-01T00:00:00Z",
            "updated_at": "2026-01-01T00:00:00Z",
            "unicode_normalization": "none",
            "default_regex_flags": [],
            "entities": {
                "person": {
                    **described,
                    "regex_flags": [],
                    "names": {"ada": {**described, "canonical": "Ada Moe", "patterns": patterns}},
                }
            },
        }
    )


def changed(row: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A copy of `row` with some fields changed, removed (`...`) or added."""
    row = deepcopy(row)
    for path, value in changes.items():
        *way, name = path.split("__")
        target = row
        for step in way:
            target = target[step]
        if value is ...:
            del target[name]
        else:
            target[name] = value
    return row
