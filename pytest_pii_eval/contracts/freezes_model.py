"""The closed shapes of freezes file and floors file, field by field; rules live beside each reader."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import ConfigDict, Field, TypeAdapter
from typing_extensions import TypedDict  # pydantic refuses the one of typing below Python 3.12

from pytest_pii_eval.contracts.corpus_model import Detector, Key, Whole
from pytest_pii_eval.contracts.identifiers import OpaqueId
from pytest_pii_eval.contracts.quality_model import CorpusId, Digest
from pytest_pii_eval.contracts.suite_model import MAX_ENTRIES, LimitText, PathText, Role, SliceName

MAX_SETS = 256
MAX_LISTS = 256

SplitKey = Literal["template_id", "document_id"]
FloorKind = Literal["exact_recall", "extra_span_rate", "p95_latency_ms"]
"""Kinds of floors that a file sets (spec/evaluation.md, "Floors"). That no high-severity span leaks from
protection output is no floor of a file: it always holds at 0."""

# Typed dicts, not models, for the reason given in case_model.
_CLOSED = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)


class SetRow(TypedDict):
    """One set: a suite, a corpus of the corpora file, or a sealed freeze that is known by its commitment."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    role: Role
    suite: NotRequired[PathText]
    corpus: NotRequired[Key]
    readers: NotRequired[Annotated[list[OpaqueId], Field(min_length=1, max_length=MAX_ENTRIES)]]
    split_key: NotRequired[SplitKey]
    attestation: NotRequired[PathText]
    commitment: NotRequired[PathText]
    slices: NotRequired[Annotated[dict[OpaqueId, OpaqueId], Field(max_length=64)]]


class CardRow(TypedDict):
    """What a detector's card lists: the corpora that it, or its model, trained on."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    detector: Detector
    corpora: Annotated[list[CorpusId], Field(max_length=MAX_ENTRIES)]


class FreezesRow(TypedDict):
    """The freezes file."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    version: Literal["pii_eval.freezes.v1"]
    roles: Annotated[list[OpaqueId], Field(min_length=1, max_length=MAX_ENTRIES)]
    sets: Annotated[dict[Key, SetRow], Field(min_length=1, max_length=MAX_SETS)]
    train_lists: Literal["none"] | Annotated[list[PathText], Field(max_length=MAX_LISTS)]
    cards: NotRequired[Annotated[list[CardRow], Field(max_length=MAX_ENTRIES)]]
    thresholds: NotRequired[Annotated[list[PathText], Field(max_length=MAX_ENTRIES)]]
    floors: PathText
    ledger: PathText
    reports: PathText
    minimum_documents: NotRequired[Whole]


class FloorRow(TypedDict):
    """One floor: its kind, the slice and type that it speaks of, and its limit."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    kind: FloorKind
    slice: NotRequired[SliceName]
    type: NotRequired[OpaqueId]
    limit: LimitText


class SetFromRow(TypedDict):
    """Where the numbers come from: a report on the dev freeze, by its hash; `numbers` is what was written."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    report: Digest
    detector: Digest
    slack: LimitText
    numbers: NotRequired[Digest]


class FloorsRow(TypedDict):
    """The floors file; `set_from` is there once `pii-eval freeze set-floors` wrote numbers."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    version: Literal["pii_eval.floors.v1"]
    set_from: NotRequired[SetFromRow]
    floors: Annotated[list[FloorRow], Field(min_length=1, max_length=MAX_ENTRIES)]


class TrainRow(TypedDict):
    """One row of a train list: the hash of a template, or of a document, that was trained on."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    template_sha256: Digest


FREEZES = TypeAdapter(FreezesRow)
FLOORS = TypeAdapter(FloorsRow)
TRAIN = TypeAdapter(TrainRow)
