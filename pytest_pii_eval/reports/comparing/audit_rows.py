"""The rows of two audit directories, side by side: as many in memory as their orders differ, no more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import open_input
from pytest_pii_eval.contracts.jsonl import read_rows
from pytest_pii_eval.contracts.model_faults import fault_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from pathlib import Path


class _Row(BaseModel):
    """What a comparison reads of a row; the rest of it is for other readers."""

    model_config = ConfigDict(extra="ignore", frozen=True, hide_input_in_errors=True)


class CaseResult(_Row):
    """What became of one case."""

    schema_version: Literal["pii_eval.conformance_case_result.v1"]
    case_id: str
    outcome: str

    @property
    def key(self) -> Hashable:
        """Return what names the row."""
        return self.case_id


class GoldResult(_Row):
    """What became of one gold span; `ordinal` is its place in the record, from 0."""

    ordinal: Annotated[int, Field(ge=0)]
    type: str
    start: int
    end: int
    state: Literal["exact", "shift", "wrong_type", "miss"]
    leaks: bool


class DocumentResult(_Row):
    """What became of one document in one slice."""

    schema_version: Literal["pii_eval.slice_document_result.v1"]
    slice_id: str
    document_id: str
    gold: list[GoldResult]

    @property
    def key(self) -> Hashable:
        """Return what names the row."""
        return self.slice_id, self.document_id


_Result = TypeVar("_Result", CaseResult, DocumentResult)


def paired_rows(old: Path, new: Path, name: str, model: type[_Result]) -> Iterator[tuple[_Result, _Result]]:
    """Yield the rows of the file `name` in both directories, each with its twin.

    Raises `Fault` where a row breaks its contract, or one directory has rows that the other has not.
    """
    waiting: tuple[dict[Hashable, _Result], dict[Hashable, _Result]] = ({}, {})
    rows = [_rows(folder / name, model) for folder in (old, new)]
    open_ends = [True, True]
    while any(open_ends):
        for side in (0, 1):
            row = next(rows[side], None)
            if row is None:
                open_ends[side] = False
                continue
            twin = waiting[1 - side].pop(row.key, None)
            if twin is None:
                _keep(waiting[side], row, name)
            else:
                yield (row, twin) if side == 0 else (twin, row)
    lone = [len(found) for found in waiting]
    if any(lone):
        raise Fault(
            f"{lone[0]} rows of the old directory and {lone[1]} of the new one have no twin in the other;"
            " compare runs of the same suite",
            file=name,
        )


def _keep(waiting: dict[Hashable, _Result], row: _Result, name: str) -> None:
    if row.key in waiting:
        raise Fault("holds two rows of one id", file=name)
    waiting[row.key] = row


def _rows(path: Path, model: type[_Result]) -> Iterator[_Result]:
    with open_input(path) as handle:
        for row in read_rows(handle, file=path.name):
            try:
                yield model.model_validate(row.value, strict=True)
            except ValidationError as error:
                raise fault_of(error, row.value).at(file=path.name, line=row.line) from None
