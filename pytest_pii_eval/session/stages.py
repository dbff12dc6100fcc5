"""Metrics as the report has them, and the stages of a detector side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_pii_eval.reports.model import MetricReport, StageReport

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal

    from pytest_pii_eval.scoring.evidence import Evidence
    from pytest_pii_eval.scoring.metric import Metric

    Stage = Literal["candidates", "selected", "protection"]

# Each stage in the order in which a detector passes them, with its metrics of coverage and of characters.
_STAGES: Final[Mapping[Stage, tuple[str, str]]] = {
    "candidates": ("candidate_coverage", "candidate_character_recall"),
    "selected": ("containment", "character_recall"),
    "protection": ("protection_containment", "protection_character_recall"),
}


def plain(metric: Metric) -> MetricReport:
    """Return `metric` as the report has it."""
    return MetricReport(
        value=None if metric.value is None else float(metric.value),
        numerator=metric.numerator,
        denominator=metric.denominator,
        support=metric.support,
        reason=metric.reason,
    )


def stages(evidence: Evidence, metrics: Mapping[str, Metric]) -> dict[Stage, StageReport]:
    """Return what each stage covers: what falls from one to the next is lost to policy."""
    return {
        stage: StageReport(
            documents=evidence.output(stage).documents,
            coverage=plain(metrics[coverage]),
            character_recall=plain(metrics[characters]),
        )
        for stage, (coverage, characters) in _STAGES.items()
    }
