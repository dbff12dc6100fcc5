"""The command `pii-eval compare`: its arguments, what it prints, and how it ends."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Final

from pytest_pii_eval.arguments import complain, path_of, why

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pii_eval.reports.comparing.model import Comparison

_SAME, _WORSE, _REFUSED = 0, 1, 2
_STANDARD_OUTPUT: Final = "-"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("old", metavar="OLD", help="a report, a snapshot or the audit directory of a run")
    parser.add_argument("new", metavar="NEW", help="the same of the run that is held to it")
    parser.add_argument(
        "--tolerance",
        dest="tolerances",
        metavar="METRIC=VALUE",
        type=_tolerance,
        action="append",
        default=[],
        help="how much worse a metric may be, in counts or rate points; may be given several times",
    )
    parser.add_argument("--json", metavar="FILE", help="write the comparison as JSON; - for standard output")
    parser.add_argument("--markdown", metavar="FILE", help="write it as Markdown; - for standard output")


def run_command(given: argparse.Namespace) -> int:
    """Compare; return 0 without a regression, 1 with one, 2 where nothing was compared or usage is wrong."""
    from pytest_pii_eval.contracts.faults import Fault  # noqa: PLC0415  # `--help` needs none of it

    if given.json == given.markdown == _STANDARD_OUTPUT:
        return _misused("--json and --markdown cannot both be standard output")
    try:
        comparison, remark = _compared(path_of(given.old), path_of(given.new), dict(given.tolerances))
        _hand_out(comparison, given)
    except Fault as fault:
        return _misused(str(fault))
    except BrokenPipeError:  # the reader of our output has gone, which is no fault of a file
        raise
    except OSError as error:
        return _misused(f"a file cannot be read or written ({why(error)})")
    if remark is not None:
        complain(f"pii-eval compare: {remark}")
    if comparison.passed is None:
        complain("pii-eval compare: not compared; what refuses is told above")
        return _REFUSED
    return _SAME if comparison.passed else _WORSE


def _compared(old: Path, new: Path, tolerances: dict[str, str]) -> tuple[Comparison, str | None]:
    """Return the comparison, with moves of two audit directories, and what else to tell."""
    from pytest_pii_eval.reports.comparing.compare import compare_reports  # noqa: PLC0415  # as above
    from pytest_pii_eval.reports.comparing.moves import moves_between  # noqa: PLC0415  # as above
    from pytest_pii_eval.reports.comparing.runs import read_run  # noqa: PLC0415  # as above

    one, other = read_run(old), read_run(new)
    comparison = compare_reports(one.report, other.report, tolerances=tolerances)
    if one.directory is None or other.directory is None:
        mixed = one.directory is not None or other.directory is not None
        return comparison, "lost and gained spans need two audit directories" if mixed else None
    if comparison.refusals:
        return comparison, None
    moves = moves_between(one.directory, other.directory)
    return comparison.model_copy(update={"moves": moves}), None


def _hand_out(comparison: Comparison, given: argparse.Namespace) -> None:
    if given.json is not None:
        _write(given.json, comparison.model_dump_json(indent=2) + "\n")
    if given.markdown is not None:
        from pytest_pii_eval.reports.markdown.comparison import render_comparison  # noqa: PLC0415  # as above

        _write(given.markdown, render_comparison(comparison))
    if _STANDARD_OUTPUT not in (given.json, given.markdown):
        from pytest_pii_eval.reports.comparing.text import comparison_lines  # noqa: PLC0415  # as above

        sys.stdout.write("".join(f"{line}\n" for line in comparison_lines(comparison, whole=True)))


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


def _misused(problem: str) -> int:
    complain(f"pii-eval compare: {problem}")
    return _REFUSED
