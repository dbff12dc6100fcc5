"""The closed shapes of a predictions file, field by field; checks across fields live in `predictions`."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter
from typing_extensions import TypedDict  # pydantic refuses the one of typing below Python 3.12

from pytest_pii_eval.contracts.case_model import Offset
from pytest_pii_eval.contracts.identifiers import BankId, OpaqueId
from pytest_pii_eval.contracts.quality_model import Digest
from pytest_pii_eval.contracts.spans import FAILURE_PATTERN, MAX_PREDICTIONS

SCHEMA_VERSION = "pii_eval.predictions.v1"

MAX_DROPPED = 3 * MAX_PREDICTIONS
"""Spans that one document can have lost: all of three stages."""

# What a report prints of a detector: printable ASCII that neither starts nor ends with a space.
Shown = Annotated[str, StringConstraints(pattern=r"^[!-~]([ -~]{0,198}[!-~])?$")]
# A detector's own label, exactly as it spells it; as long as a label map may spell one.
Label = Annotated[str, StringConstraints(min_length=1, max_length=128)]
Score = Annotated[float, Field(allow_inf_nan=False)]
# Words of ours, or type and place of an exception: `ValueError in mine.py:12`.
Failure = Annotated[str, StringConstraints(pattern=FAILURE_PATTERN)]

# JSON has arrays where Python has tuples, and a strict tuple takes no list.
_ARRAY = Field(strict=False)
IdentityRow: TypeAlias = Annotated[tuple[BankId, BankId, BankId], _ARRAY]
RangeRow: TypeAlias = Annotated[tuple[Offset, Offset], _ARRAY]
SpanRow: TypeAlias = Annotated[tuple[Offset, Offset, Label, Score | None, IdentityRow | None], _ARRAY]
_STAGE = Field(max_length=MAX_PREDICTIONS)

# Typed dicts, not models, for the reason given in case_model.
_CLOSED = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)


class DetectorRow(TypedDict):
    """The detector that predicted, as it told about itself."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    name: Shown
    version: Shown
    fingerprint: Digest
    libraries: Annotated[dict[Shown, Shown], Field(max_length=1000)]
    label_map: Shown | None
    identities: bool


class HeaderRow(TypedDict):
    """The first row: which file this is, and whose predictions follow."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    schema_version: Literal["pii_eval.predictions.v1"]
    detector: DetectorRow


class PredictionRow(TypedDict):
    """The answer for one document: spans in code points, half-open, with the detector's own labels."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    document_id: OpaqueId
    text_sha256: Digest
    selected: Annotated[list[SpanRow], _STAGE]
    candidates: Annotated[list[SpanRow], _STAGE] | None
    protection: Annotated[list[RangeRow], _STAGE] | None
    partial: bool
    dropped: Annotated[int, Field(ge=0, le=MAX_DROPPED)]
    failure: Failure | None


HEADER = TypeAdapter(HeaderRow)
PREDICTION = TypeAdapter(PredictionRow)
