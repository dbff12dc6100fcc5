"""The command `pii-eval run`: how it ends, and what it prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast, final

from pytest_pii_eval.arguments import complain
from pytest_pii_eval.cluster.arguments import BATCH_BYTES, settings_of, usage
from pytest_pii_eval.predicting import command as predicting
from pytest_pii_eval.predicting.arguments import in_own_words, told

if TYPE_CHECKING:
    import argparse

    import pytest

    from pytest_pii_eval.cluster.run import ClusterRun
    from pytest_pii_eval.reports.model import Report
    from pytest_pii_eval.session.publish import Published
    from pytest_pii_eval.settings import Settings

_OK, _FAILED, _USAGE, _INTERRUPTED = 0, 1, 2, 130
_WIDTH = 80


def run_command(given: argparse.Namespace) -> int:
    """Run; return 0 where all holds, 1 where not or where a file is at fault, 2 for usage, 130 for Ctrl-C."""
    problem = usage(given)
    if problem is None:
        problem = _refused(settings := settings_of(given))
    if problem is not None:
        complain(f"pii-eval run: {problem}")
        return _USAGE
    from pytest_pii_eval.cluster.run import ClusterRun, Wish  # noqa: PLC0415  # `--help` needs none of it
    from pytest_pii_eval.silence import keep_silent_at_exit  # noqa: PLC0415  # as above

    size = given.batch_bytes or BATCH_BYTES
    run = ClusterRun(Wish(given.suite, settings, given.cluster, size, quiet=given.quiet))
    code = _ran(run, settings)
    keep_silent_at_exit()
    return code


def predict_command(given: argparse.Namespace) -> int:
    """Predict on a cluster; ends as `pii-eval predict` does."""
    problem = predicting.usage(given)
    if problem is None and given.limit is not None:
        problem = "--limit goes with a run in one process"
    if problem is not None:
        complain(f"pii-eval predict: {problem}")
        return _USAGE
    from pytest_pii_eval.cluster.predicting import ClusterPrediction, Place  # noqa: PLC0415  # as above
    from pytest_pii_eval.terminating import ended_by_sigterm  # noqa: PLC0415  # as above

    place = Place(given.suite, given.cluster, given.batch_bytes or BATCH_BYTES)
    run = ClusterPrediction(predicting.wish_of(given), place)
    with ended_by_sigterm():
        code = predicting.end_of(run)
    for name in run.lost:
        complain(f"lost: {name}")
    return code


def _ran(run: ClusterRun, settings: Settings) -> int:
    from pytest_pii_eval.contracts.faults import Fault  # noqa: PLC0415  # as above
    from pytest_pii_eval.reports.write import withdraw  # noqa: PLC0415  # as above
    from pytest_pii_eval.session.outputs import withdraw_forms  # noqa: PLC0415  # as above
    from pytest_pii_eval.terminating import ended_by_sigterm  # noqa: PLC0415  # as above
    from pytest_pii_eval.withheld import withheld  # noqa: PLC0415  # as above

    try:
        with ended_by_sigterm():
            withdraw(settings.report)
            withdraw_forms(settings)
            return _told(run, settings, run.report())
    except Fault as fault:
        complain(told(fault))
    except KeyboardInterrupt:
        complain("pii-eval run: interrupted")
        return _INTERRUPTED
    except BaseException as error:  # noqa: BLE001  # a detector's, SystemExit too: its text may hold anything
        complain(f"pii-eval run: the run was not judged: {withheld(error)}")
    return _FAILED


def _told(run: ClusterRun, settings: Settings, report: Report) -> int:
    from pytest_pii_eval.reports.words import inert  # noqa: PLC0415  # as above
    from pytest_pii_eval.session.publish import handed_out, is_failure  # noqa: PLC0415  # as above
    from pytest_pii_eval.session.terminal import show, show_problems  # noqa: PLC0415  # as above

    published: Published = handed_out(settings, report)
    problems = [*published.problems, *([] if run.trouble is None else [run.trouble])]
    terminal = cast("pytest.TerminalReporter", _Terminal())
    show(terminal, published, settings, verbosity=0)
    for line in run.failed_cases.lines():
        terminal.write_line(f"failed       {inert(line)}")
    for name in run.lost:
        terminal.write_line(f"lost         {name}")
    show_problems(terminal, [in_own_words(problem) for problem in problems])
    return _FAILED if problems or is_failure(report, published.comparison) else _OK


def _refused(settings: Settings) -> str | None:
    from pytest_pii_eval.kinds import refuse_outputs  # noqa: PLC0415  # as above

    complaint = refuse_outputs(settings)
    return None if complaint is None else in_own_words(complaint)


@final
class _Terminal:
    """As much of pytest's terminal as the section of a run needs."""

    def write_sep(self, sep: str, title: str) -> None:
        """Write a line with a title in the middle."""
        print(f" {title} ".center(_WIDTH, sep))  # noqa: T201  # what a command is for

    def write_line(self, line: str, **_: bool) -> None:
        """Write a line; colours are left out."""
        print(line)  # noqa: T201  # as above
