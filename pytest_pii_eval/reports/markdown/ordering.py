"""A report with its parts in the order of their names: a page is the same from a run and from its file."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_pii_eval.reports.model import Conformance, PromotionReport, Report, SliceReport

_Value = TypeVar("_Value")


def ordered(report: Report) -> Report:
    """Return the report with what it holds by name sorted, as its JSON is; gates keep their order."""
    subject = report.subject.model_copy(update={"libraries": _sorted(report.subject.libraries)})
    return report.model_copy(
        update={
            "subject": subject,
            "conformance": None if report.conformance is None else _conformance(report.conformance),
            "slices": {name: _slice(one) for name, one in sorted(report.slices.items())},
            "unsupported_slices": _sorted(report.unsupported_slices),
            "freeze_rules": _sorted(report.freeze_rules),
            "promotion": None if report.promotion is None else _promotion(report.promotion),
            "fingerprints": _sorted(report.fingerprints),
        }
    )


def _conformance(conformance: Conformance) -> Conformance:
    found = {"by_entity": _sorted(conformance.by_entity), "by_tag": _sorted(conformance.by_tag)}
    return conformance.model_copy(update=found)


def _promotion(promotion: PromotionReport) -> PromotionReport:
    return promotion.model_copy(update={"parts": _sorted(promotion.parts)})


def _slice(one: SliceReport) -> SliceReport:
    return one.model_copy(
        update={
            "metrics": _sorted(one.metrics),
            "by_type": _sorted(one.by_type),
            "unmapped_labels": _sorted(one.unmapped_labels),
            "out_of_scope_types": _sorted(one.out_of_scope_types),
        }
    )


def _sorted(table: Mapping[str, _Value]) -> dict[str, _Value]:
    return dict(sorted(table.items()))
