"""The metrics of a slice, derived once from its evidence; docs/metrics.md has every formula."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_pii_eval.scoring.documents import Scope
from pytest_pii_eval.scoring.evidence import Evidence, TypeCounts
from pytest_pii_eval.scoring.exact_metrics import (
    NOT_IDENTIFIED,
    added,
    catalog_metrics,
    exact_metrics,
    f_score,
    macro_f1,
)
from pytest_pii_eval.scoring.labels import Labels
from pytest_pii_eval.scoring.metric import Metric, absent, rate, tally_of
from pytest_pii_eval.scoring.output_metrics import (
    character_metrics,
    document_metrics,
    high_severity_metrics,
    leak_metrics,
    mask_metrics,
    repeat_metrics,
)

if TYPE_CHECKING:
    from pytest_pii_eval.scoring.evidence import Output, SliceCounts
    from pytest_pii_eval.scoring.metric import Reason

OPEN_WORLD = frozenset(
    {
        "precision",
        "recall",
        "f1",
        "f2",
        "high_severity_f2",
        "macro_f1",
        "extra_span_rate",
        "document_miss_rate",
        "cataloged_document_miss_rate",
        "document_leak_rate",
        "high_severity_document_leak_rate",
        "character_recall",
        "character_leak_rate",
        "masking_precision",
        "over_redaction_rate",
        "false_alarm_rate",
    }
)
"""Metrics that only independent, exhaustive labels over the whole view support, under any prefix."""

_PREFIXES: dict[Output, tuple[str, Reason]] = {
    "protection": ("protection_", "protection_unavailable"),
    "candidates": ("candidate_", "candidates_unavailable"),
}


class SliceMetrics(NamedTuple):
    """The metrics over all types in scope, and those of each type, by name."""

    overall: dict[str, Metric]
    types: dict[str, dict[str, Metric]]


def derive(evidence: Evidence, scope: Scope, labels: Labels) -> SliceMetrics:
    """Return every metric of a slice; the names are the same whatever the evidence holds.

    A metric that the labels cannot support, or whose population is empty, has no value but a reason.
    """
    overall = {
        **_span_metrics(evidence, scope, labels),
        **_output_metrics(evidence, "selected", "scope", scope),
        **_optional(evidence, "protection", _output_metrics(evidence, "protection", "protection", scope)),
        **_optional(evidence, "candidates", _candidate_metrics(evidence)),
        "policy_loss": _policy_loss(evidence),
        **_count_metrics(evidence),
    }
    types = {type_: _type_metrics(evidence, type_, scope, labels) for type_ in sorted(scope.types)}
    return SliceMetrics(
        _limited(overall, evidence, labels),
        {type_: _limited(metrics, evidence, labels) for type_, metrics in types.items()},
    )


def _span_metrics(evidence: Evidence, scope: Scope, labels: Labels) -> dict[str, Metric]:
    micro = added(evidence.types.values())
    high = added(counts for type_, counts in evidence.types.items() if type_ in scope.high_severity)
    high_f2 = f_score(high, 2)
    counts = evidence.counts
    catalog = {
        **catalog_metrics(micro, labels),
        "cataloged_document_miss_rate": _cataloged_misses(counts, labels),
    }
    return {
        **exact_metrics(micro),
        **catalog,
        "high_severity_f2": absent("no_high_severity_gold") if high_f2.value is None else high_f2,
        "macro_f1": macro_f1(evidence.types.values()),
        "extra_span_rate": rate(micro.extra, counts.documents, "empty_population"),
        "document_miss_rate": rate(counts.documents_with_any_miss, counts.documents_with_gold, "no_gold"),
    }


def _cataloged_misses(counts: SliceCounts, labels: Labels) -> Metric:
    if not labels.cataloged:
        return absent("catalog_unbound")
    missed, documents = counts.documents_with_any_cataloged_miss, counts.documents_with_cataloged_gold
    return rate(missed, documents, "no_cataloged_gold") if labels.identified else NOT_IDENTIFIED


def _output_metrics(evidence: Evidence, output: Output, masking: Output, scope: Scope) -> dict[str, Metric]:
    """Return the metrics of one output; what masking costs is told by the output `masking`."""
    counts = evidence.output(output)
    return {
        **leak_metrics(counts.gold, counts.leaks),
        **character_metrics(counts.gold_characters, counts.gold_characters - counts.covered_characters),
        **document_metrics(evidence, counts),
        **high_severity_metrics(evidence, output, scope.high_severity),
        **repeat_metrics(evidence, counts),
        **mask_metrics(evidence, evidence.output(masking)),
    }


def _candidate_metrics(evidence: Evidence) -> dict[str, Metric]:
    counts = evidence.output("candidates")
    return {
        "coverage": rate(counts.contained, counts.gold, "no_gold"),
        "character_recall": rate(counts.covered_characters, counts.gold_characters, "no_gold"),
    }


def _policy_loss(evidence: Evidence) -> Metric:
    """Return how many gold spans fewer are covered after the detector's policy than before it."""
    before, after = evidence.output("candidates"), evidence.output("selected")
    if before.documents != evidence.counts.documents:
        return absent("candidates_unavailable")
    return (
        tally_of(max(0, before.contained - after.contained), before.gold)
        if before.gold
        else absent("no_gold")
    )


def _type_metrics(evidence: Evidence, type_: str, scope: Scope, labels: Labels) -> dict[str, Metric]:
    counts = evidence.types.get(type_, TypeCounts())
    metrics = {
        **exact_metrics(counts),
        **catalog_metrics(counts, labels),
        **_type_leaks(evidence, "selected", type_),
        **_optional(evidence, "protection", _type_leaks(evidence, "protection", type_)),
        **_optional(
            evidence, "candidates", {"coverage": _type_leaks(evidence, "candidates", type_)["containment"]}
        ),
    }
    return {**metrics, "f2": f_score(counts, 2)} if type_ in scope.high_severity else metrics


def _type_leaks(evidence: Evidence, output: Output, type_: str) -> dict[str, Metric]:
    counts = evidence.types.get(type_, TypeCounts())
    leaking = evidence.leaking(output, type_)
    return {
        **leak_metrics(counts.gold, leaking.leaks),
        **character_metrics(counts.gold_characters, leaking.leaked_characters),
    }


def _count_metrics(evidence: Evidence) -> dict[str, Metric]:
    counts = evidence.counts
    return {
        "unmapped": tally_of(counts.unmapped, counts.documents),
        "dropped": tally_of(counts.dropped, counts.documents),
        "failed_documents": tally_of(counts.failed_documents, counts.documents),
    }


def _optional(evidence: Evidence, output: Output, metrics: dict[str, Metric]) -> dict[str, Metric]:
    """Return `metrics` under the prefix of an output, without values where a document did not expose it."""
    prefix, reason = _PREFIXES[output]
    exposed = evidence.output(output).documents == evidence.counts.documents
    return {prefix + name: metric if exposed else absent(reason) for name, metric in metrics.items()}


def _limited(metrics: dict[str, Metric], evidence: Evidence, labels: Labels) -> dict[str, Metric]:
    """Return `metrics` without the values that an empty population or the labels rule out."""
    if not evidence.counts.documents:
        return dict.fromkeys(metrics, absent("empty_population"))
    reason = labels.limit()
    if reason is None:
        return metrics
    return {name: absent(reason) if _open_world(name) else metric for name, metric in metrics.items()}


def _open_world(name: str) -> bool:
    return any(name.removeprefix(prefix) in OPEN_WORLD for prefix, _ in _PREFIXES.values())


_ANY = "any"
_NAMES = derive(Evidence(), Scope(frozenset({_ANY}), frozenset({_ANY})), Labels())
METRIC_NAMES = frozenset(_NAMES.overall)
"""The names of all metrics over the types of a slice together; gates may speak of these."""

TYPE_METRIC_NAMES = frozenset(_NAMES.types[_ANY])
"""The names of all metrics of a single type."""
