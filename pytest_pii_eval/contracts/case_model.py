"""The closed shape of conformance rows (v2), field by field; checks across fields live in `cases`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter
from typing_extensions import TypedDict  # pydantic refuses the one of typing below Python 3.12

from pytest_pii_eval.contracts.identifiers import OpaqueId
from pytest_pii_eval.contracts.patterns import PatternKind

Tag = Literal[
    "boundary",
    "casing",
    "html",
    "malformed",
    "negative",
    "overlap",
    "punctuation",
    "signature",
    "unicode",
    "whitespace",
]
Text = Annotated[str, StringConstraints(min_length=1)]

MAX_EXPECTED = 10_000
MAX_TEXT_BYTES = 10 * 1024 * 1024
# Bounded, so that no fault has to print a number of thousands of digits.
Offset = Annotated[int, Field(ge=0, le=MAX_TEXT_BYTES)]


# Typed dicts, not models: a suite holds tens of thousands of rows, and no row outlives its check.
_CLOSED = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)


class Occurrence(TypedDict):
    """One expected record: identity, kind, canonical name, matched string, UTF-8 byte span, half-open."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    entity_id: str
    name_id: str
    pattern_id: str
    pattern_kind: PatternKind
    canonical_name: str
    string: str
    start: Offset
    end: Offset


class PositiveRow(TypedDict):
    """A text in which every expected occurrence must be found and mapped exactly."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    schema_version: Literal["nerb.enron_conformance_positive_case.v2"]
    case_id: OpaqueId
    text: Text
    tags: Annotated[list[Tag], Field(min_length=1)]
    expected: Annotated[list[Occurrence], Field(min_length=1, max_length=MAX_EXPECTED)]


class NegativeRow(TypedDict):
    """A text in which no pattern of the bank may match."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    schema_version: Literal["nerb.enron_conformance_negative_case.v2"]
    case_id: OpaqueId
    text: Text
    tags: Annotated[list[Tag], Field(min_length=1)]
    reason_code: OpaqueId


TAGS: tuple[str, ...] = Tag.__args__  # type: ignore[attr-defined]  # typing offers no public way in
POSITIVE = TypeAdapter(PositiveRow)
NEGATIVE = TypeAdapter(NegativeRow)
