"""What must hold before a sealed run may start, all of it told at once; and what it is bound to then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.changes import changes_of
from pytest_pii_eval.freezes.committing import check_files
from pytest_pii_eval.freezes.git import refuse_sealed_place
from pytest_pii_eval.freezes.ledger_history import started_elsewhere
from pytest_pii_eval.freezes.ledger_model import Binding
from pytest_pii_eval.freezes.rules import RULES
from pytest_pii_eval.freezes.rules_of_git import sealed_and_thresholds_never_in_one_change
from pytest_pii_eval.freezes.suites import SuiteFiles, SuiteReading
from pytest_pii_eval.reports import provenance
from pytest_pii_eval.sealing.clone_memory import remembered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pii_eval.collection.quality.membership import Membership
    from pytest_pii_eval.freezes.git import Repository
    from pytest_pii_eval.freezes.ledger import Ledger
    from pytest_pii_eval.freezes.standing import Standing
    from pytest_pii_eval.settings import Sealed

_SHOWN: Final = 3
_OF_CHANGE: Final = "sealed-and-thresholds-not-in-one-change"


def reasons_against(standing: Standing, membership: Membership, sealed: Sealed) -> Iterator[str]:
    """Yield a line for all that stands in the way of a sealed run; no document is read."""
    repository = standing.repository
    if isinstance(repository, Fault):
        yield f"the repository cannot be told: {repository}"
        return
    yield from _of_place(standing, membership, repository, sealed)
    yield from _of_floors(membership)
    yield from _of_rules(standing, repository)
    yield from _of_repository(standing, repository, sealed)


def of_earlier_runs(
    ledger: Ledger, membership: Membership, repository: Repository | Fault, sealed: Sealed
) -> Iterator[str]:
    """Say where this clone knows the promotion, or ran the sealed freeze on other floors."""
    known = [one.started for one in ledger.promotions.values()]
    elsewhere = [] if isinstance(repository, Fault) else list(remembered(repository))
    here = {line.sha256 for line in known}
    if any(
        line.promotion.casefold() == sealed.promotion.casefold() and line.sha256 not in here
        for line in elsewhere
    ):
        yield f"{sealed.promotion} ran in this clone before, and this ledger does not say so: choose a new id"
    commitment, floors = membership.commitment, membership.floors
    if commitment is None or floors is None:
        return
    for line in [*known, *elsewhere]:
        if line.bound.gold == commitment.gold and line.bound.floors != floors.fingerprint:
            name = line.promotion
            yield f"the floors are not those that {name} ran this sealed freeze on; they stay: seal another"
            return


def moved(standing: Standing, head: str) -> list[str]:
    """Return what of the repository changed since the start, but for what the run itself wrote."""
    repository, file = standing.repository, standing.file
    if isinstance(repository, Fault):
        return ["the repository"]
    own = {file.ledger, file.reports}
    try:
        dirty = [one for one in repository.touched_now() if own.isdisjoint((one, *one.parents))]
        return [*(["HEAD"] if repository.head() != head else []), *map(standing.shown, sorted(dirty))]
    except Fault as fault:
        return [f"the repository ({fault})"]


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
        freezes=standing.file.fingerprint,
        scorer=revision,
        scorer_source=provenance.source_sha256(),
        repository=standing.repository.head(),
    )


def _of_place(
    standing: Standing, membership: Membership, repository: Repository, sealed: Sealed
) -> Iterator[str]:
    try:
        complaint = refuse_sealed_place(sealed.suite, repository)
        if complaint is not None:
            yield f"--pii-sealed-suite {complaint}"
        elif membership.commitment is not None:
            check_files(sealed.suite, membership.commitment, standing.kinds, contents=False)
            _check_plan(standing, membership, sealed)
    except Fault as fault:
        yield f"--pii-sealed-suite: {fault}"


def _check_plan(standing: Standing, membership: Membership, sealed: Sealed) -> None:
    """Raise `Fault` where floors speak of nothing in the sealed plan: the run would end before it scores."""
    files = SuiteFiles(sealed.suite, standing.kinds)
    files.suite = membership.governed(files.suite, sealed.suite.name, scored=True)
    SuiteReading(files)


def _of_floors(membership: Membership) -> Iterator[str]:
    floors = membership.floors
    if floors is not None and floors.open:
        count = len(floors.open)
        yield f"{count} of {len(floors.floors)} floors are open; pii-eval freeze set-floors sets them"
    elif floors is not None and not floors.is_as_set:
        rule = "the floors are not as pii-eval freeze set-floors wrote them from a report on the dev freeze"
        yield f"{rule}; --replace sets them again"


def _of_rules(standing: Standing, repository: Repository) -> Iterator[str]:
    """Judge each rule; the one about a change also for the range found unaided, and for the past."""
    for name, rule in RULES.items():
        finding = rule(standing)
        if finding.holds and name == _OF_CHANGE and _has_main_branch(repository):
            finding = rule(standing._replace(git_range=None, environment={}))
        if finding.holds and name == _OF_CHANGE:
            finding = sealed_and_thresholds_never_in_one_change(standing)
        if not finding.holds:
            yield f"{name}: {'; '.join(finding.reasons) or finding.verdict}"


def _has_main_branch(repository: Repository) -> bool:
    try:
        changes_of(repository, None, {})
    except Fault:
        return False  # there is nothing to compare with: the range that was given counts
    return True


def _of_repository(standing: Standing, repository: Repository, sealed: Sealed) -> Iterator[str]:
    file = standing.file
    elsewhere = started_elsewhere(file, repository, sealed.promotion)
    if elsewhere is not None:
        yield elsewhere
    report = file.reports / f"{sealed.promotion}.json"
    if report.exists() or report.is_symlink():
        yield f"{standing.shown(report)} is there already; a promotion runs once: choose a new id"
    for path in (file.ledger, report):
        if repository.ignores(path):
            yield f"{standing.shown(path)} is ignored by git, which must keep it"
    dirty = sorted(standing.shown(path) for path in repository.touched_now())
    if dirty:
        more = f" and {len(dirty) - _SHOWN} more" if len(dirty) > _SHOWN else ""
        yield f"not everything is committed: {', '.join(dirty[:_SHOWN])}{more}; commit, or let git ignore it"
