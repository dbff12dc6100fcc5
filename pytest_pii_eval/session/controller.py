"""The controller's side of a run: hears reports, then judges, writes, and sets the exit status."""

from __future__ import annotations

import os
import shutil
import time
from typing import TYPE_CHECKING, Any

import pytest

from pytest_pii_eval.kinds import has_strangers
from pytest_pii_eval.reports.write import withdraw
from pytest_pii_eval.session.patience import PatientFlush
from pytest_pii_eval.session.results import Results
from pytest_pii_eval.wire import RUN_ID, SEALED, run_directory, unpack
from pytest_pii_eval.withheld import InternalError, contained, withheld

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from pytest_pii_eval.reports.model import Report
    from pytest_pii_eval.session.publish import Published
    from pytest_pii_eval.settings import Settings

# From this many items on, telling each at once costs more than it tells.
_MANY = 1_000


class Controller:
    """Registered in the one process that hears every report, once items of ours are planned."""

    def __init__(self, config: pytest.Config, settings: Settings) -> None:
        self._config = config
        self._settings = settings
        self._started = time.time()
        self._published: Published | None = None
        self._problems: list[str] = []
        self._nodeids: Sequence[str] = ()
        self._patience: PatientFlush | None = None
        self._run_id: str | None = None
        self._quick_status = not has_strangers(config, "pytest_report_teststatus")
        self.results = Results()

    def plan(self, nodeids: Iterable[str]) -> None:
        """Learn which of our items shall run."""
        self.results.plan(nodeids)
        reporter = self._config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None and self._patience is None and len(self.results.planned) >= _MANY:
            self._patience = PatientFlush(reporter)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> None:
        """Withdraw the report of an earlier run, lest it stand for this one, once items are about to run."""
        goes_on = not session.testsfailed or self._config.option.continue_on_collection_errors
        if goes_on and not self._config.getoption("collectonly", False):
            self._withdraw()

    def know_items(self, nodeids: Sequence[str], run_id: str) -> None:
        """Learn the ids of all items of a worker, in order, and that of its run; no file is broken."""
        self._withdraw()
        self._nodeids = nodeids
        self._run_id = run_id

    def _withdraw(self) -> None:
        from pytest_pii_eval.session.outputs import withdraw_forms  # noqa: PLC0415  # once, at the start

        withdraw(self._settings.report)
        withdraw_forms(self._settings)

    def complain(self, problem: str) -> None:
        """Take a line about something that could not be done."""
        self._problems.append(problem)

    def pytest_unconfigure(self) -> None:
        """Remove what the workers of this run shared, or this process kept."""
        folder = self._kept()
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)

    def _kept(self) -> Path | None:
        """Return where the processes of this run keep what they found, if they do."""
        run_id = self._run_id or self._config.stash.get(RUN_ID, None)
        return None if run_id is None else run_directory(run_id)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_from_serializable(self, data: dict[str, Any]) -> pytest.TestReport | None:
        """Unpack the report of a passed case that a worker of ours packed small."""
        return unpack(data, self._nodeids)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Hear one report."""
        try:
            self.results.take(report)
        except Exception as error:  # noqa: BLE001  # as `contained`, without its cost for each report
            failure = InternalError(withheld(error))
        else:
            return
        raise failure

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Say `passed` for a case that passed, before half a dozen plugins are asked in vain."""
        if self._quick_status and report.when == "call" and report.outcome == "passed":
            return ("passed", ".", "PASSED") if hasattr(report, "pii_evidence") else None
        return None

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Judge and write, in this order; a run that failed has its report too."""
        if self._patience is not None:
            self._patience.end()
            self._patience = None
        if self._config.getoption("collectonly", False) or not self.results.outcomes:
            return
        try:
            contained(lambda: self._finish(session))
        except InternalError as error:
            # pytest shows what leaves this hook as a bare traceback, so it becomes a line of our section.
            self._problems = [*self._problems, f"the run was not judged: {error}"]
            session.exitstatus = pytest.ExitCode.INTERNAL_ERROR

    def _finish(self, session: pytest.Session) -> None:
        from pytest_pii_eval.session.build import build_report, run_facts  # noqa: PLC0415  # once, at the end
        from pytest_pii_eval.session.publish import is_failure, publish  # noqa: PLC0415

        processes = len(self._config.getoption("tx", None) or ()) or 1
        run = run_facts(self._started, processes=processes)
        report = build_report(self.results, run, max_p95_ms=self._settings.max_p95_ms)
        report = self._judged_as_sealed(report, session)
        self.results.kept = self._kept()
        self._published = publish(self._config, self._settings, report, self.results)
        self._problems.extend(self._published.problems)
        failed = is_failure(report, self._published.comparison)
        self._problems.extend(_unread((self.results.facts or {}).get("broken_files", 0)))
        if session.exitstatus == pytest.ExitCode.OK and (failed or self._problems):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _judged_as_sealed(self, report: Report, session: pytest.Session) -> Report:
        """Let a sealed run judge the report and write it down, before anybody's hook can change it."""
        sealed = self._config.pluginmanager.get_plugin(SEALED)
        if sealed is None:
            return report
        judged: Report
        judged, problems = sealed.judged(report, session)
        self._problems.extend(problems)
        return judged

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Show the aggregates."""
        from pytest_pii_eval.session.terminal import show, show_problems  # noqa: PLC0415  # once, at the end

        published, problems = self._published, self._problems
        if published is not None:
            verbosity = self._config.get_verbosity()
            try:
                contained(lambda: show(terminalreporter, published, self._settings, verbosity=verbosity))
                contained(lambda: self._annotate(terminalreporter, published))
            except InternalError as error:
                problems = [*problems, f"the section could not be shown: {error}"]
        show_problems(terminalreporter, problems)

    def _annotate(self, terminal: pytest.TerminalReporter, published: Published) -> None:
        if not self._settings.outputs.github_annotations:
            return
        from pytest_pii_eval.session.annotations import print_annotations  # noqa: PLC0415  # only when asked for

        print_annotations(terminal, self._settings, published, os.environ)


def _unread(files: int) -> list[str]:
    if not files:
        return []
    words = "case file could not be read; its" if files == 1 else "case files could not be read; their"
    return [f"{files} {words} cases are missing from every count"]
