"""Builders of bank documents and case rows, for the tests of the contracts."""

from __future__ import annotations

from typing import Any

_NOTES: dict[str, Any] = {"description": "", "status": "active", "metadata": {}}


def literal(value: str, **fields: Any) -> dict[str, Any]:
    """Return an active, case-sensitive literal without boundaries, unless `fields` say otherwise."""
    own = {"kind": "literal", "value": value, "priority": 100, "case_sensitive": True}
    sides = {"normalize_whitespace": False, "left_boundary": "none", "right_boundary": "none"}
    return {**_NOTES, **own, **sides, **fields}


def regex(value: str, **fields: Any) -> dict[str, Any]:
    """Return an active expression without flags."""
    return {**_NOTES, "kind": "regex", "value": value, "priority": 100, "regex_flags": [], **fields}


def name(canonical: str, patterns: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return an active name."""
    return {**_NOTES, "canonical": canonical, "patterns": patterns, **fields}


def entity(names: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return an active entity."""
    return {**_NOTES, "regex_flags": [], "names": names, **fields}


def bank(entities: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    """Return a bank document; without `entities` it holds `person/ada/full` and `code/ticket/plain`."""
    default = {
        "person": entity({"ada": name("Ada Lövelace", {"full": literal("Ada Lövelace")})}),
        "code": entity({"ticket": name("ticket code", {"plain": regex(r"TCK-\d{3}")})}),
    }
    own = {"schema_version": "nerb.bank.v1", "id": "tiny", "name": "Tiny", "version": "1"}
    dates = {"created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z"}
    rest = {"unicode_normalization": "none", "default_regex_flags": []}
    return {**_NOTES, **own, **dates, **rest, "entities": entities or default, **fields}


# In this text "Ada Lövelace" lies at bytes 3 to 16 (the ö takes two) and code points 3 to 15,
# "TCK-123" at bytes 18 to 25.
TEXT = "Hi Ada Lövelace, TCK-123."
ADA: dict[str, Any] = {
    "entity_id": "person",
    "name_id": "ada",
    "pattern_id": "full",
    "pattern_kind": "literal",
    "canonical_name": "Ada Lövelace",
    "string": "Ada Lövelace",
    "start": 3,
    "end": 16,
}
TICKET: dict[str, Any] = {
    "entity_id": "code",
    "name_id": "ticket",
    "pattern_id": "plain",
    "pattern_kind": "regex",
    "canonical_name": "ticket code",
    "string": "TCK-123",
    "start": 18,
    "end": 25,
}


def positive(*expected: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return a positive row over `TEXT` that expects `ADA`, unless told otherwise."""
    own = {"schema_version": "nerb.enron_conformance_positive_case.v2", "case_id": "case.1", "text": TEXT}
    return {**own, "tags": ["unicode", "casing"], "expected": list(expected or (ADA,)), **fields}


def negative(**fields: Any) -> dict[str, Any]:
    """Return a negative row."""
    own = {
        "schema_version": "nerb.enron_conformance_negative_case.v2",
        "case_id": "case.2",
        "text": "Nobody.",
    }
    return {**own, "tags": ["negative", "boundary"], "reason_code": "look_alike", **fields}
