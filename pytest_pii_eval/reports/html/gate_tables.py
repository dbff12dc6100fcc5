"""Gates as tables: what was asked, what was found, on how much; those that fail come first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_pii_eval.reports.html.metric_names import shown
from pytest_pii_eval.reports.html.values import Cell, Table, count, named, table, verdict_cell
from pytest_pii_eval.reports.words import bound_text, inert, metric_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_pii_eval.reports.model import Gate, MetricReport, SliceReport

_ORDER: Final = {"fail": 0, "not_evaluated": 1, "pass": 2}


def slice_gate_table(one: SliceReport, gates: Iterable[Gate]) -> Table:
    """Return the gates of one slice."""
    rows = (_row(gate, metric_of(one, gate)) for gate in _ordered(gates))
    return table("Gates of this slice", "Metric|Verdict|Found|Must be|#Support|Gate", rows)


def run_gate_table(caption: str, gates: Iterable[Gate]) -> Table:
    """Return gates of a whole run."""
    return table(caption, "Metric|Verdict|Found|Must be|#Support|Gate", map(_row, _ordered(gates)))


def placed_gate_table(
    caption: str, gates: Iterable[Gate], slices: Mapping[str, SliceReport], anchors: Mapping[str, str]
) -> Table:
    """Return gates of a run and of slices, place and figures first: a small screen shows these alone."""
    rows = (_placed(gate, slices, anchors) for gate in _ordered(gates))
    return table(caption, "Slice and metric|Found|Must be|#Support|Gate|Verdict", rows)


def metric_of(one: SliceReport | None, gate: Gate) -> MetricReport | None:
    """Return the metric that a gate judged, for its counts; None where the report does not hold it."""
    if one is None or gate.type is None:
        return None if one is None else one.metrics.get(gate.metric)
    found = one.by_type.get(gate.type)
    return None if found is None else found.metrics.get(gate.metric)


def _ordered(gates: Iterable[Gate]) -> list[Gate]:
    return sorted(gates, key=lambda gate: _ORDER[gate.verdict])


def _placed(gate: Gate, slices: Mapping[str, SliceReport], anchors: Mapping[str, str]) -> tuple[Cell, ...]:
    if gate.slice is None:
        place, metric = Cell("the whole run"), None
    else:
        place = named(gate.slice)._replace(target=anchors.get(gate.slice))
        metric = metric_of(slices.get(gate.slice), gate)
    what, verdict, *figures, name = _row(gate, metric)
    return (place._replace(below=what.text), *figures, name, verdict)


def _row(gate: Gate, metric: MetricReport | None = None) -> tuple[Cell, ...]:
    what = shown(gate.metric) + (f" of {inert(gate.type)}" if gate.type is not None else "")
    return (
        Cell(what),
        verdict_cell(gate.verdict),
        _found(gate, metric),
        Cell(bound_text(gate)),
        Cell("not told", "none") if gate.support is None else count(gate.support),
        named(gate.id),
    )


def _found(gate: Gate, metric: MetricReport | None) -> Cell:
    """Return the value with its counts; a gate and a metric of other values are not mixed."""
    if gate.value is None:
        return Cell(f"null ({inert(gate.reason or 'no reason')})", "none")
    if metric is not None and metric.value == gate.value:
        return Cell(metric_text(metric))
    if isinstance(gate.value, int):
        return Cell(str(gate.value))
    short = f"{gate.value:.6g}"
    # A value that rounds to its limit would look as if it kept it.
    return Cell(str(gate.value) if float(short) == gate.limit else short)
