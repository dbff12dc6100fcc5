"""The readers against slow checkers: strict JSON, JSON Lines, byte spans, and rows damaged byte by byte."""

from __future__ import annotations

import json
import math
from io import BytesIO

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_pii_eval.contracts.bank import parse_bank
from pytest_pii_eval.contracts.cases import CaseContract
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.jsonl import parse_row, read_rows
from pytest_pii_eval.contracts.strict_json import parse

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), FLOATS, TEXTS)
TREES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(TEXTS, TREES, max_size=4)
# Pieces out of which nearly valid JSON is put together.
PIECES = st.sampled_from(
    [
        *("{", "}", "[", "]", ",", ":", " ", "\n", "\t", "{}", '{"a":1}', '{"a":1,"a":2}', '[{"b":[]}]'),
        *(
            "1",
            "-0",
            "1.5",
            "1e5",
            "01",
            "1e999",
            "-1e999",
            "1" * 5_000,
            "NaN",
            "Infinity",
            "-Infinity",
            "true",
            "null",
        ),
        *(
            '"a"',
            '"b"',
            '"\\u0061"',
            '"é"',
            '"\\\\ud800"',
            '"\\ud83d\\ude00"',
            '"\\ud83d"',
            '"\\ude00x"',
            '"',
            "\\",
        ),
        *('"\x01"', "\u00a0"),
    ]
)


def _refused_by_hand(text: str) -> bool:
    """Say whether a slow walk with pairs in place of objects finds what strict JSON forbids."""
    try:
        tree = json.loads(text, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError):
        return True
    return _forbidden(tree)


class _Pairs(list):
    """The pairs of one object, in order, repeated keys included."""


def _forbidden(tree: object) -> bool:
    if isinstance(tree, _Pairs):
        keys = [key for key, _ in tree]
        twice = any(keys.count(key) > 1 for key in keys)
        return twice or any(_forbidden(key) or _forbidden(value) for key, value in tree)
    if isinstance(tree, list):
        return any(_forbidden(inner) for inner in tree)
    if isinstance(tree, float):
        return math.isnan(tree) or math.isinf(tree)
    return isinstance(tree, str) and any(0xD800 <= ord(character) <= 0xDFFF for character in tree)


def _parsed(payload: bytes) -> object:
    """Return what the strict reader says, faults as their type; whatever else is raised goes on."""
    try:
        return parse(payload)
    except Fault:
        return Fault


@given(TREES, st.booleans(), st.sampled_from([None, 1, "\t"]))
def test_valid_json_is_read_as_the_standard_library_reads_it(tree, ascii_only, indent) -> None:
    """Valid JSON in any spelling gives what `json.loads` gives, types included."""
    text = json.dumps(tree, ensure_ascii=ascii_only, indent=indent)
    assert repr(parse(text.encode())) == repr(json.loads(text))


@settings(max_examples=400)
@given(st.lists(PIECES, max_size=9).map("".join))
@example('{"a":1e999,"b":"\\ud800"}')
@example('{"a":{"x":1},"a":NaN}')
@example('[{"a":1,"a":2}')
def test_it_refuses_what_a_slow_check_refuses(text) -> None:
    """Pieces of JSON, put together at random, are refused exactly where a slow walk refuses them."""
    refused = _refused_by_hand(text)
    parsed = _parsed(text.encode())
    assert (parsed is Fault) is refused
    if not refused:
        assert repr(parsed) == repr(json.loads(text))


@given(OBJECTS, OBJECTS, st.integers(0, 3))
def test_a_repeated_key_is_refused_at_any_depth(one, two, depth) -> None:
    """An object that says a key twice is refused, however deep it lies and whatever it says."""
    text = f'{{"k":{json.dumps(one)},"k":{json.dumps(two)}}}'
    for _ in range(depth):
        text = f'{{"x":[{text}]}}'
    with pytest.raises(Fault, match="duplicate key in an object"):
        parse(text.encode())


@given(st.lists(OBJECTS, max_size=6), st.booleans())
def test_rows_lie_where_the_reader_says(rows, ascii_only) -> None:
    """Lines, offsets and sizes are those that splitting the bytes by hand gives."""
    lines = [json.dumps(row, ensure_ascii=ascii_only).encode() for row in rows]
    payload = b"".join(line + b"\n" for line in lines)
    read = list(read_rows(BytesIO(payload), file="a"))
    assert [row.raw for row in read] == lines
    assert [row.line for row in read] == list(range(1, len(lines) + 1))
    assert [row.offset for row in read] == [
        sum(len(line) + 1 for line in lines[:place]) for place in range(len(lines))
    ]
    assert [payload[row.offset : row.offset + row.size] for row in read] == lines


def _literal(value: str) -> dict[str, object]:
    own = {
        "kind": "literal",
        "value": value,
        "priority": 1,
        "case_sensitive": True,
        "normalize_whitespace": False,
    }
    return {**own, "left_boundary": "none", "right_boundary": "none", **NOTES}


NOTES: dict[str, object] = {"description": "", "status": "active", "metadata": {}}
NAME = {**NOTES, "canonical": "Ö", "patterns": {"p": _literal("ö")}}
BANK = parse_bank(
    {
        **NOTES,
        "schema_version": "nerb.bank.v1",
        "id": "b",
        "name": "B",
        "version": "1",
        "created_at": "",
        "updated_at": "",
        "unicode_normalization": "none",
        "default_regex_flags": [],
        "entities": {"e": {**NOTES, "regex_flags": [], "names": {"n": NAME}}},
    }
)
POSITIVE = CaseContract("positive", BANK)
NEGATIVE = CaseContract("negative", BANK)


def _positive(text: str, start: object, end: object, string: str) -> dict[str, object]:
    record = {
        "entity_id": "e",
        "name_id": "n",
        "pattern_id": "p",
        "pattern_kind": "literal",
        "canonical_name": "Ö",
    }
    return {
        "schema_version": "nerb.enron_conformance_positive_case.v2",
        "case_id": "c",
        "text": text,
        "tags": ["casing"],
        "expected": [{**record, "string": string, "start": start, "end": end}],
    }


def _span_holds(text: str, start: int, end: int, string: str) -> bool:
    """Say whether, counting bytes code point by code point, the string lies at the span."""
    edges = [0]
    for character in text:
        edges.append(edges[-1] + len(character.encode()))
    if start not in edges or end not in edges or start >= end:
        return False
    return text[edges.index(start) : edges.index(end)] == string


@given(
    st.text("aö€\U0001f600\u0301", min_size=1, max_size=6),
    st.integers(-1, 14),
    st.integers(-1, 14),
    st.data(),
)
def test_spans_are_taken_where_counting_by_hand_takes_them(text, start, end, data) -> None:
    """A span is taken exactly where its edges are edges of code points and its string lies between them."""
    there = text.encode()[max(start, 0) : max(end, 0)].decode("utf-8", "ignore")
    string = data.draw(st.sampled_from([there, text, "ö", ""]))
    row = _positive(text, start, end, string)
    if _span_holds(text, start, end, string):
        assert POSITIVE.parse(row).expected[0][:2] == (start, end)
    else:
        with pytest.raises(Fault):
            POSITIVE.parse(row)


ROWS = [
    json.dumps(_positive("x ö \U0001f600 ö", 2, 4, "ö"), ensure_ascii=False).encode(),
    json.dumps(_positive("x ö \U0001f600 ö", 2, 4, "ö")).encode(),
    json.dumps(
        {
            "schema_version": "nerb.enron_conformance_negative_case.v2",
            "case_id": "c",
            "text": "naïve \ud83d\ude00",
            "tags": ["negative", "html"],
            "reason_code": "r",
        }
    ).encode(),
]
BYTES = st.sampled_from(
    [b"", b"\x00", b"\xff", b"\xc3", b'"', b"\\", b"{", b"}", b",", b"[", b"]", b"9", b"-", b".5", b"e9"]
) | (
    st.sampled_from(
        [b"\\ud800", b"\\u0000", b"null", b"true", b"NaN", b"1e999", b'"a":1,', b"[[[[", b"\xf0\x9f\x98\x80"]
    )
)


@settings(max_examples=600)
@given(st.sampled_from(ROWS), st.lists(st.tuples(st.integers(0, 400), st.integers(0, 3), BYTES), max_size=4))
def test_damaged_rows_raise_nothing_but_faults(row, edits) -> None:
    """A row with bytes cut out and put in is a case or a fault, and a case only where JSON still holds."""
    for place, cut, put in edits:
        at = place % (len(row) + 1)
        row = row[:at] + put + row[at + cut :]
    for contract in (POSITIVE, NEGATIVE):
        try:
            case = contract.parse(parse_row(row))
        except Fault as fault:
            assert "\n" not in str(fault)  # noqa: PT017  # some damage leaves a valid row
        else:
            assert json.loads(row)["text"] == case.text
            assert contract.restore(parse_row(row)) == case


FIELDS = st.sampled_from(["schema_version", "case_id", "text", "tags", "expected", "reason_code", "other"])


@given(st.sampled_from(ROWS), FIELDS, TREES)
def test_rows_with_any_value_anywhere_raise_nothing_but_faults(row, field, tree) -> None:
    """Whatever stands in a field, at the top or in an occurrence, the answer is a case or a fault."""
    value = json.loads(row)
    inner = value.get("expected", [{}])[0]
    for changed in (
        {**value, field: tree},
        {**value, "expected": [{**inner, field: tree}]},
        {**value, "expected": [tree]},
    ):
        for contract in (POSITIVE, NEGATIVE):
            with_fault = None
            try:
                contract.parse(changed)
            except Fault as fault:
                with_fault = fault
            assert with_fault is None or str(with_fault)


@given(
    OBJECTS, st.sampled_from(["entities", "metadata", "default_regex_flags", "name", "status", "eval_refs"])
)
def test_banks_with_any_value_anywhere_raise_nothing_but_faults(tree, field) -> None:
    """Whatever stands in a field of a bank, the answer is a bank or a fault that shows none of it."""
    document = {**NOTES, "schema_version": "nerb.bank.v1", "id": "b", field: {"\u2603canary": tree}}
    try:
        parse_bank(document)
    except Fault as fault:
        assert "\u2603" not in str(fault)  # noqa: PT017  # some values make a valid bank
