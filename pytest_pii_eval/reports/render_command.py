"""The command `pii-eval render`: its arguments, the pages it writes, and how it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.arguments import complain, path_of, why
from pytest_pii_eval.reports.targets import add_tolerance, misused, refuse_strangers, targets_of, write

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from pytest_pii_eval.reports.comparing.model import Comparison
    from pytest_pii_eval.reports.model import Report
    from pytest_pii_eval.reports.targets import Target

_OK, _FAULTY, _USAGE = 0, 1, 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("report", metavar="REPORT", help="the JSON report of a run")
    parser.add_argument("--html", metavar="FILE", help="write it as one HTML page; - for standard output")
    parser.add_argument("--markdown", metavar="FILE", help="write it as Markdown; - for standard output")
    parser.add_argument(
        "--baseline", metavar="FILE", help="show what moved against this earlier report or snapshot"
    )
    add_tolerance(parser)


def run_command(given: argparse.Namespace) -> int:
    """Write the pages; return 0, 1 where a file breaks its contract or cannot be written, 2 for wrong usage.

    Whether the run passed changes nothing: the page says it, and `pii-eval compare` judges regressions.
    """
    from pytest_pii_eval.contracts.faults import Fault  # noqa: PLC0415  # `--help` needs none of it

    problem = _misused(given)
    if problem is not None:
        complain(f"pii-eval render: {problem}")
        return _USAGE
    try:
        _render(given)
    except Fault as fault:
        complain(f"pii-eval render: {fault}")
        return _FAULTY
    except BrokenPipeError:  # the reader of our output has gone, which is no fault of a file
        raise
    except OSError as error:
        complain(f"pii-eval render: a page cannot be written ({why(error)})")
        return _FAULTY
    return _OK


def _misused(given: argparse.Namespace) -> str | None:
    """Return what makes no sense about the arguments, or None."""
    targets = targets_of(given, "html", "markdown")
    if not targets:
        return "say what to write: --html FILE, --markdown FILE, or both"
    if given.tolerances and given.baseline is None:
        return "--tolerance needs --baseline FILE"
    return misused(targets, given.report, given.baseline)


def _render(given: argparse.Namespace) -> None:
    """Read everything, refuse what may not be replaced, make every page, and only then write."""
    from pytest_pii_eval.reports.read import read_report  # noqa: PLC0415  # as above

    report = read_report(path_of(given.report))
    comparison = None if given.baseline is None else _compared(given, report)
    targets = targets_of(given, "html", "markdown")
    refuse_strangers(targets)
    pages = [(target, _renderer(target)(report, comparison)) for target in targets]
    for target, text in pages:
        write(target, text)


def _compared(given: argparse.Namespace, report: Report) -> Comparison:
    from pytest_pii_eval.reports.comparing.compare import compare_reports  # noqa: PLC0415  # as above
    from pytest_pii_eval.reports.snapshots.form import read_compared  # noqa: PLC0415  # as above

    baseline = read_compared(path_of(given.baseline))
    return compare_reports(baseline, report, tolerances=dict(given.tolerances))


def _renderer(target: Target) -> Callable[[Report, Comparison | None], str]:
    if target.option == "--html":
        from pytest_pii_eval.reports.html.page import render_html  # noqa: PLC0415  # as above

        return render_html
    from pytest_pii_eval.reports.markdown.page import render_markdown  # noqa: PLC0415  # as above

    return render_markdown
