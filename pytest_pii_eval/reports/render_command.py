"""The command `pii-eval render`: its arguments, the pages it writes, and how it ends."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.arguments import complain, path_of, why

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_pii_eval.reports.comparing.model import Comparison
    from pytest_pii_eval.reports.model import Report

_OK, _FAULTY, _USAGE = 0, 1, 2
_STANDARD_OUTPUT: Final = "-"


class _Form(NamedTuple):
    """One page to write: the option that asks for it, where it goes, and what makes its text."""

    option: str
    target: str
    render: Callable[[Report, Comparison | None], str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("report", metavar="REPORT", help="the JSON report of a run")
    parser.add_argument("--html", metavar="FILE", help="write it as one HTML page; - for standard output")
    parser.add_argument("--markdown", metavar="FILE", help="write it as Markdown; - for standard output")
    parser.add_argument(
        "--baseline", metavar="FILE", help="show what moved against this earlier report or snapshot"
    )
    parser.add_argument(
        "--tolerance",
        dest="tolerances",
        metavar="METRIC=VALUE",
        type=_tolerance,
        action="append",
        default=[],
        help="how much worse than the baseline a metric may be; may be given several times",
    )


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
    targets = [_place(target) for target in (given.html, given.markdown) if target is not None]
    if not targets:
        return "say what to write: --html FILE, --markdown FILE, or both"
    if len(set(targets)) < len(targets):
        return "--html and --markdown name the same target; name two"
    if {path_of(one) for one in (given.report, given.baseline) if one is not None} & set(targets):
        return "a page cannot replace the file that it is made of; name another"
    if given.tolerances and given.baseline is None:
        return "--tolerance needs --baseline FILE"
    return None


def _place(target: str) -> Path | str:
    return target if target == _STANDARD_OUTPUT else path_of(target)


def _render(given: argparse.Namespace) -> None:
    """Read everything, refuse what may not be replaced, make every page, and only then write."""
    from pytest_pii_eval.reports.read import read_report  # noqa: PLC0415  # as above

    report = read_report(path_of(given.report))
    comparison = None if given.baseline is None else _compared(given, report)
    forms = list(_forms(given))
    for form in forms:
        _refuse_strangers(form)
    pages = [(form.target, form.render(report, comparison)) for form in forms]
    for target, text in pages:
        _write(target, text)


def _compared(given: argparse.Namespace, report: Report) -> Comparison:
    from pytest_pii_eval.reports.comparing.compare import compare_reports  # noqa: PLC0415  # as above
    from pytest_pii_eval.reports.snapshots.form import read_snapshot  # noqa: PLC0415  # as above

    baseline = read_snapshot(path_of(given.baseline))
    return compare_reports(baseline, report, tolerances=dict(given.tolerances))


def _forms(given: argparse.Namespace) -> Iterator[_Form]:
    if given.html is not None:
        from pytest_pii_eval.reports.html.page import render_html  # noqa: PLC0415  # as above

        yield _Form("--html", given.html, render_html)
    if given.markdown is not None:
        from pytest_pii_eval.reports.markdown.page import render_markdown  # noqa: PLC0415  # as above

        yield _Form("--markdown", given.markdown, render_markdown)


def _refuse_strangers(form: _Form) -> None:
    """Raise `Fault` where a page would replace what is no page of ours."""
    from pytest_pii_eval.contracts.faults import Fault  # noqa: PLC0415  # as above

    if form.target == _STANDARD_OUTPUT:
        return
    path = path_of(form.target)
    if path.is_symlink():
        raise Fault(f"{form.option}: is a symlink; name the real file", file=path.name)
    if path.exists() and not _is_ours(path):
        raise Fault(
            f"{form.option}: is no page of pii-eval, and is left as it is; name another file", file=path.name
        )


def _is_ours(path: Path) -> bool:
    from pytest_pii_eval.reports.write import MARKS  # noqa: PLC0415  # as above

    if not path.is_file():
        return False
    payload = path.read_bytes()
    return not payload or any(mark in payload for mark in MARKS)


def _write(target: str, text: str) -> None:
    from pytest_pii_eval.reports.write import write_atomically  # noqa: PLC0415  # as above

    if target == _STANDARD_OUTPUT:
        sys.stdout.write(text)
    else:
        write_atomically(path_of(target), text)


def _tolerance(text: str) -> tuple[str, str]:
    name, found, value = text.partition("=")
    if not found:
        raise argparse.ArgumentTypeError("must have the form METRIC=VALUE, such as recall=0.01")
    return name.strip(), value.strip()
