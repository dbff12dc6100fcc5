"""What must hold before a sealed run may start, all of it told at once; and what it is bound to then."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.changes import changes_of
from pytest_pii_eval.freezes.committing import check_files
from pytest_pii_eval.freezes.git import refuse_sealed_place
from pytest_pii_eval.freezes.ledger_model import Binding
from pytest_pii_eval.freezes.rules import RULES
from pytest_pii_eval.reports import provenance

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_pii_eval.collection.quality.membership import Membership
    from pytest_pii_eval.freezes.standing import Standing


def refuse_start(standing: Standing, membership: Membership, suite: Path) -> None:
    """Raise `Fault` with a line for all that stands in the way of a sealed run; no document is read."""
    reasons = [*_of_place(standing, membership, suite), *_of_floors(membership), *_of_rules(standing)]
    if reasons:
        raise Fault("\n  ".join(["the sealed run did not start, and nothing was written:", *reasons]))


def widest(standing: Standing) -> Standing:
    """Return `standing` with the range that is found: one that was given could leave out what it should not.

    Where none can be found, the one that was given counts.
    """
    if isinstance(standing.repository, Fault):
        return standing
    with suppress(Fault):
        changes_of(standing.repository, None, standing.environment)
        return standing._replace(git_range=None)
    return standing


def bound_to(membership: Membership, standing: Standing, detector: str) -> Binding:
    """Return what the run is bound to; raises `Fault` where that is not known."""
    commitment, floors, one = membership.commitment, membership.floors, membership.one
    if commitment is None or floors is None or one is None or isinstance(standing.repository, Fault):
        raise Fault("there is no sealed freeze to bind the run to")
    revision, dirty = provenance.git_revision()
    if revision is None or dirty:
        raise Fault("the git revision of the scorer is not known")
    return Binding(
        set=one.key,
        gold=commitment.gold,
        detector=detector,
        floors=floors.fingerprint,
        scorer=revision,
        scorer_source=provenance.source_sha256(),
        repository=standing.repository.head(),
    )


def _of_place(standing: Standing, membership: Membership, suite: Path) -> Iterator[str]:
    if isinstance(standing.repository, Fault):
        yield f"the repository cannot be told: {standing.repository}"
        return
    try:
        complaint = refuse_sealed_place(suite, standing.repository)
        if complaint is not None:
            yield f"--pii-sealed-suite {complaint}"
        elif membership.commitment is not None:
            check_files(suite, membership.commitment, standing.kinds, contents=False)
    except Fault as fault:
        yield f"--pii-sealed-suite: {fault}"


def _of_floors(membership: Membership) -> Iterator[str]:
    floors = membership.floors
    if floors is not None and floors.open:
        count = len(floors.open)
        yield f"{count} of {len(floors.floors)} floors are open; pii-eval freeze set-floors sets them"


def _of_rules(standing: Standing) -> Iterator[str]:
    for name, rule in RULES.items():
        try:
            finding = rule(standing)
        except Fault as fault:
            yield f"{name}: {fault}"
            continue
        if not finding.holds:
            yield f"{name}: {'; '.join(finding.reasons) or finding.verdict}"
