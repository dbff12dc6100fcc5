"""What is told of a prepared corpus: versions, aggregate counts and commitments; no text, ids or paths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from pytest_pii_eval.contracts.canonical import canonical_bytes
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import read_input
from pytest_pii_eval.contracts.model_faults import fault_of
from pytest_pii_eval.contracts.strict_json import parse

if TYPE_CHECKING:
    from pathlib import Path

RECEIPT: Final = "receipt.json"
SCHEMA: Final = "pii_eval.corpus_receipt.v1"
_LIMIT: Final = 1024 * 1024


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)


class Committed(_Closed):
    """A file by its content: bytes, lines where it has lines, and SHA-256."""

    bytes: int
    sha256: str
    rows: int | None = None


class HeldOut(_Closed):
    """Documents of another role than the pin's: counted, and no part of the records."""

    documents: int
    spans: int


class Receipt(_Closed):
    """The receipt of a prepared corpus.

    `recipe` binds pin, label map and adapter; `quarantined` counts rows by reason, `excluded_spans` spans
    whose label the pin leaves out, `held_out` documents by role. `files` commits to every other file of the
    directory. Records of a corpus never decide a promotion: `not_promotable` says why.
    """

    schema_version: Literal["pii_eval.corpus_receipt.v1"] = SCHEMA
    key: str
    recipe: str
    pin: str
    artifact: Committed
    adapter: str
    adapter_version: str
    span_policy_sha256: str
    rows: int
    documents: int
    documents_without_gold: int
    spans: int
    spans_by_type: dict[str, int]
    excluded_spans: int
    quarantined: dict[str, int]
    held_out: dict[str, HeldOut]
    notes: dict[str, int]
    files: dict[str, Committed]
    not_promotable: str
    content: Literal["private_text"] = "private_text"

    def rendered(self) -> bytes:
        """Return the receipt as it stands in its file."""
        return canonical_bytes(self.model_dump(mode="json")) + b"\n"


def read_receipt(folder: Path) -> Receipt:
    """Return the receipt of the prepared corpus in `folder`; raises `Fault` with the file's name.

    Only the bytes that `Receipt.rendered` gives are a receipt.
    """
    try:
        payload = read_input(folder / RECEIPT, limit=_LIMIT)
        receipt = _parsed(parse(payload))
    except Fault as fault:
        raise fault.at(file=RECEIPT) from None
    if payload != receipt.rendered():
        raise Fault("is not written as a receipt is", file=RECEIPT)
    return receipt


def _parsed(value: object) -> Receipt:
    try:
        return Receipt.model_validate(value)
    except ValidationError as error:
        fault = fault_of(error, value)
        name = (fault.field or "").split(".")[0]
        # Below a field of the receipt are names that somebody may have put there.
        raise Fault(fault.rule, field=name if name in Receipt.model_fields else None) from None
