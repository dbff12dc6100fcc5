"""What is asked in a process of a run: the subject with its bank, built once; or nobody, where it died."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, final

from pytest_pii_eval.collection.replies import Reply
from pytest_pii_eval.contracts.canonical import fingerprint
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.reports.provenance import source_sha256
from pytest_pii_eval.silence import silenced
from pytest_pii_eval.withheld import is_interrupt, withheld

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pii_eval.collection.subject_building import Builder
    from pytest_pii_eval.collection.subjects import Subject
    from pytest_pii_eval.contracts.bank import Bank
    from pytest_pii_eval.contracts.records import Record

WORKER_DIED: Final = "worker_died"
"""Why a document has no answer whose batch ended every process that it met."""


class Fittings(NamedTuple):
    """The subject, the bank that records speak of, and a hash of what both are; equal in every process."""

    subject: Subject
    bank: Bank | None
    identity: str


@final
class Nobody:
    """A subject that is not there: the process that should ask it died of it."""

    kind = "detector"
    identities = False
    batch_size = 32
    build_seconds = 0.0

    def ask(self, records: Sequence[Record]) -> list[Reply]:
        """Return no answer for each."""
        return [Reply(None, WORKER_DIED, 0.0) for _ in records]


def fitted(builder: Builder) -> Fittings:
    """Return the subject of `builder` with its bank and a hash of what both are; raises `Fault`."""
    subject = builder.subject()
    facts = _told_by(subject)
    bank = None if builder.bank is None else builder.bank.fingerprint
    return Fittings(
        subject, builder.bank, fingerprint({"subject": facts, "bank": bank, "source": source_sha256()})
    )


def _told_by(subject: Subject) -> dict[str, Any]:
    try:
        return silenced(subject.facts)
    except BaseException as error:  # noqa: BLE001  # a stranger's code, SystemExit too; its text may hold anything
        failure: BaseException = KeyboardInterrupt()
        if not is_interrupt(error):
            failure = Fault(f"the detector does not tell about itself: {withheld(error)}")
    raise failure
