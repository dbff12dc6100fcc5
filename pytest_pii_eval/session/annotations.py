"""Failures as annotations of a GitHub workflow: aggregates only, one line each; nothing is judged here.

A workflow command is a line that starts with `::`, so all that comes from a report is inert and escaped.
"""

# No annotations from `__future__`: the function of that name is what this module is for.
from typing import TYPE_CHECKING, Final

from pytest_pii_eval.reports.markdown.comparison import regression_sentences
from pytest_pii_eval.reports.markdown.escaping import PLAIN
from pytest_pii_eval.reports.markdown.failures import failures
from pytest_pii_eval.reports.markdown.ordering import ordered

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pytest

    from pytest_pii_eval.reports.comparing.model import Comparison
    from pytest_pii_eval.reports.model import Report
    from pytest_pii_eval.session.publish import Published
    from pytest_pii_eval.settings import Settings

MOST: Final = 10
"""Errors that GitHub shows of one step; one more line, a warning, counts the others."""

_DATA: Final = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY: Final = {**_DATA, ":": "%3A", ",": "%2C"}


def annotations(report: "Report", comparison: "Comparison | None") -> list[str]:
    """Return a workflow command a regression and failure, worst first: at most ten, and one that counts."""
    found = list(_found(report, comparison))
    lines = [_command("error", kind, sentence) for kind, sentence in found[:MOST]]
    if len(found) > MOST:
        lines.append(_command("warning", "more", f"{len(found) - MOST:,} more failures: see the report"))
    return lines


def print_annotations(
    terminal: "pytest.TerminalReporter",
    settings: "Settings",
    published: "Published",
    environment: "Mapping[str, str]",
) -> None:
    """Print the annotations where they were asked for and a workflow reads what is printed.

    What could not be done, such as writing a file, fails the run, too, and is told last.
    """
    if settings.outputs.github_annotations and environment.get("GITHUB_ACTIONS") == "true":
        report, comparison = published.report, published.comparison
        # A refused comparison is among the problems, too.
        problems = published.problems if comparison is None or comparison.passed is not None else []
        told = [_command("error", "problem", PLAIN.word(problem)) for problem in problems[:MOST]]
        for line in (*annotations(report, comparison), *told):
            terminal.write_line(line)


def _found(report: "Report", comparison: "Comparison | None") -> "Iterator[tuple[str, str]]":
    if comparison is not None and comparison.passed is None and not comparison.is_narrowed:
        reasons = "; ".join(PLAIN.word(one.words) for one in comparison.refusals) or "no reason was given"
        yield "baseline", f"not compared: {reasons}"
    elif comparison is not None:
        sentences = regression_sentences(comparison, PLAIN)
        yield from (("regression", sentence) for sentence in sentences)
    yield from failures(ordered(report), PLAIN)


def _command(level: str, kind: str, sentence: str) -> str:
    return f"::{level} title={_escaped(f'pii-eval: {kind}', _PROPERTY)}::{_escaped(sentence, _DATA)}"


def _escaped(text: str, table: "Mapping[str, str]") -> str:
    return "".join(table.get(one, one) for one in text)
