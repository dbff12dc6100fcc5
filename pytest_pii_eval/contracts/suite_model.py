"""The closed shapes of taxonomy and suite file, field by field; what they mean lives beside each reader."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter, WithJsonSchema
from typing_extensions import TypedDict  # pydantic refuses the one of typing below Python 3.12

from pytest_pii_eval.contracts.identifiers import OpaqueId

MAX_ENTRIES = 10_000
"""Types of a taxonomy, labels of one map, and gates of a suite file."""

Role = Literal["unit", "public", "dev_freeze", "sealed_freeze"]
# A detector's label as the detector spells it; it is compared and never printed.
Label = Annotated[str, StringConstraints(min_length=1, max_length=128)]
LabelMap = Annotated[dict[Label, OpaqueId], Field(max_length=MAX_ENTRIES)]
PathText = Annotated[str, StringConstraints(min_length=1, max_length=1024)]
MetricName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,79}$")]
SliceName = Annotated[str, StringConstraints(pattern=r"^(\*|[A-Za-z0-9][A-Za-z0-9._-]{0,127})$")]
# YAML scalars come as text; an editor that checks the file against the schema sees numbers.
LimitText = Annotated[
    str,
    StringConstraints(max_length=64),
    WithJsonSchema({"anyOf": [{"type": "number", "minimum": 0}, {"type": "string"}]}),
]

# Typed dicts, not models, for the reason given in case_model.
_CLOSED = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)


class TaxonomyRow(TypedDict):
    """A taxonomy file: types by class, the classes of high severity, and label maps by name."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    version: OpaqueId
    types: Annotated[dict[OpaqueId, OpaqueId], Field(min_length=1, max_length=MAX_ENTRIES)]
    high_severity: NotRequired[list[OpaqueId]]
    label_maps: NotRequired[Annotated[dict[OpaqueId, LabelMap], Field(max_length=MAX_ENTRIES)]]


class LimitRow(TypedDict):
    """One gate or floor: a metric of a slice, of one type or of all, and its limit."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    slice: SliceName
    metric: MetricName
    type: NotRequired[OpaqueId]
    min: NotRequired[LimitText]
    max: NotRequired[LimitText]


class SuiteRow(TypedDict):
    """A suite file; every field may be left out."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    taxonomy: NotRequired[PathText]
    role: NotRequired[Role]
    types: NotRequired[Annotated[list[OpaqueId], Field(min_length=1, max_length=MAX_ENTRIES)]]
    gates: NotRequired[Annotated[list[LimitRow], Field(max_length=MAX_ENTRIES)]]
    floors: NotRequired[Annotated[list[LimitRow], Field(max_length=MAX_ENTRIES)]]


TAXONOMY = TypeAdapter(TaxonomyRow)
SUITE = TypeAdapter(SuiteRow)
