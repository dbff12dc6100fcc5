"""One line of the ledger of sealed runs: ids, hashes and a verdict, bound to the line before; no text."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from pytest_pii_eval.contracts.canonical import canonical_bytes
from pytest_pii_eval.contracts.identifiers import OpaqueId
from pytest_pii_eval.contracts.quality_model import Digest

GENESIS: Final = "sha256:" + "0" * 64
"""What the first line is bound to."""

Event = Literal["started", "finished", "interrupted"]
Moment = Annotated[
    str, StringConstraints(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$")
]
Revision = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}([0-9a-f]{24})?$")]


def moment(when: datetime) -> str:
    """Return `when` as the ledger writes it: UTC, whole seconds."""
    return when.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


class Binding(BaseModel):
    """What a sealed run was bound to when it started; every later line of the run repeats it.

    `gold` is the commitment of the sealed freeze to its gold, `floors` and `freezes` are fingerprints of
    these files, `scorer` is the git revision of this package, `repository` that of the repository with the
    freezes file.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)

    set: OpaqueId
    gold: Digest
    detector: Digest
    floors: Digest
    freezes: Digest
    scorer: Revision
    scorer_source: Digest
    repository: Revision


class LedgerLine(BaseModel):
    """One event of one promotion.

    `started` is written before the first document is read. `finished` has `verdict` (`ship` or `no_ship`) and
    the SHA-256 of the report. `interrupted` is written where a run could still say so; a run that was killed
    has its `started` alone. `after` and `reason` (a code) say which interrupted promotion this one replaces.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)

    schema_version: Literal["pii_eval.ledger.v1"] = "pii_eval.ledger.v1"
    sequence: Annotated[int, Field(ge=1)]
    previous: Digest
    at: Moment
    event: Event
    promotion: OpaqueId
    bound: Binding
    after: OpaqueId | None = None
    reason: OpaqueId | None = None
    verdict: Literal["ship", "no_ship"] | None = None
    report: Digest | None = None

    def rendered(self) -> bytes:
        """Return the line as it stands in the ledger, without its line feed."""
        return canonical_bytes(self.model_dump(mode="json"))

    @property
    def sha256(self) -> str:
        """What the next line is bound to."""
        return "sha256:" + hashlib.sha256(self.rendered()).hexdigest()
