"""What keeps a run on slices from being an evaluation, as codes; no verdicts, no text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection

    from pytest_pii_eval.reports.model import Report, SliceReport

NO_NEGATIVES: Final = "no_negatives"
NO_NAMES: Final = "no_names"


def evidence_notes(report: Report, *, documents: int, minimum: int, name_types: Collection[str]) -> list[str]:
    """Return why `report` is no evaluation (spec/evaluation.md, "What is not an eval"), in a fixed order.

    `documents` counts those that were scored, each once. `fewer_than_N_documents`: there were fewer than
    `minimum`. `no_negatives`: no evaluated slice holds a document without gold. `no_names`: no slice holds
    gold of one of `name_types`. A report without slices claims nothing about text, and gets no note.
    """
    if not report.slices:
        return []
    slices = report.slices.values()
    notes = [f"fewer_than_{minimum}_documents"] if documents < minimum else []
    if not any(one.evaluated and one.counts.get("zero_gold_documents", 0) for one in slices):
        notes.append(NO_NEGATIVES)
    if not any(_holds_names(one, name_types) for one in slices):
        notes.append(NO_NAMES)
    return notes


def _holds_names(one: SliceReport, name_types: Collection[str]) -> bool:
    return any(one.by_type[name].counts.get("gold", 0) for name in name_types if name in one.by_type)
