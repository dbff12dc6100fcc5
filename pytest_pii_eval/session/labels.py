"""The labels of a detector in the report: those that nothing was scored for, and whether any was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_pii_eval.reports.model import Gate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_pii_eval.reports.model import SliceReport

_MAX_LISTED = 200
_OTHERS = "(others)"


def bounded(counts: Mapping[str, int]) -> dict[str, int]:
    """Return the counts by name, the rarest together where there are very many."""
    kept = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_MAX_LISTED]
    rest = sum(counts.values()) - sum(number for _, number in kept)
    return dict(kept) | ({_OTHERS: rest} if rest else {})


def common_labels(facts: Mapping[str, Any], slices: Mapping[str, SliceReport]) -> list[Gate]:
    """Return the failed gate of a detector whose predictions were all of no type that a slice asks for.

    Recall would be 0 for a reason that has nothing to do with what was found. A run of all items shows it,
    whether it asks for all types or not.
    """
    if facts.get("subject", {}).get("kind") != "detector" or not facts.get("every_item"):
        return []
    rows = [row.counts for one in slices.values() for row in one.by_type.values()]
    beside = sum(one.counts["unmapped"] + one.counts["out_of_scope"] for one in slices.values())
    if not beside or not any(row["gold"] for row in rows) or any(row["pred"] for row in rows):
        return []
    gate = Gate(
        id="labels.common",
        metric="predictions_in_scope",
        direction="min",
        value=0,
        limit=1,
        support=beside,
        verdict="fail",
        reason="disjoint_labels",
    )
    return [gate]
