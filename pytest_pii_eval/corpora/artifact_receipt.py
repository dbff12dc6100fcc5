"""What is told of a downloaded artifact: its pin, its bytes and their hash; no address, path or time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from pydantic import BaseModel, ConfigDict

from pytest_pii_eval.contracts.canonical import canonical_bytes

if TYPE_CHECKING:
    from pytest_pii_eval.contracts.corpora_file import Pin
    from pytest_pii_eval.corpora.receipt import Committed

SCHEMA: Final = "pii_eval.corpus_artifact.v1"


class ArtifactReceipt(BaseModel):
    """The receipt of a downloaded artifact.

    `pin` is the fingerprint of the pin that it was downloaded for. `resumed`: a part of it was there before,
    or came over an earlier connection.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)

    schema_version: Literal["pii_eval.corpus_artifact.v1"] = SCHEMA
    key: str
    pin: str
    bytes: int
    sha256: str
    resumed: bool


def artifact_receipt(pin: Pin, found: Committed, *, resumed: bool) -> ArtifactReceipt:
    """Return the receipt of bytes that were found to be those of `pin`."""
    return ArtifactReceipt(
        key=pin.key, pin=pin.fingerprint, bytes=found.bytes, sha256=found.sha256, resumed=resumed
    )


def rendered(receipt: ArtifactReceipt) -> bytes:
    """Return the receipt as it stands in its file."""
    return canonical_bytes(receipt.model_dump(mode="json")) + b"\n"
