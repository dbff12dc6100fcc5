"""The rules about the dev freeze by itself: a human read it as it is, and it holds what it must hold."""

from __future__ import annotations

import os
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Final

from pytest_pii_eval.contracts.commitment_model import read_attestation
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.freezes_file import REQUIRED_SLICES
from pytest_pii_eval.freezes.finding import PASS, fail, unknown
from pytest_pii_eval.freezes.kept_commitment import kept_commitment
from pytest_pii_eval.freezes.suites import SuiteFiles, SuiteReading, paths_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_pii_eval.contracts.commitment_model import Attestation
    from pytest_pii_eval.contracts.freezes_file import FreezeSet
    from pytest_pii_eval.contracts.freezes_model import SplitKey
    from pytest_pii_eval.freezes.finding import Finding
    from pytest_pii_eval.freezes.standing import Standing

_NO_DEV: Final = "the file names no dev freeze"
_TIME_ZONES: Final = timedelta(days=1)
"""How far the day of whoever attests may be ahead of UTC."""


def today() -> date:
    """Return the day it is in UTC."""
    return datetime.now(UTC).date()


def dev_freeze_was_read(standing: Standing, clock: Callable[[], date] = today) -> Finding:
    """Fail where the attestation is by none of the dev freeze's readers, or of other gold than it has now."""
    dev = standing.file.dev
    if dev is None or dev.suite is None or dev.attestation is None:
        return unknown(_NO_DEV)
    again = f"pii-eval freeze attest {dev.key} --by ROLE"
    if not os.path.lexists(dev.attestation):
        return unknown(f"nobody attested yet that a human read the dev freeze: {again}")
    try:
        attested = read_attestation(dev.attestation, root=standing.root)
        key = _key(dev.suite, standing)
        commitment = kept_commitment(dev.suite, standing.kinds, split_key=key, root=standing.root)
    except Fault as fault:
        return fail(str(fault))
    reasons = _foreign(attested, dev, clock())
    if (attested.gold, attested.documents) != (commitment.gold, commitment.documents):
        reasons.append(f"the dev freeze changed after it was read: read it anew, then {again}")
    return fail(*reasons) if reasons else PASS


def dev_freeze_holds_its_slices(standing: Standing) -> Finding:
    """Fail where the dev freeze lacks a required slice, documents in one, or the provenance of its rows."""
    dev = standing.file.dev
    if dev is None or dev.suite is None:
        return unknown(_NO_DEV)
    try:
        files = SuiteFiles(dev.suite, standing.kinds, root=standing.root)
        reading = SuiteReading(files)
        reading.read(_nothing, _nothing)
    except Fault as fault:
        return fail(str(fault))
    ids = {name: dev.slices[name] for name in REQUIRED_SLICES}
    lacking = [_called(name, one) for name, one in ids.items() if one not in reading.plan.slices]
    empty = [
        _called(name, one)
        for name, one in ids.items()
        if one in reading.plan.slices and not reading.population.documents(one)
    ]
    reasons = []
    if lacking:
        reasons.append(f"the slice plan of the dev freeze lacks: {', '.join(lacking)}")
    if empty:
        reasons.append(f"no document of the dev freeze is in: {', '.join(empty)}")
    if not files.of("provenance"):
        reasons.append(
            "no provenance sidecar tags the rows of the dev freeze with source_corpus and template_id"
        )
    return fail(*reasons) if reasons else PASS


def _key(suite: Path, standing: Standing) -> SplitKey:
    """Return the key by which another rule reads the suite, where it can be read so: its gold has none."""
    sealed = standing.file.sealed
    if sealed is None or not paths_of(suite, standing.kinds)["provenance"]:
        return "document_id"
    return sealed.split_key


def _foreign(attested: Attestation, dev: FreezeSet, day: date) -> list[str]:
    """Return what is wrong with an attestation whatever it attests."""
    reasons = []
    if attested.set != dev.key:
        reasons.append("the attestation is of another set than the dev freeze")
    if attested.by not in dev.readers:
        reasons.append("the attestation is by a role that is none of the readers of the dev freeze")
    try:
        ahead = date.fromisoformat(attested.at) > day + _TIME_ZONES
    except ValueError:
        return [*reasons, "the attestation is of a day that is in no calendar"]
    return [*reasons, "the attestation is of a day to come"] if ahead else reasons


def _called(name: str, slice_id: str) -> str:
    return name if name == slice_id else f"{name} ({slice_id})"


def _nothing(*_: object) -> None:
    """Take a row that is read only to be checked and counted."""
