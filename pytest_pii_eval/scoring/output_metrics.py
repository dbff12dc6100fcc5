"""Metrics of what an output masks: containment, leaks, characters, documents without gold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.scoring.metric import Metric, absent, rate, tally_of

if TYPE_CHECKING:
    from pytest_pii_eval.scoring.evidence import Evidence, Output, OutputCounts
    from pytest_pii_eval.scoring.metric import Reason


def leak_metrics(gold: int, leaks: int) -> dict[str, Metric]:
    """Return containment and leaks of some gold spans."""
    return {
        "containment": rate(gold - leaks, gold, "no_gold"),
        "leaks": tally_of(leaks, gold) if gold else absent("no_gold"),
        "leak_rate": rate(leaks, gold, "no_gold"),
    }


def character_metrics(characters: int, leaked: int) -> dict[str, Metric]:
    """Return recall and leak rate over the characters of a union of gold spans."""
    return {
        "character_recall": rate(characters - leaked, characters, "no_gold"),
        "character_leak_rate": rate(leaked, characters, "no_gold"),
    }


def document_metrics(evidence: Evidence, counts: OutputCounts) -> dict[str, Metric]:
    """Return leaking documents over documents with gold, of any severity and of high severity."""
    with_gold = evidence.counts.documents_with_gold
    high = evidence.counts.high_severity_documents
    leaking, high_leaking = counts.leaking_documents, counts.high_severity_leaking_documents
    return {
        "leaking_documents": tally_of(leaking, with_gold) if with_gold else absent("no_gold"),
        "document_leak_rate": rate(leaking, with_gold, "no_gold"),
        "high_severity_leaking_documents": (
            tally_of(high_leaking, high) if high else absent("no_high_severity_gold")
        ),
        "high_severity_document_leak_rate": rate(high_leaking, high, "no_high_severity_gold"),
    }


def high_severity_metrics(evidence: Evidence, output: Output, high: frozenset[str]) -> dict[str, Metric]:
    """Return leaks of the high-severity gold spans."""
    gold = sum(counts.gold for type_, counts in evidence.types.items() if type_ in high)
    leaks = sum(evidence.leaking(output, type_).leaks for type_ in high)
    return {
        "high_severity_leaks": tally_of(leaks, gold) if gold else absent("no_high_severity_gold"),
        "high_severity_leak_rate": rate(leaks, gold, "no_high_severity_gold"),
    }


def repeat_metrics(evidence: Evidence, counts: OutputCounts) -> dict[str, Metric]:
    """Return the share of repeated identifiers of which every mention is covered."""
    repeated = evidence.counts.repeated_identifiers
    whole = repeated - counts.leaking_repeated_identifiers
    return {"repeated_identifier_coverage": rate(whole, repeated, "no_repeated_identifiers")}


def mask_metrics(evidence: Evidence, counts: OutputCounts) -> dict[str, Metric]:
    """Return what masking costs: precision, over-redaction, and masks on documents without gold."""
    slice_counts = evidence.counts
    masked, characters = counts.masked_characters, slice_counts.characters
    return {
        "masking_precision": rate(counts.covered_characters, masked, "no_masked_characters"),
        "over_redaction_rate": rate(masked - counts.covered_characters, characters, "no_characters"),
        "masked_character_fraction": rate(masked, characters, "no_characters"),
        **_zero_gold_metrics(evidence, counts),
    }


def _zero_gold_metrics(evidence: Evidence, counts: OutputCounts) -> dict[str, Metric]:
    documents, characters = evidence.counts.zero_gold_documents, evidence.counts.zero_gold_characters
    masked = rate(counts.zero_gold_masked_documents, documents, "no_zero_gold_documents")
    empty: Reason = "no_characters" if documents else "no_zero_gold_documents"
    metrics = {
        "zero_gold_document_mask_rate": masked,
        "zero_gold_masked_character_fraction": rate(counts.zero_gold_masked_characters, characters, empty),
        "false_alarm_rate": masked,
    }
    # A detector that failed on a document without gold has not shown that it leaves it alone.
    if evidence.counts.failed_zero_gold_documents:
        return dict.fromkeys(metrics, absent("failed_documents"))
    return metrics
