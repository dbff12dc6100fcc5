"""From results to the conformance aggregate: sums, planned denominators, and its gates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_pii_eval.reports.model import Conformance, EntityConformance, Gate, TagConformance
from pytest_pii_eval.scoring.case_groups import add_evidence
from pytest_pii_eval.scoring.conformance import ConformanceTally

if TYPE_CHECKING:
    from pytest_pii_eval.reports.model import Verdict
    from pytest_pii_eval.scoring.conformance_counts import ClassCounts
    from pytest_pii_eval.session.results import Results


def tally(results: Results) -> ConformanceTally:
    """Add up the evidence of every case and group that reported; in any order the sum is the same."""
    facts = results.facts or {}
    entity_of = [entity for entity, start, end in facts.get("entities", ()) for _ in range(start, end)]
    total = ConformanceTally()
    for evidence in results.evidence.values():
        add_evidence(total, evidence, entity_of)
    return total


def aggregate(results: Results, total: ConformanceTally, *, complete: bool) -> Conformance:
    """Return the aggregate; what was planned and never reported counts as missed."""
    facts = results.facts or {}
    planned = facts.get("planned", {})
    active = sum(end - start for _, start, end in facts.get("entities", ()))
    entities = {
        entity: _entity(total.entities[entity], end - start)
        for entity, start, end in facts.get("entities", ())
    }
    approved = max(planned.get("occurrences", 0), _sum(entities, "approved_positive_cases"))
    correct, wrong = _sum(entities, "correctly_mapped"), _sum(entities, "wrong_canonical")
    evaluated = active > 0 and approved > 0 and planned.get("negative", 0) > 0
    counts: dict[str, Any] = {
        "active_patterns": active,
        "patterns_with_positive_cases": _sum(entities, "patterns_with_positive_cases"),
        "positive_case_rows": planned.get("positive", 0),
        "approved_positive_cases": approved,
        "correctly_mapped": correct,
        "missed": approved - correct - wrong,
        "wrong_canonical": wrong,
        "negative_cases": planned.get("negative", 0),
        "unexpected_negative_matches": total.unexpected,
        "failed_scans": total.failed_scans,
    }
    whole = bool(facts.get("whole"))
    recall = correct / approved if evaluated else None
    return Conformance(
        **counts,
        evaluated=evaluated,
        recall=recall,
        passed=_passed(counts, evaluated=evaluated, whole=whole, complete=complete),
        by_entity=entities,
        by_tag={tag: TagConformance(**_fields(counts)) for tag, counts in sorted(total.tags.items())},
    )


def gates(conformance: Conformance, *, whole: bool) -> list[Gate]:
    """Judge the gates of spec/enron-contract.md: exact values, no tolerance."""
    support = conformance.approved_positive_cases
    return [
        _gate(conformance, "recall", conformance.recall, 1.0, support),
        _gate(conformance, "wrong_canonical", conformance.wrong_canonical, 0, support),
        _gate(
            conformance,
            "unexpected_negative_matches",
            conformance.unexpected_negative_matches,
            0,
            conformance.negative_cases,
        ),
        _gate(conformance, "failed_scans", conformance.failed_scans, 0, support),
        _support_gate(conformance, whole=whole),
    ]


def _gate(conformance: Conformance, metric: str, value: float | None, limit: float, support: int) -> Gate:
    judged = conformance.evaluated
    return Gate(
        id=f"conformance.{metric}",
        metric=metric,
        direction="exact",
        value=value if judged else None,
        limit=limit,
        support=support,
        verdict=_verdict(value == limit) if judged else "not_evaluated",
        reason=None if judged else "empty_evidence",
    )


def _support_gate(conformance: Conformance, *, whole: bool) -> Gate:
    metric = "patterns_with_positive_cases"
    value, limit = conformance.patterns_with_positive_cases, conformance.active_patterns
    verdict: Verdict = _verdict(value == limit)
    reason = None
    if not whole:
        verdict, reason = "not_evaluated", "partial_selection"
    elif not conformance.evaluated:
        verdict, reason = "not_evaluated", "empty_evidence"
    return Gate(
        id=f"conformance.{metric}",
        metric=metric,
        direction="exact",
        value=value,
        limit=limit,
        support=limit,
        verdict=verdict,
        reason=reason,
    )


def _verdict(holds: bool) -> Verdict:  # noqa: FBT001  # the comparison itself
    return "pass" if holds else "fail"


def _passed(counts: dict[str, Any], *, evaluated: bool, whole: bool, complete: bool) -> bool | None:
    clean = (
        counts["missed"] == counts["wrong_canonical"] == counts["unexpected_negative_matches"] == 0
        and counts["failed_scans"] == 0
        and complete
    )
    if not whole:
        return None if clean else False  # a selection can fail a bank, never pass it
    return evaluated and clean and counts["patterns_with_positive_cases"] == counts["active_patterns"]


def _entity(counts: ClassCounts, active: int) -> EntityConformance:
    approved = counts.correctly_mapped + counts.missed + counts.wrong_canonical
    return EntityConformance(
        active_patterns=active,
        patterns_with_positive_cases=len(counts.witnesses),
        approved_positive_cases=approved,
        correctly_mapped=counts.correctly_mapped,
        missed=counts.missed,
        wrong_canonical=counts.wrong_canonical,
        unexpected_negative_matches=counts.unexpected_negative_matches,
        recall=counts.correctly_mapped / approved if approved else None,
    )


def _sum(entities: dict[str, EntityConformance], field: str) -> int:
    return sum(getattr(entity, field) for entity in entities.values())


def _fields(counts: object) -> dict[str, int]:
    return {name: getattr(counts, name) for name in type(counts).__slots__}  # type: ignore[attr-defined]
