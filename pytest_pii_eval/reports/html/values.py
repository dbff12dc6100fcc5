"""What the templates show: cells, tables, facts and figures; plain text, escaped where it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from pytest_pii_eval.reports.words import inert, metric_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_pii_eval.reports.html.bars import Bars
    from pytest_pii_eval.reports.html.funnel import Funnel
    from pytest_pii_eval.reports.html.heat_map import HeatMap
    from pytest_pii_eval.reports.html.states import States
    from pytest_pii_eval.reports.model import MetricReport, Verdict

Tone = Literal["plain", "good", "bad", "warn", "none"]
"""How a word is set off beside its meaning: never the only sign of it."""

MOST_ROWS = 1_000
"""Rows of one table; more make a page that nobody reads, and the JSON report has them all."""

_MOST_WORDS: Final = 200

NOT_REPORTED: Final = "not reported"
"""The reason of a cell whose metric a report does not hold."""


class Cell(NamedTuple):
    """One cell; `target` is an anchor of this page, made by us.

    `below` is a second line. `null` is the reason why a figure has no value.
    """

    text: str
    tone: Tone = "plain"
    target: str | None = None
    below: str = ""
    null: str | None = None


class Column(NamedTuple):
    """The head of a column, and whether it holds numbers."""

    name: str
    number: bool = False


class Table(NamedTuple):
    """A table whose first column heads its rows; `cut` counts the rows that are not shown.

    `notes` say what is true of a whole column that is left out.
    """

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    cut: int = 0
    notes: tuple[str, ...] = ()

    @property
    def wide(self) -> bool:
        """Whether it may need to scroll on a small screen."""
        return len(self.columns) > 3  # noqa: PLR2004  # a name and two values fit any screen


class Fact(NamedTuple):
    """A term, and what is true of it: `code` is read letter by letter, `wide` takes a row of its own."""

    term: str
    text: str
    tone: Tone = "plain"
    code: bool = False
    wide: bool = False


class Figure(NamedTuple):
    """A plot with its words and its table; `key` makes ids that are unique on the page.

    `kind` names the template that draws `drawing`.
    """

    key: str
    kind: Literal["bars", "states", "heat_map", "funnel"]
    title: str
    description: str
    caption: str
    drawing: Bars | States | HeatMap | Funnel
    table: Table


def table(caption: str, columns: str, rows: Iterable[tuple[Cell, ...]]) -> Table:
    """Return a table; `columns` are names between bars, those of numbers with `#` before them."""
    heads = tuple(Column(one.removeprefix("#"), one.startswith("#")) for one in columns.split("|"))
    body = tuple(rows)
    return Table(caption, heads, body[:MOST_ROWS], max(0, len(body) - MOST_ROWS))


def named(name: str) -> Cell:
    """Return a name from a report, made harmless."""
    return Cell(inert(name))


def sentence(words: str) -> str:
    """Return a sentence of a comparison, made harmless word by word: it may be longer than any name."""
    return " ".join(inert(word) for word in words.split(" ")[:_MOST_WORDS])


def count(number: int, tone: Tone = "plain") -> Cell:
    """Return a count with its thousands set apart."""
    return Cell(f"{number:,}", tone)


def metric_cell(metric: MetricReport | None, tone: Tone = "plain") -> Cell:
    """Return a metric with its counts, muted where it has no value."""
    if metric is None:
        return Cell("not reported", "none", null=NOT_REPORTED)
    if metric.value is None:
        return Cell(metric_text(metric), "none", null=metric.reason or "no reason")
    return Cell(metric_text(metric), tone)


def alarm_cell(metric: MetricReport | None) -> Cell:
    """Return a metric of which anything above 0 is bad."""
    return metric_cell(metric, "bad" if metric is not None and metric.value else "plain")


def verdict_cell(verdict: Verdict) -> Cell:
    """Return a verdict as a sign and a word."""
    known: dict[Verdict, Cell] = {
        "pass": Cell("✓ pass", "good"),
        "fail": Cell("✗ FAIL", "bad"),
        "not_evaluated": Cell("○ not evaluated", "warn"),
    }
    return known[verdict]
