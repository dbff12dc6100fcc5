"""The tables of one slice: figures by type, metrics in groups, and metrics without a value by reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.reports.html.metric_names import (
    ALARMING,
    ALARMS,
    CATALOG,
    COUNTS,
    EXACT,
    LEAKAGE,
    readable,
    shown,
)
from pytest_pii_eval.reports.html.null_columns import without_null_columns
from pytest_pii_eval.reports.html.reasons import meaning
from pytest_pii_eval.reports.html.recall_figure import recall_of
from pytest_pii_eval.reports.html.values import (
    Cell,
    Table,
    alarm_cell,
    count,
    metric_cell,
    named,
    table,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pii_eval.reports.model import MetricReport, SliceReport, TypeReport

_PROTECTION = "protection_"


def type_table(one: SliceReport) -> Table:
    """Return the figures of each type."""
    recall = recall_of(one)
    columns = (
        f"Type|#{readable(recall).capitalize()}|#Leaks|#Contained|#Precision|#F1|#Gold|#Predicted|#Exact"
        "|#Leaks, protection|#Extra"
    )
    rows = (_type_row(name, found, recall) for name, found in one.by_type.items())
    return without_null_columns(table("By type", columns, rows))


def _type_row(name: str, found: TypeReport, recall: str) -> tuple[Cell, ...]:
    counts, metrics = found.counts, found.metrics
    return (
        named(name),
        metric_cell(metrics.get(recall)),
        alarm_cell(metrics.get("leaks")),
        *(metric_cell(metrics.get(metric)) for metric in ("containment", "precision", "f1")),
        *(count(counts.get(one, 0)) for one in ("gold", "pred", "tp")),
        alarm_cell(metrics.get("protection_leaks")),
        count(counts.get("extra", 0)),
    )


def metric_tables(one: SliceReport) -> Iterator[Table]:
    """Return the metrics that have a value, in groups; a group without any is left out."""
    alone: dict[str, tuple[str, ...]] = {"Exact metrics": EXACT, "Catalog": CATALOG, "Other counts": COUNTS}
    for caption, names in alone.items():
        rows = list(_plain_rows(one, names))
        if rows:
            yield table(caption, "Metric|#Value", rows)
    twice: dict[str, tuple[str, ...]] = {"Leak and containment": LEAKAGE, "False alarms and masking": ALARMS}
    for caption, names in twice.items():
        rows = list(_both_rows(one, names))
        if rows:
            columns = "Metric|#Selected spans|#Protection ranges"
            yield without_null_columns(table(caption, columns, rows))


def _plain_rows(one: SliceReport, names: Sequence[str]) -> Iterator[tuple[Cell, ...]]:
    for name in names:
        found = one.metrics.get(name)
        if found is not None and found.value is not None:
            yield Cell(readable(name)), _cell(name, found)


def _both_rows(one: SliceReport, names: Sequence[str]) -> Iterator[tuple[Cell, ...]]:
    for name in names:
        found, guarded = one.metrics.get(name), one.metrics.get(_PROTECTION + name)
        if any(metric is not None and metric.value is not None for metric in (found, guarded)):
            yield Cell(readable(name)), _cell(name, found), _cell(name, guarded)


def _cell(name: str, metric: MetricReport | None) -> Cell:
    return alarm_cell(metric) if name in ALARMING else metric_cell(metric)


def null_table(one: SliceReport) -> Iterator[Table]:
    """Return the metrics that have no value, by reason; nothing where all have one."""
    by_reason: dict[str, list[str]] = {}
    for name, metric in one.metrics.items():
        if metric.value is None:
            by_reason.setdefault(metric.reason or "no reason", []).append(name)
    if by_reason:
        rows = (
            (named(reason)._replace(below=meaning(reason)), Cell(_names(names)))
            for reason, names in sorted(by_reason.items())
        )
        yield table("Metrics without a value, and why", "Reason|Metrics", rows)


def _names(names: Sequence[str]) -> str:
    """Return the names of metrics; where one is there twice, for selected and protection, it is told once."""
    both = [name for name in names if not name.startswith(_PROTECTION) and _PROTECTION + name in names]
    paired = {_PROTECTION + name for name in both}
    alone = [name for name in names if name not in both and name not in paired]
    parts = [", ".join(map(shown, alone))] if alone else []
    if both:
        parts.append(f"on selected spans and protection: {', '.join(map(shown, both))}")
    return "; ".join(parts)
