"""The plot of recall by type against floors: which metric, which floors, and what keeps or breaks them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.reports.html.bars import BarRow, bars
from pytest_pii_eval.reports.html.metric_names import readable
from pytest_pii_eval.reports.html.values import Cell, Figure, metric_cell, named, table
from pytest_pii_eval.reports.words import many, metric_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pii_eval.reports.model import Gate, MetricReport, SliceReport

_MOST_TEXT: Final = 34


class _Row(NamedTuple):
    """One bar: its type, what was found, and the gate that sets its floor."""

    label: str
    found: MetricReport | None
    gate: Gate | None


def recall_figure(key: str, one: SliceReport, gates: Sequence[Gate]) -> Figure:
    """Return the plot; where labels are weak it is labelled-span recall, which is said."""
    metric = recall_of(one)
    floors = _floors(metric, gates)
    rows = [_Row("all types", one.metrics.get(metric), floors.get(None))]
    rows += [_Row(name, found.metrics.get(metric), floors.get(name)) for name, found in one.by_type.items()]
    words = readable(metric)
    title = f"{words[0].upper()}{words[1:]} by type"
    marked = "A dashed line marks a floor." if floors else "No floor is set here."
    return Figure(
        f"{key}-recall",
        "bars",
        title,
        f"One bar a type, from 0 to 1; {many(len(floors), 'floor')} marked.",
        f"The share of gold spans found with exact bounds and type. {marked}",
        bars([_bar(row) for row in rows]),
        table(f"{title} against floors", "Type|Found|Floor", map(_cells, rows)),
    )


def recall_of(one: SliceReport) -> str:
    """Return the recall that the labels of a slice support: over all there is, or over what was labelled."""
    found = one.metrics.get("recall")
    return "labeled_span_recall" if found is None or found.value is None else "recall"


def _floors(metric: str, gates: Sequence[Gate]) -> dict[str | None, Gate]:
    """Return the strictest floor on `metric` by type; None stands for all types."""
    floors: dict[str | None, Gate] = {}
    for gate in gates:
        if gate.metric != metric or gate.direction != "min" or gate.limit is None:
            continue
        held = floors.get(gate.type)
        if held is None or (held.limit or 0) < gate.limit:
            floors[gate.type] = gate
    return floors


def _bar(row: _Row) -> BarRow:
    share = None if row.found is None else row.found.value
    text = "not reported" if row.found is None else metric_text(row.found)
    floor = None if row.gate is None else row.gate.limit
    failed = row.gate is not None and row.gate.verdict == "fail"
    sign = {"pass": "✓", "fail": "✗", "not_evaluated": "○"}
    mark = "" if row.gate is None else f" {sign[row.gate.verdict]} floor {row.gate.limit}"
    # A long reason leaves no room beside it; the table holds both.
    printed = text + mark if len(text + mark) <= _MOST_TEXT else text
    return BarRow(row.label, printed, share, floor, "bad" if failed else "plain")


def _cells(row: _Row) -> tuple[Cell, ...]:
    return (named(row.label), metric_cell(row.found), _floor_cell(row.gate))


def _floor_cell(gate: Gate | None) -> Cell:
    if gate is None:
        return Cell("no floor", "none")
    if gate.verdict == "not_evaluated":
        return Cell(f"○ {gate.limit}: cannot be judged", "warn")
    return (
        Cell(f"✓ keeps {gate.limit}", "good")
        if gate.verdict == "pass"
        else Cell(f"✗ below {gate.limit}", "bad")
    )
