"""Whether what lies in the vault is the sealed freeze that was committed to, and nobody has it elsewhere."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import state_of
from pytest_pii_eval.freezes.committing import commitment_of
from pytest_pii_eval.freezes.suites import SuiteFiles, SuiteReading

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pytest_pii_eval.contracts.commitment_model import Commitment
    from pytest_pii_eval.contracts.records import Record
    from pytest_pii_eval.freezes.standing import Standing
    from pytest_pii_eval.freezes.suites import Kinds

_FIELDS = ("files", "documents", "gold_spans", "gold", "split_key", "templates")


def check_freeze(folder: Path, commitment: Commitment, standing: Standing) -> None:
    """Raise `Fault` where the suite in `folder` is not the committed one, or a text of it is in another set.

    Reads its documents, so the ledger must know of the run by then.
    """
    found = commitment_of(folder, standing.kinds, split_key=commitment.split_key)
    for field in _FIELDS:
        if getattr(found, field) != getattr(commitment, field):
            rule = f"is not the sealed freeze that was committed to: it has other {field.replace('_', ' ')}"
            raise Fault(rule, file=folder.name)
    sealed = _texts(folder, standing.kinds)
    for one in standing.file.sets.values():
        shared = 0 if one.suite is None else len(sealed & _texts(one.suite, standing.kinds))
        if shared:
            rule = f"shares {shared:,} texts with the set {one.key}, which people read"
            raise Fault(rule, file=folder.name)


def _texts(folder: Path, kinds: Kinds) -> set[bytes]:
    """Return the hash of each text in the suite, 32 bytes a document; none where it has no records."""
    texts: set[bytes] = set()

    def take(record: Record, *_: object) -> None:
        texts.add(sha256(" ".join(record.text.split()).encode("utf-8")).digest())

    if any(kinds(path) == "records" for path in folder.iterdir()):
        SuiteReading(SuiteFiles(folder, kinds)).read(take, lambda *_: None)
    return texts


class Watch:
    """Files that must stay as they are while a run goes on."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self._states = {path: state_of(path) for path in paths}

    def changed(self) -> list[str]:
        """Return the names of those that somebody wrote to, or put another in the place of."""
        return sorted({path.name for path, state in self._states.items() if state_of(path) != state})
