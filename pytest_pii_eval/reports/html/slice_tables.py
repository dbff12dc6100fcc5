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
)
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
    return table(
        "By type",
        f"Type|#Gold|#Predicted|#Exact|#{readable(recall).capitalize()}|#Precision|#F1|#Leaks|#Contained"
        "|#Leaks, protection|#Extra",
        (_type_row(name, found, recall) for name, found in one.by_type.items()),
    )


def _type_row(name: str, found: TypeReport, recall: str) -> tuple[Cell, ...]:
    counts, metrics = found.counts, found.metrics
    return (
        named(name),
        *(count(counts.get(one, 0)) for one in ("gold", "pred", "tp")),
        *(metric_cell(metrics.get(metric)) for metric in (recall, "precision", "f1")),
        alarm_cell(metrics.get("leaks")),
        metric_cell(metrics.get("containment")),
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
            yield table(caption, "Metric|#Selected spans|#Protection ranges", rows)


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
            (named(reason), Cell(meaning(reason)), Cell(_names(names)), count(len(names)))
            for reason, names in sorted(by_reason.items())
        )
        yield table("Metrics without a value, and why", "Reason|In words|Metrics|#How many", rows)


def _names(names: Sequence[str]) -> str:
    """Return the names of metrics; where one is there twice, for selected and protection, it is told once."""
    both = [name for name in names if not name.startswith(_PROTECTION) and _PROTECTION + name in names]
    paired = {_PROTECTION + name for name in both}
    return ", ".join(
        named(readable(name)).text + (" (on protection, too)" if name in both else "")
        for name in names
        if name not in paired
    )
