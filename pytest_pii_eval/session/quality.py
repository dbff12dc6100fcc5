"""From results to the quality part of the report: every slice with counts, metrics and gates."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, final

from pytest_pii_eval.reports.model import (
    CorpusReport,
    Gate,
    RuleReport,
    SliceReport,
    TypeReport,
    UnsupportedReport,
)
from pytest_pii_eval.scoring.documents import Scope
from pytest_pii_eval.scoring.evidence import Evidence, TypeCounts
from pytest_pii_eval.scoring.labels import Labels
from pytest_pii_eval.scoring.latency import Latency
from pytest_pii_eval.scoring.metrics import derive
from pytest_pii_eval.scoring.offset_hint import OffsetFits, offset_hint
from pytest_pii_eval.scoring.packing import unpacked
from pytest_pii_eval.session.labels import bounded, common_labels
from pytest_pii_eval.session.stages import plain, stages
from pytest_pii_eval.settings import MAX_PREDICTIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_pii_eval.session.results import Results

_BITS = 512


class Quality(NamedTuple):
    """The quality part of a run; `commitments` is None where not every shard reported."""

    slices: dict[str, SliceReport]
    unsupported: dict[str, UnsupportedReport]
    gates: list[Gate]
    commitments: dict[str, str] | None
    failed_documents: int
    over_limit: bool
    latency: Latency
    documents: int
    rules: dict[str, RuleReport]


@final
class _Shards:
    """What the shards of a run add up to."""

    def __init__(self) -> None:
        self.documents = 0
        self.predictions = 0
        self.failed = 0
        self.latency = Latency()
        self._number = 0
        self._sums = {"content": 0, "gold": 0}

    def add(self, shard: Mapping[str, Any]) -> None:
        """Add what one shard said."""
        self.documents += shard["documents"]
        self.predictions += shard["predictions"]
        self.failed += sum(shard["failed"].values())
        self.latency.merge(shard["latency"])
        self._number += 1
        for name in self._sums:
            self._sums[name] += int(shard[name], 16)

    def commitments(self, facts: Mapping[str, Any]) -> dict[str, str] | None:
        """Return the commitments to all documents; None where not every shard reported."""
        if not self._number or self._number != facts.get("shards"):
            return None
        return {name: f"{total % (1 << _BITS):0{_BITS // 4}x}" for name, total in self._sums.items()}


def quality_of(results: Results) -> Quality:
    """Return what the shards and slices of the run showed."""
    facts: dict[str, Any] = (results.facts or {}).get("quality") or {}
    shards, heard, rules = _heard(results)
    slices: dict[str, SliceReport] = {}
    gates: list[Gate] = []
    for name in sorted(heard):
        plan = facts["slices"][name]
        slices[name] = _slice(plan, heard[name])
        gates.extend(_gate(name, gate) for gate in heard[name]["gates"])
    gates.extend(common_labels(results.facts or {}, slices))
    return Quality(
        slices=slices,
        unsupported=_unsupported(facts, heard),
        gates=gates,
        commitments=shards.commitments(facts),
        failed_documents=max(
            shards.failed,
            # A run of single slices has no shard that would report them.
            *(one.counts["failed_documents"] for one in slices.values()),
            0,
        ),
        over_limit=shards.predictions > facts.get("max_predictions", MAX_PREDICTIONS),
        latency=shards.latency,
        documents=max(
            shards.documents,
            *(one.counts["documents"] for one in slices.values()),  # of single slices no shard speaks
            0,
        ),
        rules=rules,
    )


def _heard(results: Results) -> tuple[_Shards, dict[str, dict[str, Any]], dict[str, RuleReport]]:
    """Return the sum of all shards, and what each slice and rule said; one shard is in memory at a time."""
    shards = _Shards()
    slices: dict[str, dict[str, Any]] = {}
    rules: dict[str, RuleReport] = {}
    for nodeid in sorted(results.quality):
        payload = json.loads(results.quality[nodeid])
        if "shard" in payload:
            shards.add(payload)
        elif "slice" in payload:
            slices[payload["slice"]] = payload
        elif "rule" in payload:
            rules[payload["rule"]] = RuleReport(verdict=payload["verdict"], reasons=payload["reasons"])
    return shards, slices, rules


def lost_items(results: Results) -> list[str]:
    """Return the node ids of slices and shards that failed and left no evidence: they are holes."""
    facts: dict[str, Any] = (results.facts or {}).get("quality") or {}
    return [
        nodeid
        for nodeid, outcome in results.outcomes.items()
        if outcome == "failed"
        and nodeid not in results.quality
        and nodeid not in results.evidence
        and _is_of_slices(nodeid.rpartition("::")[2], facts.get("slices", {}))
    ]


def _is_of_slices(name: str, slices: Mapping[str, Any]) -> bool:
    """Whether `name` is that of a slice or of a shard; that of a corpus' shard starts with its key."""
    return name in slices or (bool(slices) and name.rpartition(".")[2].startswith("shard-"))


def skipped_by_plan(facts: Mapping[str, Any]) -> frozenset[str]:
    """Return the names of the items that the plan itself skips: declared gaps and empty populations."""
    quality = facts.get("quality") or {}
    empty = [name for name, plan in quality.get("slices", {}).items() if not plan["documents"]]
    return frozenset([*empty, *quality.get("gaps", ())])


def _slice(plan: Mapping[str, Any], heard: Mapping[str, Any]) -> SliceReport:
    evidence: Evidence = unpacked(heard["evidence"])
    types = frozenset(plan["types"])
    scope = Scope(types, frozenset(plan["high_severity"]))
    labels = Labels(*plan["labels"])
    metrics = derive(evidence, scope, labels)
    counts = {f"{name}": number for name, number in evidence.counts._asdict().items()}
    reason = heard["unsupported"]
    return SliceReport(
        **plan["declared"],
        types=sorted(types),
        evaluated=reason is None,
        reason=reason,
        counts=counts,
        outputs={name: row._asdict() for name, row in sorted(evidence.outputs.items())},
        metrics={name: plain(metric) for name, metric in metrics.overall.items()},
        stages=stages(evidence, metrics.overall),
        by_type={
            type_: TypeReport(
                counts=_type_counts(evidence.types.get(type_, TypeCounts())),
                metrics={name: plain(metric) for name, metric in found.items()},
            )
            for type_, found in metrics.types.items()
        },
        confusion=_confusion(evidence),
        offset_hint=offset_hint(OffsetFits(*heard["offsets"])),
        unmapped_labels=bounded(heard["unmapped"]),
        out_of_scope_types=bounded(heard["out_of_scope"]),
        corpus=CorpusReport(**plan["corpus"]) if plan["corpus"] else None,
        in_domain=plan["in_domain"],
        passed=not any(gate["verdict"] == "fail" for gate in heard["gates"]),
    )


def _type_counts(row: TypeCounts) -> dict[str, int]:
    return {**row._asdict(), "fp": row.fp, "fn": row.fn, "miss": row.miss}


def _confusion(evidence: Evidence) -> dict[str, dict[str, int]]:
    table: dict[str, dict[str, int]] = {}
    for (gold, taken), number in sorted(evidence.confusion.items()):
        table.setdefault(gold, {})[taken] = number
    return table


def _gate(slice_id: str, gate: dict[str, Any]) -> Gate:
    return Gate(
        id=gate["id"],
        slice=slice_id,
        metric=gate["metric"],
        type=gate["type"],
        direction=gate["direction"],
        value=_number(gate["value"]),
        limit=_number(gate["limit"]),
        support=gate["support"],
        verdict=gate["verdict"],
        reason=gate["reason"],
    )


def _number(text: str | None) -> float | int | None:
    if text is None:
        return None
    value = Fraction(text)
    return value.numerator if value.denominator == 1 else float(value)


def _unsupported(facts: Mapping[str, Any], heard: Mapping[str, Any]) -> dict[str, UnsupportedReport]:
    declared = {name: UnsupportedReport(**gap) for name, gap in facts.get("gaps", {}).items()}
    empty = {
        name: UnsupportedReport(dimension="population", reason_code="empty_population")
        for name, plan in facts.get("slices", {}).items()
        if not plan["documents"]
    }
    bare = {
        name: UnsupportedReport(dimension="population", reason_code=payload["unsupported"])
        for name, payload in heard.items()
        if payload["unsupported"]
    }
    return dict(sorted({**declared, **empty, **bare}.items()))
