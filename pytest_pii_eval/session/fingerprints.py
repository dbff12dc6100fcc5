"""The fingerprints of a conformance run: a change of any part invalidates every comparison with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_pii_eval.contracts.canonical import fingerprint, sha256
from pytest_pii_eval.contracts.case_model import TAGS
from pytest_pii_eval.reports.provenance import source_sha256

if TYPE_CHECKING:
    from collections.abc import Mapping

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


def fingerprints(facts: Mapping[str, Any]) -> dict[str, str]:
    """Return every fingerprint by name; order of keys and rows of the inputs never changes one."""
    if not facts:
        return {}
    engine = facts["engine"]
    parts = {
        "bank": facts["bank"]["fingerprint"],
        "contracts": source_sha256("contracts"),
        "engine": fingerprint({**engine, "source": source_sha256("detectors")}),
        "evaluator": source_sha256("collection", "scoring", "session"),
        "negative_cases": facts["artifacts"]["negative"]["sha256"],
        "policy": fingerprint(POLICY),
        "positive_cases": facts["artifacts"]["positive"]["sha256"],
    }
    return {**parts, "comparison": fingerprint(parts)}
