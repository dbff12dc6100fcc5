"""The embedded engine against nerb itself: generated banks of literals, records compared one by one."""

# ruff: noqa: RUF001 -- characters that look alike are what these tests are about

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pii_eval.contracts.patterns import ActivePattern
from pytest_pii_eval.detectors.bank.engine import Engine

engines = pytest.importorskip("nerb.engines", reason="nerb is not installed")

NOTES: dict[str, Any] = {"description": "", "status": "active", "metadata": {}}
BANK = NOTES | {
    "schema_version": "nerb.bank.v1",
    "id": "b",
    "name": "b",
    "version": "1",
    "created_at": "2026-01-01T00:00:00Z",
    "updated_at": "2026-01-01T00:00:00Z",
    "unicode_normalization": "none",
    "default_regex_flags": [],
}
FLAGS = ["ASCII", "IGNORECASE", "MULTILINE", "DOTALL", "VERBOSE"]
LITERAL_FIELDS = ("case_sensitive", "normalize_whitespace", "left_boundary", "right_boundary")

# Few letters, so that patterns overlap and meet their text; then what goes wrong elsewhere: the Kelvin
# sign, long s, dotted and dotless i, sigma, sharp s, marks, joiners, white space and what only looks like it.
ALPHABETS = st.sampled_from(
    [
        "ab",
        "ab ",
        "aA bB",
        "kK\u212asS\u017f",
        "iIİı ",
        "σςΣ ßẞ",
        "eé\u0301\u200d ",
        "a1_-\u0660 ",
        "a \n\u00a0\u2003\x1c",
    ]
)


def sane_flags(flags: set[str]) -> frozenset[str]:
    r"""Return the flags without VERBOSE beside ASCII: together they cost nerb the space in its `\s`."""
    return frozenset(flags - {"VERBOSE"} if "ASCII" in flags else flags)


def nerb_document(patterns: list[ActivePattern]) -> dict[str, Any]:
    """Return a bank document with the ids and priorities as they are; literals share their entity's flags."""
    entities: dict[str, Any] = {}
    for one in patterns:
        entity = entities.setdefault(one.entity_id, NOTES | {"regex_flags": [], "names": {}})
        name = entity["names"].setdefault(
            one.name_id, NOTES | {"canonical": one.canonical_name, "patterns": {}}
        )
        body = NOTES | {"kind": one.kind, "value": one.value, "priority": one.priority}
        if one.kind == "literal":
            entity["regex_flags"] = sorted(one.flags)
            body |= {field: getattr(one, field) for field in LITERAL_FIELDS}
        else:
            body["regex_flags"] = sorted(one.flags)
        name["patterns"][one.pattern_id] = body
    return BANK | {"entities": entities}


def nerb_records(patterns: list[ActivePattern], texts: list[str]) -> list[list[tuple[int, int, int]]]:
    """Return what nerb finds in each text, as (start, end, index of the pattern)."""
    compiled, _ = engines.compile_bank(nerb_document(patterns), options={"include_statuses": ["active"]})
    index = {(one.entity_id, one.name_id, one.pattern_id): place for place, one in enumerate(patterns)}
    return [
        [
            (r["start"], r["end"], index[r["entity_id"], r["name_id"], r["pattern_id"]])
            for r in compiled.finditer(text)
        ]
        for text in texts
    ]


def our_records(patterns: list[ActivePattern], texts: list[str]) -> list[list[tuple[int, int, int]]]:
    """Return the same of the embedded engine."""
    engine = Engine(patterns, time_limit=2)
    return [[tuple(record) for record in engine.scan(text)] for text in texts]  # type: ignore[misc]


@st.composite
def literals(draw: st.DrawFn, alphabet: str, entity: str, flags: frozenset[str]) -> list[ActivePattern]:
    """Draw the literals of one entity; values differ, because nerb cannot tell equal ones apart."""
    values = draw(st.lists(st.text(alphabet, min_size=1, max_size=6), min_size=1, max_size=6, unique=True))
    sides = st.sampled_from(["none", "word"])
    return [
        ActivePattern(
            entity,
            f"n{number}",
            draw(st.sampled_from(["p", "q"])),
            "literal",
            draw(st.sampled_from(["x", "y", "X"])),
            value,
            draw(st.sampled_from([1, 1, 2])),
            flags,
            draw(st.booleans()),
            draw(st.booleans()),
            draw(sides),
            draw(sides),
        )
        for number, value in enumerate(values)
    ]


@st.composite
def literal_banks(draw: st.DrawFn) -> tuple[list[ActivePattern], list[str]]:
    """Draw up to two entities of literals, and texts of the same letters and of pieces of the patterns."""
    alphabet = draw(ALPHABETS)
    patterns: list[ActivePattern] = []
    for entity in ("e1", "e2")[: draw(st.integers(1, 2))]:
        flags = sane_flags(draw(st.sets(st.sampled_from(FLAGS), max_size=2)))
        patterns += draw(literals(alphabet, entity, flags))
    return patterns, draw(texts_about([one.value for one in patterns], alphabet))


@st.composite
def texts_about(draw: st.DrawFn, values: list[str], alphabet: str) -> list[str]:
    """Draw texts out of letters, the values, their other cases, and their white space doubled."""
    forms = [form for value in values for form in (value, value.swapcase(), value.replace(" ", " \t"))]
    piece = st.sampled_from(forms) | st.text(alphabet, max_size=4)
    return draw(st.lists(st.lists(piece, max_size=8).map("".join), min_size=1, max_size=4))


@settings(max_examples=400, deadline=None)
@given(literal_banks())
def test_literals_are_found_as_nerb_finds_them(drawn: tuple[list[ActivePattern], list[str]]) -> None:
    """Both engines give the same records, whatever boundaries, case, white space, order and flags ask."""
    patterns, texts = drawn
    assert our_records(patterns, texts) == nerb_records(patterns, texts)
