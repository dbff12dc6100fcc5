"""The closed shape of a bank file (`nerb.bank.v1`), field by field; what the fields mean lives in `bank`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints

from pytest_pii_eval.contracts.identifiers import BankId
from pytest_pii_eval.contracts.patterns import Boundary, Normalization

Status = Literal["draft", "active", "inactive", "deprecated"]
Flag = Literal["ASCII", "IGNORECASE", "MULTILINE", "DOTALL", "VERBOSE"]
Flags = list[Flag]
Metadata = dict[str, JsonValue]
Reference = Annotated[str, StringConstraints(min_length=1)]
Description = Annotated[str, StringConstraints(max_length=2_000)]
PatternValue = Annotated[str, StringConstraints(min_length=1, max_length=10_000)]


class Closed(BaseModel):
    """A model that refuses unknown fields, coerces nothing and keeps input out of its errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, hide_input_in_errors=True)


class _Described(Closed):
    description: Description
    status: Status
    metadata: Metadata
    eval_refs: list[Reference] = Field(default_factory=list)


class LiteralPattern(_Described):
    """A pattern that is its own text."""

    kind: Literal["literal"]
    value: PatternValue
    priority: int
    case_sensitive: bool
    normalize_whitespace: bool
    left_boundary: Boundary
    right_boundary: Boundary


class RegexPattern(_Described):
    """A pattern that is an expression."""

    kind: Literal["regex"]
    value: PatternValue
    priority: int
    regex_flags: Flags


PatternModel = Annotated[LiteralPattern | RegexPattern, Field(discriminator="kind")]


class NameModel(_Described):
    """One canonical name and the patterns it appears as."""

    canonical: str
    patterns: dict[BankId, PatternModel] = Field(min_length=1)


class EntityModel(_Described):
    """One entity class and its names."""

    regex_flags: Flags
    names: dict[BankId, NameModel] = Field(min_length=1)


class BankModel(_Described):
    """A whole bank."""

    schema_version: Literal["nerb.bank.v1"]
    id: BankId
    name: str
    version: str
    created_at: str
    updated_at: str
    unicode_normalization: Normalization
    default_regex_flags: Flags
    entities: dict[BankId, EntityModel] = Field(min_length=1)
