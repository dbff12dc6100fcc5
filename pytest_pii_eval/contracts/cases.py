"""Conformance cases: a row checked against its contract and against the bank it speaks about."""

from __future__ import annotations

import unicodedata
from functools import cache
from hashlib import sha256
from sys import intern
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pydantic import ValidationError

from pytest_pii_eval.contracts.case_model import MAX_TEXT_BYTES, NEGATIVE, POSITIVE
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.model_faults import fault_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_pii_eval.contracts.bank import Bank
    from pytest_pii_eval.contracts.case_model import Occurrence

CaseKind = Literal["positive", "negative"]


class Expected(NamedTuple):
    """One expected record: half-open UTF-8 byte span and the index of the pattern in the bank.

    Entity, name, kind, canonical name and string follow from these three: the contract was checked.
    """

    start: int
    end: int
    pattern: int


class Case(NamedTuple):
    """One conformance case; `expected` is empty for a negative one, `reason_code` for a positive one."""

    case_id: str
    kind: CaseKind
    text: str
    tags: tuple[str, ...]
    expected: tuple[Expected, ...]
    reason_code: str = ""


class CaseContract:
    """Checks rows of one kind against the contract and one bank."""

    def __init__(self, kind: CaseKind, bank: Bank) -> None:
        self._kind = kind
        self._bank = bank
        self._validate = (POSITIVE if kind == "positive" else NEGATIVE).validator.validate_python
        self._index: Mapping[tuple[str, str, str], int] = bank.index() if kind == "positive" else {}
        self._identities = [" ".join(ids) for ids in self._index]

    def parse(self, value: dict[str, Any]) -> Case:
        """Return the case in one decoded row; raises `Fault` without file and line."""
        try:
            row: Any = self._validate(value)
        except ValidationError as error:
            raise fault_of(error, value) from None
        text: str = row["text"]
        tags = _checked_tags(tuple(row["tags"]), self._kind)
        # A code point takes four bytes at most, so most texts need no counting.
        if len(text) > MAX_TEXT_BYTES // 4 and len(text.encode("utf-8")) > MAX_TEXT_BYTES:
            raise Fault(f"holds more than the limit of {MAX_TEXT_BYTES:,} bytes of UTF-8", field="text")
        expected = self._expected(row["expected"], text.encode("utf-8")) if "expected" in row else ()
        return Case(row["case_id"], self._kind, text, tags, expected, intern(row.get("reason_code", "")))

    def restore(self, value: dict[str, Any]) -> Case:
        """Return the case in a row that `parse` accepted before, without checking it again."""
        index = self._index
        expected = tuple(
            Expected(
                item["start"], item["end"], index[item["entity_id"], item["name_id"], item["pattern_id"]]
            )
            for item in value.get("expected", ())
        )
        tags = tuple(sorted(value["tags"]))
        return Case(value["case_id"], self._kind, value["text"], tags, expected, value.get("reason_code", ""))

    def digest(self, case: Case) -> bytes:
        """Return the SHA-256 of what `case` says; order of keys, tags and occurrences is gone from it.

        Kind and canonical name of an occurrence are the bank's and its string is the text's, so they
        are bound by the bank's fingerprint and by the text in here.
        """
        expected = case.expected if len(case.expected) == 1 else sorted(case.expected)
        identities = self._identities
        records = "".join([f"\n{start} {end} {identities[index]}" for start, end, index in expected])
        # The count keeps a text that looks like an occurrence apart from one.
        head = f"{self._kind} {case.case_id} {len(expected)} {case.reason_code}\n{' '.join(case.tags)}"
        return sha256(f"{head}{records}\n{case.text}".encode()).digest()

    def _expected(self, rows: list[Occurrence], payload: bytes) -> tuple[Expected, ...]:
        expected = tuple([self._occurrence(row, payload, ordinal) for ordinal, row in enumerate(rows)])
        if len(expected) > 1 and len(set(expected)) != len(expected):
            raise _repeated(expected)
        return expected

    def _occurrence(self, row: Occurrence, payload: bytes, ordinal: int) -> Expected:
        index = self._index.get((row["entity_id"], row["name_id"], row["pattern_id"]))
        if index is None:
            raise self._unknown(row, ordinal)
        pattern = self._bank.patterns[index]
        if row["pattern_kind"] != pattern.kind:
            raise _occurrence_fault(ordinal, "pattern_kind", "disagrees with the bank")
        if row["canonical_name"] != pattern.canonical_name:
            raise _occurrence_fault(ordinal, "canonical_name", "disagrees with the bank")
        start, end = row["start"], row["end"]
        # A string that equals the bytes of its span splits nothing; a slice forgives an end behind the text.
        if not start < end <= len(payload) or payload[start:end] != row["string"].encode("utf-8"):
            raise _span_fault(row, payload, ordinal)
        return Expected(start, end, index)

    def _unknown(self, row: Occurrence, ordinal: int) -> Fault:
        """Say which of the three ids is the first that leads to nothing active."""
        entity_id, name_id = row["entity_id"], row["name_id"]
        if all(entity_id != entity for entity, _, _ in self._index):
            return _occurrence_fault(
                ordinal, "entity_id", "names no entity of the bank with an active pattern"
            )
        if all((entity_id, name_id) != ids[:2] for ids in self._index):
            return _occurrence_fault(
                ordinal, "name_id", "names no name of this entity with an active pattern"
            )
        return _occurrence_fault(ordinal, "pattern_id", "names no active pattern of this name")


@cache
def _checked_tags(tags: tuple[str, ...], kind: CaseKind) -> tuple[str, ...]:
    """Return the tags sorted; a suite repeats a few combinations thousands of times."""
    if len(set(tags)) != len(tags):
        raise Fault("holds the same tag twice", field="tags")
    if kind == "negative" and "negative" not in tags:
        raise Fault("a negative case carries the tag negative", field="tags")
    if kind == "positive" and "negative" in tags:
        raise Fault("a positive case does not carry the tag negative", field="tags")
    return tuple(sorted(tags))


def _repeated(expected: tuple[Expected, ...]) -> Fault:
    again = next(ordinal for ordinal, one in enumerate(expected) if one in expected[:ordinal])
    return Fault(f"says the same as expected[{expected.index(expected[again])}]", field=f"expected[{again}]")


def _span_fault(row: Occurrence, payload: bytes, ordinal: int) -> Fault:
    start, end = row["start"], row["end"]
    if end <= start:
        return _occurrence_fault(ordinal, "end", f"must lie behind start (start {start}, end {end})")
    if end > len(payload):
        rule = f"lies outside the text (end {end}, text {len(payload)} bytes)"
        return _occurrence_fault(ordinal, "end", rule)
    hint = _hint(row, payload)
    for name, offset in (("start", start), ("end", end)):
        if offset < len(payload) and payload[offset] & 0xC0 == 0x80:  # noqa: PLR2004  # UTF-8's own mark
            return _occurrence_fault(ordinal, name, f"byte {offset} splits a code point{hint}")
    rule = f"disagrees with the text at bytes {start} to {end}{hint}"
    return _occurrence_fault(ordinal, "string", rule)


def _hint(row: Occurrence, payload: bytes) -> str:
    """Return what the row's author may have counted or changed, where that would explain the span."""
    text = payload.decode("utf-8")
    start, end, string = row["start"], row["end"], row["string"]
    if text[start:end] == string:
        return "; the span fits when counted in code points, but this contract counts bytes"
    if text.encode("utf-16-le")[2 * start : 2 * end] == string.encode("utf-16-le"):
        return "; the span fits when counted in UTF-16 units, but this contract counts bytes"
    found = payload[start:end].decode("utf-8", "replace")
    if unicodedata.normalize("NFC", found) == unicodedata.normalize("NFC", string):
        return "; they differ in Unicode normalization only (NFC, NFD), but this contract compares bytes"
    return ""


def _occurrence_fault(ordinal: int, field: str, rule: str) -> Fault:
    return Fault(rule, field=f"expected[{ordinal}].{field}")
