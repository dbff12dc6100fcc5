"""One sealed run: it starts once all holds that must, has its lines in the ledger, and a ship verdict."""

from __future__ import annotations

import hashlib
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest

from pytest_pii_eval.collection.entry import subject_facts
from pytest_pii_eval.collection.freezes.nodes import PLAN
from pytest_pii_eval.collection.freezes.sealed_set import freezes_of, sealed_membership, sealed_settings
from pytest_pii_eval.collection.freezes.standing import standing_of
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.held_ledger import held_ledger
from pytest_pii_eval.freezes.ledger_disk import locked_folder
from pytest_pii_eval.freezes.shipping import ship_parts
from pytest_pii_eval.reports.model import PromotionReport, RuleReport
from pytest_pii_eval.reports.write import render_json, write_atomically
from pytest_pii_eval.sealing.clone_memory import remember
from pytest_pii_eval.sealing.freeze_check import Watch, check_freeze
from pytest_pii_eval.sealing.preflight import bound_to, moved, of_earlier_runs, reasons_against
from pytest_pii_eval.wire import SEALED
from pytest_pii_eval.withheld import InternalError, contained, without_frames

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pii_eval.collection.quality.membership import Membership
    from pytest_pii_eval.freezes.held_ledger import HeldLedger
    from pytest_pii_eval.freezes.ledger_model import LedgerLine
    from pytest_pii_eval.freezes.standing import Standing
    from pytest_pii_eval.reports.model import Report
    from pytest_pii_eval.settings import Sealed, Settings

_BROKEN_OFF: Final = frozenset({pytest.ExitCode.INTERRUPTED, pytest.ExitCode.INTERNAL_ERROR})


def prepare_sealed_run(config: pytest.Config, settings: Settings, *, is_worker: bool) -> Settings:
    """Return the settings of a sealed run; on the controller, register who starts and ends it."""
    try:
        settings = sealed_settings(settings)
    except Fault as fault:
        raise pytest.UsageError(f"--pii-sealed: {fault}") from None
    if not is_worker and settings.sealed is not None:
        config.pluginmanager.register(SealedRun(config, settings, settings.sealed), SEALED)
    return settings


class _Started(NamedTuple):
    """A run that the ledger knows of: nothing may be lost from here on."""

    ledger: HeldLedger
    line: LedgerLine
    membership: Membership
    standing: Standing
    watch: Watch


class SealedRun:
    """Registered on the controller of a sealed run, before any worker or collection."""

    def __init__(self, config: pytest.Config, settings: Settings, sealed: Sealed) -> None:
        self._config = config
        self._settings = settings
        self._sealed = sealed
        self._started: _Started | None = None
        self._is_over = False
        self._held = ExitStack()

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Check all that can be checked, then write `started`: no document was read so far."""
        try:
            problem = self._tried_to_start()
        except KeyboardInterrupt:
            self._end()
            raise
        if problem is not None:
            self._end()
            raise pytest.UsageError(f"--pii-sealed: {problem}")

    def judged(self, report: Report, session: pytest.Session) -> tuple[Report, list[str]]:
        """Return the report with its ship verdict, written down and in the ledger; and what went wrong."""
        started = self._started
        if started is None or session.exitstatus in _BROKEN_OFF:
            return report, []
        report = self._shipped(report, started, failures=session.testsfailed)
        promotion = report.promotion
        payload = render_json(report)
        reports = started.standing.file.reports
        try:
            reports.mkdir(parents=True, exist_ok=True)
            write_atomically(reports / f"{started.line.promotion}.json", payload)
            digest = f"sha256:{hashlib.sha256(payload.encode('utf-8')).hexdigest()}"
            ships = promotion is not None and promotion.ships
            started.ledger.finish("ship" if ships else "no_ship", digest, now=_now())
        except (OSError, Fault) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            problem = f"the sealed run could not be written down and counts as interrupted ({why})"
            return report.model_copy(update={"promotion": None, "passed": False}), [problem]
        self._is_over = True
        return report, []

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        """Say so where the run was broken off."""
        self._end()

    def pytest_unconfigure(self) -> None:
        """Let go of the ledger."""
        self._end()

    def _tried_to_start(self) -> str | None:
        """Start, and return what went wrong: nothing is raised whose frames hold text."""
        try:
            fault = contained(lambda: without_frames(self._start))
        except InternalError as error:
            return str(error)
        return None if fault is None else str(fault)

    def _start(self) -> Fault | None:
        try:
            self._started = self._written_down()
            self._remember(self._started)
            commitment = self._started.membership.commitment
            if commitment is not None:
                check_freeze(self._sealed.suite, commitment, self._started.standing)
        except Fault as fault:
            return fault
        return None

    def _written_down(self) -> _Started:
        settings, sealed = self._settings, self._sealed
        file = freezes_of(settings)
        membership = sealed_membership(file, settings)
        standing = standing_of(file, settings)
        repository = standing.repository
        if not isinstance(repository, Fault):  # work trees of one repository share it
            self._held.enter_context(locked_folder(repository.shared_folder / file.ledger.name))
        # Held before anything is judged: what holds then holds when the run starts.
        ledger = self._held.enter_context(held_ledger(file.ledger, root=settings.root))
        reasons = [*self._of_arguments(), *self._of_ledger(ledger)]
        reasons.extend(of_earlier_runs(ledger.ledger, membership, repository, sealed))
        reasons.extend(reasons_against(standing, membership, sealed))
        if reasons:
            lines = ["the sealed run did not start, and nothing was written:", *reasons]
            raise Fault("\n  ".join(lines))
        bound = bound_to(membership, standing, self._fingerprint())
        watch = Watch([*_watched(standing), *sealed.suite.iterdir()])
        line = ledger.start(sealed.promotion, bound, reason=sealed.reason, now=_now())
        return _Started(ledger, line, membership, standing, watch)

    def _remember(self, started: _Started) -> None:
        if not isinstance(started.standing.repository, Fault):
            remember(started.standing.repository, started.line)

    def _of_arguments(self) -> list[str]:
        """Return what of the command line would end the run before it scores anything."""
        base = self._config.invocation_params.dir
        lost = sum(not (base / argument.partition("::")[0]).exists() for argument in self._config.args)
        return [f"{lost} of the paths on the command line do not exist"] if lost else []

    def _of_ledger(self, ledger: HeldLedger) -> list[str]:
        try:
            ledger.check_start(self._sealed.promotion, reason=self._sealed.reason, now=_now())
        except Fault as fault:
            return [str(fault)]
        return []

    def _fingerprint(self) -> str:
        """Return the fingerprint of the subject; under xdist the workers build their own."""
        facts = subject_facts(self._config)
        if facts.get("replayed"):
            raise Fault("predictions were made outside of the ledger; name the detector")
        return str(facts["fingerprint"])

    def _shipped(self, report: Report, started: _Started, *, failures: int) -> Report:
        bound, floors = started.line.bound, started.membership.floors
        if floors is None:
            return report
        parts = ship_parts(
            report, bound, plan=PLAN, floors=floors, freezes=self._freezes_now(), failures=failures
        )
        changed = [*started.watch.changed(), *moved(started.standing, bound.repository)]
        if changed:
            reason = f"somebody wrote to it while the run went on: {', '.join(changed)}"
            reasons = [*parts["bound"].reasons, reason]
            parts = {**parts, "bound": RuleReport(verdict="fail", reasons=reasons)}
        ships = all(part.verdict == "pass" for part in parts.values())
        promotion = PromotionReport(
            id=started.line.promotion,
            set=bound.set,
            started=started.line.sha256,
            gold=bound.gold,
            detector=bound.detector,
            floors=bound.floors,
            ships=ships,
            parts=parts,
        )
        passed = report.passed if ships else False
        return report.model_copy(update={"promotion": promotion, "passed": passed})

    def _freezes_now(self) -> str:
        try:
            return freezes_of(self._settings).fingerprint
        except Fault:
            return ""  # no fingerprint: it is not that of the start

    def _end(self) -> None:
        if self._started is not None and not self._is_over:
            self._is_over = True
            with suppress(OSError, Fault):  # its `started` stands alone then, which says the same
                self._started.ledger.interrupt(now=_now())
        self._held.close()


def _watched(standing: Standing) -> list[Path]:
    """Return the files of the repository that decide what a promotion is held to."""
    file = standing.file
    sets = [one for one in file.sets.values() if one.suite is not None or one.commitment is not None]
    named = chain.from_iterable((one.commitment, one.attestation) for one in sets)
    return [file.path, file.floors, *(file.train_lists or ()), *(path for path in named if path is not None)]


def _now() -> datetime:
    return datetime.now(tz=UTC)
