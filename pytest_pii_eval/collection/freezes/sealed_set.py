"""What a sealed run is held to before it starts: its settings, and the membership of the sealed freeze."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_pii_eval.collection.quality.membership import Membership
from pytest_pii_eval.contracts.commitment_model import read_commitment
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.floors_file import read_floors
from pytest_pii_eval.contracts.freezes_file import read_freezes
from pytest_pii_eval.settings import DEFAULT_FREEZES

if TYPE_CHECKING:
    from pytest_pii_eval.contracts.freezes_file import FreezesFile
    from pytest_pii_eval.settings import Settings


_BUDGETS: Final = {"max-dropped": "0", "max-unmapped": "0"}


def sealed_settings(settings: Settings) -> Settings:
    """Return the settings of a sealed run.

    Protection output is judged, nothing may be dropped or unmapped, and latency counts where a floor says so.

    Raises `Fault` where the freezes file or its floors break their contract.
    """
    floors = read_floors(freezes_of(settings).floors, root=settings.root)
    gates = (*((name, text) for name, text in settings.gates if name not in _BUDGETS), *_BUDGETS.items())
    return settings._replace(
        gate_output="protection", gates=gates, max_p95_ms=floors.p95_ms or settings.max_p95_ms
    )


def is_evidence(settings: Settings) -> bool:
    """Whether the report would replace a file that the freezes file names, or a sealed report."""
    try:
        file = read_freezes(settings.freezes or settings.root / DEFAULT_FREEZES, root=settings.root)
    except Fault:
        return False  # its own node says what is wrong with it
    sets = file.sets.values()
    named = {file.floors, file.ledger, *file.thresholds, *(file.train_lists or ())}
    named.update(path for one in sets for path in (one.commitment, one.attestation) if path is not None)
    return settings.report in named or file.reports in settings.report.parents


def freezes_of(settings: Settings) -> FreezesFile:
    """Return the freezes file of a sealed run; raises `Fault` where there is none, or no sealed set in it."""
    path = settings.freezes or settings.root / DEFAULT_FREEZES
    try:
        file = read_freezes(path, root=settings.root)
    except Fault as fault:
        raise Fault(fault.rule, file=settings.shown(path), line=fault.line, field=fault.field) from None
    if file.sealed is None:
        raise Fault("names no set of the role sealed_freeze", file=settings.shown(path), field="sets")
    return file


def sealed_membership(file: FreezesFile, settings: Settings) -> Membership:
    """Return the sealed freeze as a set, with its commitment and floors; raises `Fault`."""
    one = file.sealed
    if one is None or one.commitment is None:
        raise Fault("names no set of the role sealed_freeze", file=settings.shown(file.path), field="sets")
    commitment = read_commitment(one.commitment, root=settings.root)
    return Membership(file, one, commitment, read_floors(file.floors, root=settings.root))
