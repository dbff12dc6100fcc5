"""From a report to its snapshot, and from a file to a snapshot; how one is laid out is in `layout`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import ValidationError

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import read_input
from pytest_pii_eval.contracts.model_faults import fault_of
from pytest_pii_eval.contracts.strict_json import parse
from pytest_pii_eval.reports.model import Report
from pytest_pii_eval.reports.snapshots.families import (
    AS_SELECTED,
    SLICE_FAMILIES,
    TYPE_FAMILIES,
    packed,
)
from pytest_pii_eval.reports.snapshots.figures import figure_of
from pytest_pii_eval.reports.snapshots.layout import render_snapshot
from pytest_pii_eval.reports.snapshots.model import (
    KEPT,
    LEFT_OUT,
    Completeness,
    ConformanceSnapshot,
    Counts,
    Declared,
    SliceSnapshot,
    Snapshot,
    SubjectSnapshot,
    TypeSnapshot,
    Verdict,
)
from pytest_pii_eval.reports.words import inert

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from pytest_pii_eval.reports.model import Conformance, MetricReport, SliceReport, TypeReport
    from pytest_pii_eval.reports.snapshots.families import Families, Packed

__all__ = ["read_compared", "read_snapshot", "render_snapshot", "snapshot_of"]

_MAX_BYTES = 256 * 1024 * 1024


def snapshot_of(report: Report) -> Snapshot:
    """Return what `report` says in every equal run."""
    subject = report.subject
    return Snapshot(
        left_out=list(LEFT_OUT),
        subject=SubjectSnapshot(
            kind=subject.kind,
            name=subject.name,
            engine=subject.engine,
            offset_unit=subject.offset_unit,
            label_map=subject.label_map,
            replayed=subject.replayed,
        ),
        scorer_version=report.scorer.version,
        taxonomy=report.taxonomy,
        completeness=Completeness(
            complete=report.complete,
            consistent=report.consistent,
            missing=report.missing_count,
            crashed=len(report.crashed),
        ),
        selection=report.selection,
        fingerprints={name: report.fingerprints[name] for name in KEPT if name in report.fingerprints},
        evidence_notes=report.evidence_notes,
        gates=[gate for gate in report.gates if gate.slice not in report.slices],
        conformance=None if report.conformance is None else _conformance(report.conformance),
        slices={name: _slice(name, report) for name in sorted(report.slices)},
        unsupported_slices=dict(sorted(report.unsupported_slices.items())),
    )


def read_snapshot(path: str | os.PathLike[str]) -> Snapshot:
    """Return the snapshot at `path`, or that of the report at `path`; raises `Fault` where it is neither."""
    found = read_compared(path)
    return snapshot_of(found) if isinstance(found, Report) else found


def read_compared(path: str | os.PathLike[str]) -> Report | Snapshot:
    """Return the report or the snapshot at `path`, whichever it is; raises `Fault` where it is neither."""
    file = Path(path)
    try:
        return _report_or_snapshot(parse(read_input(file, limit=_MAX_BYTES)))
    except ValidationError as error:
        fault = fault_of(error, None)
        # Ids of slices and types are on the way to a field, and may be anything.
        field = None if fault.field is None else inert(fault.field)
        raise Fault(fault.rule, file=file.name, field=field) from None
    except Fault as fault:
        raise fault.at(file=file.name) from None


def _report_or_snapshot(document: object) -> Report | Snapshot:
    version = document.get("schema_version") if isinstance(document, dict) else None
    if version == "pii_eval.snapshot.v1":
        return Snapshot.model_validate(document, strict=True)
    if version == "pii_eval.report.v1":
        return Report.model_validate(document, strict=True)
    raise Fault(
        "must be pii_eval.snapshot.v1 or pii_eval.report.v1: a snapshot or a report", field="schema_version"
    )


def _conformance(found: Conformance) -> ConformanceSnapshot:
    counts = found.model_dump(exclude={"evaluated", "recall", "passed", "by_entity", "by_tag"})
    return ConformanceSnapshot(
        evaluated=found.evaluated,
        passed=found.passed,
        counts=_counts(counts),
        by_entity={
            name: _counts(one.model_dump(exclude={"recall"})) for name, one in sorted(found.by_entity.items())
        },
        by_tag={name: _counts(one.model_dump()) for name, one in sorted(found.by_tag.items())},
    )


def _slice(name: str, report: Report) -> SliceSnapshot:
    one = report.slices[name]
    gates = [gate.model_copy(update={"slice": None}) for gate in report.gates if gate.slice == name]
    declared = {field: getattr(one, field) for field in Declared.model_fields}
    return SliceSnapshot(
        declared=Declared(**declared),
        corpus=one.corpus,
        offset_hint=one.offset_hint,
        verdict=Verdict(evaluated=one.evaluated, reason=one.reason, passed=one.passed),
        gates=gates,
        counts=_counts(one.counts),
        metrics=_metrics(one.metrics, SLICE_FAMILIES),
        outputs=_outputs(one),
        unmapped_labels=_counts(one.unmapped_labels),
        out_of_scope_types=_counts(one.out_of_scope_types),
        confusion={gold: _counts(row) for gold, row in sorted(one.confusion.items())},
        types={type_: _type(found) for type_, found in sorted(one.by_type.items())},
    )


def _type(found: TypeReport) -> TypeSnapshot:
    return TypeSnapshot(counts=_counts(found.counts), metrics=_metrics(found.metrics, TYPE_FAMILIES))


def _metrics(metrics: Mapping[str, MetricReport], families: Families) -> Packed:
    return packed({name: figure_of(metric) for name, metric in metrics.items()}, families)


def _outputs(one: SliceReport) -> dict[str, Counts | Literal["as selected"]]:
    """Return the counts of each output; `selected` comes last, beside the types that change with it."""
    selected = one.outputs.get("selected")
    return {
        name: AS_SELECTED
        if name != "selected" and one.outputs[name] == selected
        else _counts(one.outputs[name])
        for name in sorted(one.outputs)
    }


def _counts(counts: Mapping[str, int]) -> Counts:
    return {name: counts[name] for name in sorted(counts) if counts[name]}
