"""The small JSON files of a freeze: the commitment to a suite, and the attestation that a human read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from pytest_pii_eval.contracts.canonical import canonical_bytes
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import read_input
from pytest_pii_eval.contracts.freezes_model import SplitKey
from pytest_pii_eval.contracts.identifiers import OpaqueId
from pytest_pii_eval.contracts.model_faults import fault_of
from pytest_pii_eval.contracts.quality_model import Digest
from pytest_pii_eval.contracts.strict_json import parse

if TYPE_CHECKING:
    from pathlib import Path

_LIMIT: Final = 256 * 1024 * 1024

Day = Annotated[str, StringConstraints(pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$")]
FileName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$")]
Count = Annotated[int, Field(ge=0)]


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)

    def rendered(self) -> bytes:
        """Return the file as it is written: canonical JSON and a line feed."""
        return canonical_bytes(self.model_dump(mode="json")) + b"\n"


class CommittedFile(_Closed):
    """One file of a suite by its content."""

    bytes: Count
    sha256: Digest


class Commitment(_Closed):
    """Which suite a freeze is, without a word of it.

    `gold` is the SHA-256 over the sorted digests of all records (id, text, role, view, gold, memberships):
    rows in another order are the same gold. `files` commits to every file of the suite. `templates` are the
    sorted hashes of the ids that `split_key` names, as a train list has them.
    """

    schema_version: Literal["pii_eval.freeze_commitment.v1"] = "pii_eval.freeze_commitment.v1"
    documents: Count
    gold_spans: Count
    gold: Digest
    files: dict[FileName, CommittedFile]
    split_key: SplitKey
    templates: list[Digest]


class Attestation(_Closed):
    """That a human read a freeze: `by` is a role and no name, `gold` is what was read."""

    schema_version: Literal["pii_eval.freeze_attestation.v1"] = "pii_eval.freeze_attestation.v1"
    set: OpaqueId
    by: OpaqueId
    at: Day
    documents: Count
    gold: Digest


_Model = TypeVar("_Model", Commitment, Attestation)


def read_commitment(path: Path, *, root: Path | None = None) -> Commitment:
    """Return the commitment at `path`; raises `Fault` with the file's name, also where it was edited."""
    return _read(Commitment, path, root)


def read_attestation(path: Path, *, root: Path | None = None) -> Attestation:
    """Return the attestation at `path`; raises `Fault` with the file's name."""
    return _read(Attestation, path, root)


def _read(model: type[_Model], path: Path, root: Path | None) -> _Model:
    payload = read_input(path, limit=_LIMIT, root=root)
    document: object = None
    try:
        document = parse(payload)
        found = model.model_validate(document)
    except ValidationError as error:
        fault = fault_of(error, document)
        name = (fault.field or "").split(".")[0].split("[")[0]
        raise Fault(fault.rule, file=path.name, field=name if name in model.model_fields else None) from None
    except Fault as fault:
        raise fault.at(file=path.name) from None
    if payload != found.rendered():
        raise Fault("is not written as pii-eval writes it; make it anew", file=path.name)
    return found
