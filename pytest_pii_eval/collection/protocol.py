"""Running our items cheaply where nobody else listens, and attaching their evidence to reports.

pytest's own protocol makes three reports and some twenty hook calls an item; for tens of thousands of
cheap cases that is most of the run. Where only pytest's own plugins and xdist listen to the hooks of a
test run, one `call` report says all they need; as soon as any other plugin or `conftest.py` listens,
pytest's own protocol runs unchanged.
"""

from __future__ import annotations

import time
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import pytest

from pytest_pii_eval.collection.facts import is_whole, only_slices, planned_of, suite_facts
from pytest_pii_eval.collection.nodes import (
    CUT_OFF,
    CaseFile,
    ConformanceItem,
    SupportItem,
    TextFreeItem,
)
from pytest_pii_eval.collection.one_report import attach, place_skip, report_of, run_item
from pytest_pii_eval.contracts.collector import paused_collector, settle
from pytest_pii_eval.kinds import has_strangers
from pytest_pii_eval.silence import Silence, keep_silent_at_exit
from pytest_pii_eval.wire import pack, tell_problem
from pytest_pii_eval.withheld import contained

if TYPE_CHECKING:
    from collections.abc import Generator
    from contextlib import AbstractContextManager

    from pytest_pii_eval.collection.suite import Suite

# From this many items on the garbage collector's walks cost more than they can find.
_MANY = 1_000
# Cases that are scanned before the first of them is told, and the seconds after which it is told anyway.
_BATCH = 64
_MOMENT = 0.05
_WATCHED = (
    "pytest_runtestloop",
    "pytest_runtest_protocol",
    "pytest_runtest_logstart",
    "pytest_runtest_setup",
    "pytest_runtest_call",
    "pytest_runtest_teardown",
    "pytest_runtest_makereport",
    "pytest_runtest_logreport",
    "pytest_runtest_logfinish",
    "pytest_exception_interact",
)
_WANT_ALL_PHASES = ("usepdb", "setuponly", "setupshow", "setupplan")


def listens_closely(config: pytest.Config) -> bool:
    """Whether anybody in this process needs every phase of an item reported."""
    if any(config.getoption(name, False) for name in _WANT_ALL_PHASES):
        return True
    return any(has_strangers(config, hook) for hook in _WATCHED)


class ItemRunner:
    """The hooks that run our items; registered in a process once it has collected one of our files."""

    def __init__(self, suite: Suite, *, all_phases: bool, is_worker: bool) -> None:
        self._suite = suite
        self._is_worker = is_worker
        self._announced: CaseFile | None = None
        self._all_phases = all_phases
        self._facts: str | None = None
        self._block: AbstractContextManager[None] | None = None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> Generator[None, None, None]:
        """Drop the support items where -k, --lf and the like left part of the suite: it cannot be judged."""
        yield
        support = [item for item in items if type(item) is SupportItem]
        if support and (only_slices(self._suite) or not is_whole(self._suite, items)):
            items[:] = [item for item in items if not isinstance(item, SupportItem)]
            config.hook.pytest_deselected(items=support)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Take stock of what will run; the first report of this process carries it."""
        ours = [item for item in session.items if isinstance(item, TextFreeItem)]
        if self._suite.has_slices:
            self._suite.quality.want(ours)
        if ours:
            self._facts = contained(lambda: suite_facts(self._suite, planned_of(self._suite, ours)))
        if len(ours) + self._suite.cases >= _MANY:
            settle()
        self._all_phases = self._all_phases or listens_closely(session.config)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Loop over the items as pytest does, but reach cheap cases without a hook call for each.

        The wrappers around `pytest_runtest_protocol` (warning filters, assertion hooks) cost more than a
        case does, and none of them means anything to a case.
        """
        if self._all_phases or self._is_worker or session.config.option.collectonly or session.testsfailed:
            return None
        position, count = 0, len(session.items)
        while position < count:
            started_at = position
            with paused_collector():  # a stretch of cases makes reports that stay, and no garbage
                position = self._run_stretch(session, position)
                if position - started_at >= _MANY:
                    settle()
            if position < count:
                item = session.items[position]
                following = session.items[position + 1] if position + 1 < count else None
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                _stop_if_asked(session)
                position += 1
        return True

    def _run_stretch(self, session: pytest.Session, position: int) -> int:
        """Run cheap cases from `position` on; return the position of the first item that is none.

        Some are scanned before the first of them is told: going back and forth between the engine and
        the terminal for each would cost as much again, for neither finds its data in the cache.
        """
        items = session.items
        while True:
            batch: list[tuple[ConformanceItem, pytest.TestReport]] = []
            try:
                self._scan_some(items, position, batch)
            finally:  # an interrupt loses nothing that was found
                for item, report in batch:
                    self._tell(item, report)
                    _stop_if_asked(session)
            if not batch:
                return position
            position += len(batch)

    def _scan_some(
        self, items: list[pytest.Item], position: int, batch: list[tuple[ConformanceItem, pytest.TestReport]]
    ) -> None:
        """Scan cheap cases from `position` on into `batch`, until it is full or a moment has passed."""
        until = time.monotonic() + _MOMENT
        for index in range(position, min(position + _BATCH, len(items) - 1)):
            item = items[index]
            if not isinstance(item, ConformanceItem) or not self._is_cheap(item, items[index + 1]):
                return
            report, interrupted = run_item(item, self._silence())
            if report is not None:
                batch.append((item, report))
            if interrupted:
                raise KeyboardInterrupt
            if time.monotonic() > until:
                return

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
        """Run a case with one report, where somebody else runs the loop (xdist does)."""
        if not isinstance(item, ConformanceItem) or not self._is_cheap(item, nextitem):
            return None
        report, interrupted = run_item(item, self._silence())
        if report is not None:
            self._tell(item, report)
        if interrupted:
            raise KeyboardInterrupt
        return True

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, None, None]:
        """Tell what was found in a group until an interrupt came: pytest makes no report of it."""
        try:
            return (yield)
        except KeyboardInterrupt:
            if isinstance(item, ConformanceItem) and CUT_OFF in item.stash:
                report = report_of(item, item.stash[CUT_OFF], (time.time(), 0.0))
                self._attach(item, report)
                item.parent.hooks.pytest_runtest_logreport(report=report)
            raise

    def _is_cheap(self, item: ConformanceItem, following: pytest.Item | None) -> bool:
        """Whether one report is enough for `item`, and there is nothing to set up or tear down."""
        if self._all_phases or item.own_markers or item.parent.own_markers:
            return False  # a mark such as skip or xfail means something to pytest's own protocol
        # pytest tears down folders behind the last item of a file
        return following is not None and following.parent is item.parent

    def _tell(self, item: ConformanceItem, report: pytest.TestReport) -> None:
        hook = item.parent.hooks
        if item.parent is not self._announced and not self._is_worker:
            self._announced = item.parent
            hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        if self._facts is not None:
            self._attach(item, report)
        hook.pytest_runtest_logreport(report=report)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Attach the evidence of an item that went the usual way."""
        report = yield
        if isinstance(item, TextFreeItem):
            report.sections.clear()  # captured output may hold text
            report.keywords = {}  # folders are among them, and may name people
            place_skip(item, report)
            if call.when == "call" or report.skipped:  # where all is skipped, facts have no other way
                self._attach(item, report)
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_to_serializable(self, report: pytest.TestReport) -> dict[str, Any] | None:
        """Pack the report of a passed case small, where it goes to a controller of ours."""
        return pack(report) if self._is_worker and not self._all_phases else None

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Close the subject; what goes wrong is told by the controller, in one line."""
        problem = self._suite.builder.close()
        if problem is not None:
            tell_problem(session.config, problem)
            if session.exitstatus == pytest.ExitCode.OK:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_unconfigure(self) -> None:
        """Let go of the last open file, and of the outputs."""
        settings = self._suite.settings
        if not settings.asks_a_bank and settings.reveal != "text":
            keep_silent_at_exit()
        self._suite.rows.close()
        if isinstance(self._block, Silence):
            self._block.close()

    def _silence(self) -> AbstractContextManager[None]:
        """Return the block that cheap cases run in; between them pytest captures nothing."""
        if self._block is None:
            suite = self._suite
            needless = suite.settings.reveal == "text" or suite.detector().quiet
            self._block = nullcontext() if needless else Silence()
        return self._block

    def _attach(self, item: pytest.Item, report: pytest.TestReport) -> None:
        attach(item, report, self._facts)
        self._facts = None


def _stop_if_asked(session: pytest.Session) -> None:
    if session.shouldfail:
        raise session.Failed(session.shouldfail)
    if session.shouldstop:
        raise session.Interrupted(session.shouldstop)
