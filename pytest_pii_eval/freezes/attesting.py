"""The attestation that a human read the dev freeze: who may attest, and what is written of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_pii_eval.contracts.commitment_model import Attestation
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import read_input
from pytest_pii_eval.freezes.committing import committed
from pytest_pii_eval.freezes.suites import SUITE, SuiteFiles
from pytest_pii_eval.reports.write import write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pii_eval.contracts.freezes_file import FreezesFile
    from pytest_pii_eval.freezes.suites import Kinds

_MARK: Final = b'"pii_eval.freeze_attestation.v'
_LIMIT: Final = 1024 * 1024


def attest(file: FreezesFile, key: str, by: str, *, kinds: Kinds, today: str) -> Attestation:
    """Write, and return, the attestation of the role `by` that it read the dev freeze `key` as it is now.

    `today` is a date in UTC. An attestation that is there is replaced, as gold that changed is read again;
    any other file is not. Raises `Fault` or `OSError`.
    """
    one = file.sets.get(key)
    if one is None or one.role != "dev_freeze" or one.suite is None or one.attestation is None:
        known = "there is none" if file.dev is None else f"here, that is {file.dev.key}"
        raise Fault(f"only the dev freeze is attested; {known}", file=file.path.name, field="sets")
    if by not in one.readers:
        rule = "does not hold the role that was given; it attests who reads the set"
        raise Fault(rule, file=file.path.name, field=f"sets.{key}.readers")
    _check_place(one.attestation)
    files = SuiteFiles(one.suite, kinds, root=file.path.parent)
    if files.suite.role not in (None, "dev_freeze"):
        raise Fault("says that the suite has another role than dev_freeze", file=SUITE, field="role")
    found = committed(files, one.split_key)
    attestation = Attestation(set=key, by=by, at=today, documents=found.documents, gold=found.gold)
    write_atomically(one.attestation, attestation.rendered().decode("utf-8"))
    return attestation


def _check_place(path: Path) -> None:
    """Raise `Fault` where something else than an attestation would be replaced."""
    if (path.exists() or path.is_symlink()) and _MARK not in read_input(path, limit=_LIMIT):
        raise Fault("is there and is no attestation; remove it, or name another file", file=path.name)
