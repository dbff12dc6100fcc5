"""One sealed run: what must hold before it starts, its lines in the ledger, and its ship verdict."""

from __future__ import annotations

import hashlib
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest

from pytest_pii_eval.collection.entry import subject_facts
from pytest_pii_eval.collection.freezes.nodes import PLAN
from pytest_pii_eval.collection.freezes.sealed_set import freezes_of, sealed_membership, sealed_settings
from pytest_pii_eval.collection.freezes.standing import standing_of
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.committing import check_files
from pytest_pii_eval.freezes.held_ledger import held_ledger
from pytest_pii_eval.freezes.shipping import ship_parts
from pytest_pii_eval.reports.model import PromotionReport
from pytest_pii_eval.reports.write import render_json, write_atomically
from pytest_pii_eval.sealing.preflight import bound_to, refuse_start, widest
from pytest_pii_eval.wire import SEALED
from pytest_pii_eval.withheld import InternalError, contained

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pii_eval.collection.quality.membership import Membership
    from pytest_pii_eval.freezes.held_ledger import HeldLedger
    from pytest_pii_eval.freezes.ledger_model import Binding, LedgerLine
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
    reports: Path


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
        problem = self._tried_to_start()
        if problem is not None:
            self._end()
            raise pytest.UsageError(f"--pii-sealed: {problem}")

    def judged(self, report: Report, status: int) -> tuple[Report, list[str]]:
        """Return the report with its ship verdict, written down and in the ledger; and what went wrong."""
        started = self._started
        if started is None or status in _BROKEN_OFF:
            return report, []
        report = self._shipped(report, started)
        promotion = report.promotion
        payload = render_json(report)
        try:
            started.reports.mkdir(parents=True, exist_ok=True)
            write_atomically(started.reports / f"{started.line.promotion}.json", payload)
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
            fault = contained(self._start)
        except InternalError as error:
            return str(error)
        return None if fault is None else str(fault)

    def _start(self) -> Fault | None:
        try:
            self._started = self._written_down()
        except Fault as fault:
            return fault
        return self._is_another_freeze(self._started.membership)

    def _written_down(self) -> _Started:
        settings, sealed = self._settings, self._sealed
        file = freezes_of(settings)
        membership = sealed_membership(file, settings)
        standing = widest(standing_of(file, settings))
        # Held before anything is judged: what holds then holds when the run starts.
        ledger = self._held.enter_context(held_ledger(file.ledger, root=settings.root))
        refuse_start(standing, membership, sealed.suite)
        bound = bound_to(membership, standing, self._fingerprint())
        ledger.check_start(sealed.promotion, reason=sealed.reason, now=_now())
        line = ledger.start(sealed.promotion, bound, reason=sealed.reason, now=_now())
        return _Started(ledger, line, membership, file.reports)

    def _is_another_freeze(self, membership: Membership) -> Fault | None:
        """Return what is wrong with the files of the freeze, which may be read from now on."""
        settings = self._settings
        try:
            if membership.commitment is not None:
                kinds = standing_of(freezes_of(settings), settings).kinds
                check_files(self._sealed.suite, membership.commitment, kinds, contents=True)
        except Fault as fault:
            return fault
        return None

    def _fingerprint(self) -> str:
        """Return the fingerprint of the subject; under xdist the workers build their own."""
        facts = subject_facts(self._config)
        if facts.get("replayed"):
            raise Fault("predictions were made outside of the ledger; name the detector")
        return str(facts["fingerprint"])

    def _shipped(self, report: Report, started: _Started) -> Report:
        bound: Binding = started.line.bound
        floors = started.membership.floors
        if floors is None:
            return report
        parts = ship_parts(report, bound, plan=PLAN, floors=floors)
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

    def _end(self) -> None:
        if self._started is not None and not self._is_over:
            self._is_over = True
            with suppress(OSError, Fault):  # its `started` stands alone then, which says the same
                self._started.ledger.interrupt(now=_now())
        self._held.close()


def _now() -> datetime:
    return datetime.now(tz=UTC)
