"""The tables about quality slices: figures, types, stages, what cannot be told; nothing is judged here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_pii_eval.reports.markdown.escaping import escaped, figure, named, prose
from pytest_pii_eval.reports.markdown.layout import Part, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pii_eval.reports.model import Gate, MetricReport, Report, SliceReport, TypeReport

# Metrics of a slice, and of a type, with the words over their column.
_OF_SLICE: Final = (
    ("recall", "recall"),
    ("precision", "precision"),
    ("leaks", "leaks"),
    ("leaking_documents", "leaking documents"),
    ("false_alarm_rate", "false alarms"),
)
_OF_TYPE: Final = (("recall", "recall"), ("precision", "precision"), ("leaks", "leaks"))
_MOST: Final = 12
_STATES: Final = (
    ("tp", "exact"),
    ("shift", "shift"),
    ("wrong_type", "wrong type"),
    ("miss", "miss"),
    ("extra", "extra"),
)


def slice_parts(report: Report) -> Iterator[Part]:
    """Yield the tables about slices, failed slices first in each."""
    if not report.slices:
        return
    slices = sorted(report.slices.items(), key=lambda one: one[1].passed)
    header = ("slice", "gates", "documents", "gold", *(words for _, words in _OF_SLICE))
    gates = _gates_by_slice(report)
    rows = (_slice_row(name, one, gates.get(name, [])) for name, one in slices)
    yield table("Slices", header, rows, total=len(slices), share=9_000)
    types = [(name, type_, found) for name, one in slices for type_, found in one.by_type.items()]
    header = ("slice", "type", "gold", "predicted", *(words for _, words in (*_STATES, *_OF_TYPE)))
    rows = (_type_row(*one) for one in types)
    yield table("Types by slice, those of failed slices first", header, rows, total=len(types), share=6_000)
    yield from _stages(report)
    yield from _unknown(slices)
    yield from _unmapped(slices)


def _slice_row(name: str, one: SliceReport, gates: list[Gate]) -> tuple[str, ...]:
    gold = sum(found.counts.get("gold", 0) for found in one.by_type.values())
    figures = (_figure(one.metrics.get(metric)) for metric, _ in _OF_SLICE)
    documents = one.counts.get("documents", 0)
    return (escaped(name), _state(one, gates), f"{documents}", f"{gold}", *figures)


def _state(one: SliceReport, gates: list[Gate]) -> str:
    """Return what became of the gates, and whether the slice says anything at all."""
    failed = sum(gate.verdict == "fail" for gate in gates)
    judged = sum(gate.verdict != "not_evaluated" for gate in gates)
    if failed or not one.passed:
        return f"FAILED {failed} of {len(gates)}"
    if not one.evaluated:
        return f"unsupported ({prose(one.reason or 'no reason')})"
    return f"held {judged} of {len(gates)}" if gates else "no gate"


def _type_row(name: str, type_: str, one: TypeReport) -> tuple[str, ...]:
    counts = (f"{one.counts.get(count, 0)}" for count in ("gold", "pred", *(state for state, _ in _STATES)))
    figures = (_figure(one.metrics.get(metric)) for metric, _ in _OF_TYPE)
    return (escaped(name), escaped(type_), *counts, *figures)


def _stages(report: Report) -> Iterator[Part]:
    """Yield what each stage of a detector covers, where any exposes its candidates."""
    exposed = {
        name: one
        for name, one in report.slices.items()
        if "candidates" in one.stages and one.stages["candidates"].coverage.value is not None
    }
    if exposed:
        header = ("slice", "candidates", "selected", "protection", "lost to policy")
        rows = (_stage_row(name, one) for name, one in exposed.items())
        yield table("Gold covered from stage to stage", header, rows, total=len(exposed), share=2_000)


def _stage_row(name: str, one: SliceReport) -> tuple[str, ...]:
    found = {str(stage): figure(part.coverage) for stage, part in one.stages.items()}
    stages = (found.get(stage, "not reported") for stage in ("candidates", "selected", "protection"))
    return (escaped(name), *stages, _figure(one.metrics.get("policy_loss")))


def _unknown(slices: list[tuple[str, SliceReport]]) -> Iterator[Part]:
    """Yield the metrics without a value by reason, with the slices in which the same ones have none."""
    alike: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for name, one in slices:
        for why, metrics in _without_value(one).items():
            alike.setdefault((why, tuple(metrics)), []).append(name)
    rows = [
        (prose(why), named(metrics, prose, most=_MOST), named(names, most=_MOST))
        for (why, metrics), names in sorted(alike.items())
    ]
    if rows:
        header = ("reason", "metrics without a value", "slices")
        yield table("What cannot be told, and why", header, rows, total=len(rows), share=3_000)


def _without_value(one: SliceReport) -> dict[str, list[str]]:
    reasons: dict[str, list[str]] = {}
    for metric, found in one.metrics.items():
        if found.value is None:
            reasons.setdefault(found.reason or "no reason", []).append(metric)
    return reasons


def _unmapped(slices: list[tuple[str, SliceReport]]) -> Iterator[Part]:
    found = [
        (escaped(name), escaped(label), f"{number}", what)
        for name, one in slices
        for what, labels in (("no type", one.unmapped_labels), ("not in scope", one.out_of_scope_types))
        for label, number in labels.items()
    ]
    if found:
        header = ("slice", "label or type", "predictions", "why not scored")
        yield table("Predictions that no type was scored for", header, found, total=len(found), share=2_000)


def _gates_by_slice(report: Report) -> dict[str, list[Gate]]:
    gates: dict[str, list[Gate]] = {}
    for gate in report.gates:
        if gate.slice is not None:
            gates.setdefault(gate.slice, []).append(gate)
    return gates


def _figure(metric: MetricReport | None) -> str:
    return "null (not reported)" if metric is None else figure(metric)
