"""Builders of patterns and a scan in code points, for the tests of the engine."""

from __future__ import annotations

from pytest_pii_eval.contracts.patterns import ActivePattern
from pytest_pii_eval.detectors.bank.engine import Engine


def literal(value: str, name: str = "n", **fields: object) -> ActivePattern:
    """Return a case-sensitive literal without boundaries, unless `fields` say otherwise."""
    return _pattern(name, {"kind": "literal", "value": value, **fields})


def word(value: str, name: str = "n", **fields: object) -> ActivePattern:
    """Return a literal between word boundaries."""
    return literal(value, name, left_boundary="word", right_boundary="word", **fields)


def regex(value: str, name: str = "n", *flags: str, **fields: object) -> ActivePattern:
    """Return an expression with flags."""
    return _pattern(name, {"kind": "regex", "value": value, "flags": frozenset(flags), **fields})


def _pattern(name: str, fields: dict[str, object]) -> ActivePattern:
    places = {"entity_id": "e", "name_id": name, "pattern_id": "p", "canonical_name": name, "priority": 100}
    return ActivePattern(**{**places, **fields})  # type: ignore[arg-type]


def found(patterns: list[ActivePattern], text: str, normalization: str = "none") -> list[tuple[str, str]]:
    """Return name and matched string of every record, in the order of the records."""
    source = text.encode()
    records = Engine(patterns, normalization, time_limit=5).scan(text)  # type: ignore[arg-type]
    return [(patterns[one.pattern].name_id, source[one.start : one.end].decode()) for one in records]


def strings(pattern: ActivePattern, text: str) -> list[str]:
    """Return what the one pattern matches."""
    return [string for _, string in found([pattern], text)]
