"""The fingerprints of a conformance run: a change of any part invalidates every comparison with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_pii_eval.contracts.canonical import fingerprint, sha256
from pytest_pii_eval.contracts.case_model import TAGS
from pytest_pii_eval.reports.provenance import source_sha256

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_pii_eval.session.quality import Quality

EMPTY = sha256(b"")

# What the gates mean, in words that change when the meaning does.
POLICY = {
    "policy": "pii_eval.conformance_policy.v1",
    "active_chain": ["bank", "entity", "name", "pattern"],
    "offset_unit": "utf8_byte",
    "positive_matching": "one_to_one_exact_identity_and_span",
    "wrong_canonical": "same_entity_and_span_under_another_name",
    "same_canonical_other_pattern": "missed",
    "negative_matching": "any_record_fails_the_case",
    "recall": "exactly_one",
    "support": "every_active_pattern_every_tag_and_a_boundary_negative",
    "lost_cases": "count_as_missed",
    "tags": sorted(TAGS),
}


def fingerprints(facts: Mapping[str, Any], quality: Quality) -> dict[str, str]:
    """Return every fingerprint by name; order of keys and rows of the inputs never changes one."""
    if not facts:
        return {}
    shared = {
        **_subject(facts),
        "contracts": source_sha256("contracts"),
        "evaluator": source_sha256("collection", "scoring", "session"),
    }
    return {
        **shared,
        **(_conformance(facts, shared) if facts.get("cases") else {}),
        **_quality(facts, quality, shared),
    }


def _subject(facts: Mapping[str, Any]) -> dict[str, str]:
    """Return what binds the subject; of a detector it is what the detector itself says."""
    subject = facts.get("subject")
    if subject is None:
        return {}
    bank = {"bank": facts["bank"]["fingerprint"]} if facts["bank"] else {}
    if subject["kind"] != "bank":
        return {**bank, "detector": subject["fingerprint"]}
    engine = {
        "engine": subject["engine"],
        "version": subject["engine_version"],
        "libraries": subject["libraries"],
    }
    return {**bank, "engine": fingerprint({**engine, "source": source_sha256("detectors")})}


def _conformance(facts: Mapping[str, Any], shared: Mapping[str, str]) -> dict[str, str]:
    parts = {
        "negative_cases": facts["artifacts"]["negative"]["sha256"],
        "policy": fingerprint(POLICY),
        "positive_cases": facts["artifacts"]["positive"]["sha256"],
    }
    return {**parts, "comparison": fingerprint({**shared, **parts})}


def _quality(facts: Mapping[str, Any], quality: Quality, shared: Mapping[str, str]) -> dict[str, str]:
    """Return protocol, catalog-binding and run fingerprints (spec, "Fingerprints and guarantee boundary").

    They need every shard; a run of single slices has none of them but plan, policy and taxonomy.
    """
    plan = facts.get("quality")
    if not plan:
        return {}
    parts = {
        "quality_policy": plan["policy"],
        "slice_plan": plan["plan"],
        "taxonomy": plan["taxonomy"],
        **({"corpora": fingerprint(plan["corpora"])} if plan["corpora"] else {}),
    }
    if quality.commitments is None:
        return parts
    protocol = fingerprint(
        {
            **parts,
            "gold": quality.commitments["gold"],
            **{name: shared[name] for name in ("contracts", "evaluator")},
        }
    )
    adjudicated = {"bindings": plan["bindings"]} if plan["bindings"] else {}
    bindings = fingerprint({"content": quality.commitments["content"], **adjudicated})
    result = {name: one.model_dump(mode="json") for name, one in quality.slices.items()}
    run = fingerprint({**shared, "protocol": protocol, "bindings": bindings, "result": result})
    return {
        **parts,
        "gold": fingerprint(quality.commitments["gold"]),
        "quality_protocol": protocol,
        "catalog_bindings": bindings,
        "quality_run": run,
    }
