"""The command `pii-eval compare`: its arguments, what it prints, and how it ends."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from pytest_pii_eval.arguments import complain, path_of, why
from pytest_pii_eval.reports.targets import add_tolerance, misused, refuse_strangers, targets_of, write

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_pii_eval.reports.comparing.model import Comparison
    from pytest_pii_eval.reports.targets import Target

_SAME, _WORSE, _REFUSED = 0, 1, 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("old", metavar="OLD", help="a report, a snapshot or the audit directory of a run")
    parser.add_argument("new", metavar="NEW", help="the same of the run that is held to it")
    add_tolerance(parser)
    parser.add_argument("--json", metavar="FILE", help="write the comparison as JSON; - for standard output")
    parser.add_argument("--markdown", metavar="FILE", help="write it as Markdown; - for standard output")


def run_command(given: argparse.Namespace) -> int:
    """Compare; return 0 without a regression, 1 with one, 2 where nothing was compared or usage is wrong."""
    from pytest_pii_eval.contracts.faults import Fault  # noqa: PLC0415  # `--help` needs none of it

    targets = targets_of(given, "json", "markdown")
    problem = misused(targets, given.old, given.new)
    if problem is not None:
        return _misused(problem)
    try:
        refuse_strangers(targets)
        comparison, remark = _compared(path_of(given.old), path_of(given.new), dict(given.tolerances))
        _hand_out(comparison, targets)
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
    cases = (one.report.conformance is None) == (other.report.conformance is None)
    moves = moves_between(one.directory, other.directory, cases=cases)
    told = comparison.model_copy(update={"moves": moves})
    return told.model_copy(update={"passed": bool(told.passed) and not told.lost_cases}), None


def _hand_out(comparison: Comparison, targets: Sequence[Target]) -> None:
    for target in targets:
        write(target, _text(comparison, target))
    if all(target.path is not None for target in targets):
        from pytest_pii_eval.reports.comparing.text import comparison_lines  # noqa: PLC0415  # as above

        sys.stdout.write("".join(f"{line}\n" for line in comparison_lines(comparison, whole=True)))


def _text(comparison: Comparison, target: Target) -> str:
    if target.option == "--json":
        return comparison.model_dump_json(indent=2) + "\n"
    from pytest_pii_eval.reports.markdown.comparison import render_comparison  # noqa: PLC0415  # as above

    return render_comparison(comparison)


def _misused(problem: str) -> int:
    complain(f"pii-eval compare: {problem}")
    return _REFUSED
