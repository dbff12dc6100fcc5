"""The closed shapes of the quality files, field by field; checks across fields live beside their files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter
from typing_extensions import TypedDict  # pydantic refuses the one of typing below Python 3.12

from pytest_pii_eval.contracts.case_model import MAX_TEXT_BYTES, Offset
from pytest_pii_eval.contracts.identifiers import OPAQUE_ID_PATTERN, BankId, OpaqueId

if TYPE_CHECKING:
    from pydantic.config import JsonDict

MAX_SLICES = 256
"""Slices a plan may hold, declared gaps it may hold, slices a document may be in, and ids in a list."""

MAX_GOLD = 100_000
"""Gold spans of one document."""

SplitRole = Literal["train", "validation", "test"]
LabelStrength = Literal["independent", "structured_weak"]
Completeness = Literal["exhaustive_within_scope", "partial"]
Digest = Annotated[str, StringConstraints(pattern=r"^sha256:[0-9a-f]{64}$")]
Ids = Annotated[list[OpaqueId], Field(min_length=1, max_length=MAX_SLICES)]
# Compared with an id that was checked before, so the pattern is left to the published schema: half the time
# of a row would go into matching it again.
_PATTERN: JsonDict = {"pattern": OPAQUE_ID_PATTERN}
KnownId = Annotated[str, Field(json_schema_extra=_PATTERN)]
KnownIds = Annotated[list[KnownId], Field(min_length=1, max_length=MAX_SLICES)]
IdsOrNone = Annotated[list[OpaqueId], Field(max_length=MAX_SLICES)]
# A pinned corpus is often named with its path and revision, or as a sum: `name/part@1f2e3d`, `a+b`.
CorpusId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._+/@-]{0,127}$")]

# Typed dicts, not models, for the reason given in case_model.
_CLOSED = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)


class CatalogIdentity(TypedDict):
    """The active pattern of a bank that a separate review qualified an occurrence under."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    entity_id: BankId
    name_id: BankId
    pattern_id: BankId


class GoldRow(TypedDict):
    """One gold span: code points, half-open. `catalog_identity` null says explicitly uncataloged."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    document_id: KnownId
    entity_class: KnownId
    start: Offset
    end: Offset
    catalog_identity: CatalogIdentity | None


class DocumentRow(TypedDict):
    """One document; its text may be empty and is never normalised."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    document_id: OpaqueId
    text: str
    text_view: OpaqueId
    split_role: SplitRole


class RecordRow(TypedDict):
    """One document with all of its gold and the slices it belongs to."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    document: DocumentRow
    gold_spans: Annotated[list[GoldRow], Field(max_length=MAX_GOLD)]
    slice_ids: KnownIds


class AnnotationScope(TypedDict):
    """What was annotated: classes, regions, the policy for spans, and what was left out on purpose."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    entity_classes: Ids
    document_regions: Ids
    span_policy_sha256: Digest
    exclusions: IdsOrNone


class TextViewDescriptor(TypedDict):
    """What the scanned text is made of."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    id: OpaqueId
    artifact_sha256: Digest
    content_policy_sha256: Digest
    document_regions: Ids
    primary_for_quality: bool
    answer_bearing_fields_included: bool


class SliceRow(TypedDict):
    """One frozen population with the strength of its labels."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    id: OpaqueId
    label_artifact_id: OpaqueId
    label_strength: LabelStrength
    annotation_scope: AnnotationScope
    annotation_completeness: Completeness
    entity_class: OpaqueId
    cohort: OpaqueId
    split_role: SplitRole
    text_view: OpaqueId
    text_view_descriptor: TextViewDescriptor
    promotion_gate: bool


class UnsupportedRow(TypedDict):
    """A dimension that was asked for and cannot be measured."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    id: OpaqueId
    dimension: OpaqueId
    reason_code: OpaqueId


class ProvenanceRow(TypedDict):
    """Where a document comes from: its corpus, and the template that it was filled from."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    document_id: OpaqueId
    source_corpus: CorpusId
    template_id: OpaqueId


RECORD = TypeAdapter(RecordRow)
SLICE = TypeAdapter(SliceRow)
UNSUPPORTED = TypeAdapter(UnsupportedRow)
PROVENANCE = TypeAdapter(ProvenanceRow)

__all__ = [
    "MAX_GOLD",
    "MAX_SLICES",
    "MAX_TEXT_BYTES",
    "PROVENANCE",
    "RECORD",
    "SLICE",
    "UNSUPPORTED",
    "CatalogIdentity",
    "Completeness",
    "GoldRow",
    "LabelStrength",
    "ProvenanceRow",
    "RecordRow",
    "SliceRow",
    "SplitRole",
    "UnsupportedRow",
]
