"""Slices as views: an index of all, and for each what it declares, what was counted and what follows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.reports.html.gate_tables import slice_gate_table
from pytest_pii_eval.reports.html.null_columns import without_null_columns
from pytest_pii_eval.reports.html.reasons import reason_text
from pytest_pii_eval.reports.html.slice_facts import declared, slice_warnings, support
from pytest_pii_eval.reports.html.slice_figures import slice_figures, totals
from pytest_pii_eval.reports.html.slice_tables import metric_tables, null_table, type_table
from pytest_pii_eval.reports.html.values import Cell, Table, alarm_cell, count, metric_cell, named, table
from pytest_pii_eval.reports.words import inert, many

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_pii_eval.reports.html.values import Fact, Figure
    from pytest_pii_eval.reports.model import Gate, Report, SliceReport

MOST_SLICES: Final = 500
"""Slices that a page shows whole; a browser can do no more."""


class SliceView(NamedTuple):
    """One slice to show; `anchor` is where links lead, and starts the ids within."""

    anchor: str
    ordinal: int
    name: str
    state: Cell
    summary: str
    is_open: bool
    reason: str | None
    warnings: tuple[str, ...]
    gates: Table | None
    facts: tuple[Fact, ...]
    support: tuple[Fact, ...]
    figures: tuple[Figure, ...]
    tables: tuple[Table, ...]


def anchors_of(report: Report) -> dict[str, str]:
    """Return the anchor of each slice that is shown whole, by its name.

    Anchors are numbers, as names may hold anything. Of very many slices the first are shown, and before them
    those that fail.
    """
    names = sorted(report.slices, key=lambda name: report.slices[name].passed)[:MOST_SLICES]
    shown = frozenset(names)
    return {name: f"slice-{ordinal}" for ordinal, name in enumerate(report.slices, 1) if name in shown}


def gates_by_slice(report: Report) -> dict[str, list[Gate]]:
    """Return the gates of each slice."""
    found: dict[str, list[Gate]] = {}
    for gate in report.gates:
        if gate.slice is not None:
            found.setdefault(gate.slice, []).append(gate)
    return found


def state_of(one: SliceReport) -> Cell:
    """Return whether a slice held, in a sign and a word."""
    if not one.passed:
        return Cell("✗ FAILED", "bad")
    return Cell("✓ held", "good") if one.evaluated else Cell("○ unsupported", "warn")


def slice_views(report: Report) -> Iterator[SliceView]:
    """Return the slices that are shown whole; those that fail are open."""
    gates, shown = gates_by_slice(report), anchors_of(report)
    for ordinal, (name, one) in enumerate(report.slices.items(), 1):
        if name in shown:
            yield _view(ordinal, name, one, gates.get(name, []))


def _view(ordinal: int, name: str, one: SliceReport, gates: Sequence[Gate]) -> SliceView:
    anchor = f"slice-{ordinal}"
    return SliceView(
        anchor,
        ordinal,
        inert(name),
        state_of(one),
        _summary(one, gates),
        not one.passed,
        None if one.reason is None else reason_text(one.reason),
        slice_warnings(one),
        slice_gate_table(one, gates) if gates else None,
        declared(one),
        support(one),
        slice_figures(anchor, one, gates),
        tuple(_tables(one)),
    )


def _tables(one: SliceReport) -> Iterator[Table]:
    if one.evaluated:
        if one.by_type:
            yield type_table(one)
        yield from metric_tables(one)
    yield from null_table(one)


def _summary(one: SliceReport, gates: Sequence[Gate]) -> str:
    broken = sum(gate.verdict == "fail" for gate in gates)
    judged = sum(gate.verdict != "not_evaluated" for gate in gates)
    documents, gold = one.counts.get("documents", 0), totals(one)["gold"]
    verdicts = (
        f"{broken:,} of {many(judged, 'judged gate')} fail" if broken else f"{many(judged, 'gate')} judged"
    )
    return f"{many(documents, 'document')}, {many(gold, 'gold span')}; {verdicts}"


def index_table(report: Report, anchors: Mapping[str, str]) -> Table:
    """Return all slices in one table: first those that fail, and what matters most to a small screen."""
    order = sorted(report.slices, key=lambda name: report.slices[name].passed)
    columns = "Slice|#Leaks|State|#Recall|#Precision|#False alarms|#Leaking documents|#Documents|#Gold"
    rows = (_row(name, report.slices[name], anchors.get(name)) for name in order)
    return without_null_columns(table("All slices", columns, rows))


def _row(name: str, one: SliceReport, anchor: str | None) -> tuple[Cell, ...]:
    metrics = one.metrics
    return (
        named(name)._replace(target=anchor),
        _short(alarm_cell(metrics.get("leaks"))),
        state_of(one),
        _short(metric_cell(metrics.get("recall"))),
        _short(metric_cell(metrics.get("precision"))),
        _short(alarm_cell(metrics.get("false_alarm_rate"))),
        _short(alarm_cell(metrics.get("leaking_documents"))),
        count(one.counts.get("documents", 0)),
        count(totals(one)["gold"]),
    )


def _short(cell: Cell) -> Cell:
    """Return a cell without the reason of a null, which the slice itself gives."""
    return cell if cell.null is None else cell._replace(text="null")
