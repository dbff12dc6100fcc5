"""Which metrics are shown together, and in which order; what they mean is in docs/metrics.md."""

from __future__ import annotations

from typing import Final

from pytest_pii_eval.reports.words import inert

EXACT: Final = (
    "precision",
    "recall",
    "labeled_span_recall",
    "f1",
    "f2",
    "high_severity_f2",
    "macro_f1",
    "extra_span_rate",
    "document_miss_rate",
)
CATALOG: Final = (
    "catalog_coverage",
    "cataloged_recall",
    "wrong_canonical",
    "cataloged_document_miss_rate",
)
LEAKAGE: Final = (
    "containment",
    "leaks",
    "leak_rate",
    "leaking_documents",
    "document_leak_rate",
    "high_severity_leaks",
    "high_severity_leak_rate",
    "high_severity_leaking_documents",
    "high_severity_document_leak_rate",
    "character_recall",
    "character_leak_rate",
    "repeated_identifier_coverage",
)
ALARMS: Final = (
    "false_alarm_rate",
    "zero_gold_document_mask_rate",
    "zero_gold_masked_character_fraction",
    "masking_precision",
    "over_redaction_rate",
    "masked_character_fraction",
)
COUNTS: Final = ("policy_loss", "unmapped", "dropped", "failed_documents")
ALARMING: Final = frozenset(
    {
        "leaks",
        "leaking_documents",
        "high_severity_leaks",
        "high_severity_leaking_documents",
        "wrong_canonical",
        "dropped",
        "failed_documents",
    }
)
"""Counts of which anything above 0 is bad, whatever the gates say."""

_KNOWN: Final = {
    "f1": "F1",
    "f2": "F2",
    "high_severity_f2": "high-severity F2",
    "macro_f1": "macro F1 (a diagnostic)",
    "labeled_span_recall": "labelled-span recall",
    "zero_gold_document_mask_rate": "masked documents without gold",
    "zero_gold_masked_character_fraction": "masked characters of documents without gold",
    "dropped": "predictions dropped for their offsets",
    "failed_documents": "documents without an answer",
    "patterns_with_positive_cases": "patterns with a witness",
    "predictions_in_scope": "predictions of a type that is asked for",
    "unmapped": "predictions with an unmapped label",
}


def readable(metric: str) -> str:
    """Return the name of a metric in words; `metric` is one of ours."""
    return _KNOWN.get(metric, metric.replace("_", " ").replace("high severity", "high-severity"))


def shown(metric: str) -> str:
    """Return the name of a metric out of a file: in words, and harmless."""
    return inert(readable(metric))
