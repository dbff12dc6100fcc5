"""Makes the `nerb.bank.v1` document out of the tables."""

from __future__ import annotations

from typing import Any

from suite_source.tables import Entity, Name, Pattern, flags, status

_STAMP = "2026-01-01T00:00:00Z"


def bank_document(entities: list[Entity]) -> dict[str, Any]:
    """Return the whole bank; the bank's own flag is MULTILINE, so `^` means a line everywhere."""
    return {
        "schema_version": "nerb.bank.v1",
        "id": "pii_eval_conformance",
        "name": "pytest-pii-eval conformance bank",
        "description": "Formats of personal data, and invented people, companies, places and products.",
        "version": "1.0.0",
        "status": "active",
        "created_at": _STAMP,
        "updated_at": _STAMP,
        "unicode_normalization": "none",
        "default_regex_flags": ["MULTILINE"],
        "entities": {entity.id: _entity(entity) for entity in entities},
        "metadata": {"license": "Apache-2.0", "synthetic": True},
    }


def _entity(entity: Entity) -> dict[str, Any]:
    return {
        "description": entity.description,
        "status": status(entity.options),
        "regex_flags": flags(entity.options),
        "names": {name.id: _name(name) for name in entity.names},
        "metadata": {},
    }


def _name(name: Name) -> dict[str, Any]:
    return {
        "canonical": name.canonical,
        "description": name.description,
        "status": status(name.options),
        "patterns": {pattern.id: _pattern(pattern) for pattern in name.patterns},
        "metadata": {},
    }


def _pattern(pattern: Pattern) -> dict[str, Any]:
    common = {
        "kind": pattern.kind,
        "value": pattern.value,
        "description": "",
        "status": status(pattern.options),
        "priority": pattern.priority,
    }
    own = _regex_fields(pattern) if pattern.kind == "regex" else _literal_fields(pattern)
    return {**common, **own, "metadata": {}}


def _regex_fields(pattern: Pattern) -> dict[str, Any]:
    return {"regex_flags": flags(pattern.options)}


def _literal_fields(pattern: Pattern) -> dict[str, Any]:
    options = pattern.options
    return {
        "case_sensitive": "cs" in options,
        "normalize_whitespace": "ws" in options,
        "left_boundary": "word" if options & {"word", "left"} else "none",
        "right_boundary": "word" if options & {"word", "right"} else "none",
    }
