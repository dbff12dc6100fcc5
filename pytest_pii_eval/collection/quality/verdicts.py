"""From the evidence of a slice's shards to its verdicts, as one JSON string, and to lines for a failure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_pii_eval.collection.quality.gates import gate_rules
from pytest_pii_eval.scoring.gating import judge_slice
from pytest_pii_eval.scoring.labels import Labels
from pytest_pii_eval.scoring.metrics import derive
from pytest_pii_eval.scoring.offset_hint import UNIT_NAMES, offset_hint
from pytest_pii_eval.scoring.packing import packed

if TYPE_CHECKING:
    from fractions import Fraction

    from pytest_pii_eval.collection.quality.directory import QualityDirectory
    from pytest_pii_eval.collection.quality.shard_evidence import SlicePart
    from pytest_pii_eval.contracts.slices import Slice
    from pytest_pii_eval.scoring.documents import Scope
    from pytest_pii_eval.scoring.evidence import Evidence
    from pytest_pii_eval.scoring.gating import JudgedGate
    from pytest_pii_eval.scoring.offset_hint import OffsetFits


def labels_of(one: Slice, directory: QualityDirectory) -> Labels:
    """Return what the labels of a slice of `directory` can support for the subject of the run."""
    return Labels(
        independent=one.independent,
        exhaustive=one.exhaustive,
        covering=one.regions_cover_view,
        cataloged=directory.cataloged,
        identified=directory.identities,
    )


class Verdict(NamedTuple):
    """What a slice came to: JSON for the report, lines for its failure, and why it says nothing, if so."""

    payload: str
    complaints: list[str]
    unsupported: str | None


def unsupported_reason(evidence: Evidence, labels: Labels, scope: Scope, *, promotion: bool) -> str | None:
    """Return why a slice supports nothing, or None.

    Empty populations, and partial or weak labels without a single gold span, are explicit unsupported
    results (spec/enron-contract.md, "Closed quality input contracts"). So is a promotion gate without gold.
    """
    if not evidence.counts.documents:
        return "empty_population"
    if not scope.types:
        return "no_types_in_scope"
    if any(row.gold for row in evidence.types.values()):
        return None
    if promotion:
        return "zero_gold_promotion_support"
    return "zero_labeled_spans" if labels.limit() is not None else None


def judge_evidence(
    directory: QualityDirectory, slice_id: str, part: SlicePart, *, alone: bool = False
) -> Verdict:
    """Return evidence and verdicts of a slice, and a line for each gate that failed.

    A slice that runs `alone`, without the items of its shards, speaks for them of documents without answer.
    """
    one = directory.plan.slices[slice_id]
    total = part.evidence
    labels = labels_of(one, directory)
    scope = directory.scopes[slice_id]
    metrics = derive(total, scope, labels)
    rules = gate_rules(directory.settings, directory.suite_file)
    unanswered = total.counts.failed_documents > 0
    judged = judge_slice(slice_id, metrics, rules, promotion=one.promotion_gate, unanswered=unanswered)
    unsupported = unsupported_reason(total, labels, scope, promotion=one.promotion_gate)
    payload = {
        "slice": slice_id,
        "unsupported": unsupported,
        "evidence": packed(total),
        "offsets": part.fits,
        "unmapped": part.unmapped,
        "out_of_scope": part.out_of_scope,
        "gates": [_plain(gate) for gate in judged],
    }
    complaints = [_line(gate) for gate in judged if gate.failed]
    if one.promotion_gate and unsupported is not None:
        complaints.append(f"a promotion gate must be supported, and this slice is not ({unsupported})")
    if complaints:
        complaints.extend(_hint(part.fits))
    if unanswered and alone:
        count = total.counts.failed_documents
        complaints.append(f"{count} documents have no answer; their gold counts as missed and leaked")
    return Verdict(json.dumps(payload, separators=(",", ":")), complaints, unsupported)


def _hint(fits: OffsetFits) -> list[str]:
    unit = offset_hint(fits)
    if unit is None:
        return []
    what = f"each of the {fits.missed:,} gold spans missed in non-ASCII documents"
    return [f"hint: {what} equals a prediction when counted in {UNIT_NAMES[unit]}; records count code points"]


def _plain(gate: JudgedGate) -> dict[str, Any]:
    rule, judgement = gate.rule, gate.judgement
    return {
        "id": rule.id,
        "metric": rule.metric,
        "type": rule.type,
        "direction": rule.direction,
        "value": _text(judgement.value),
        "limit": _text(judgement.limit),
        "support": judgement.support,
        "verdict": "fail" if gate.failed else judgement.verdict,
        "reason": judgement.reason,
    }


def _text(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


def _line(gate: JudgedGate) -> str:
    rule, judgement = gate.rule, gate.judgement
    what = rule.metric if rule.type is None else f"{rule.metric} of {rule.type}"
    if judgement.value is None:
        return f"{rule.id}: {what} is not evaluated ({judgement.reason})"
    bound = "at least" if rule.direction == "min" else "at most"
    limit = "open" if judgement.limit is None else _shown(judgement.limit)
    return (
        f"{rule.id}: {what} {_shown(judgement.value)}, must be {bound} {limit} (support {judgement.support})"
    )


def _shown(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.6f} ({value})"
