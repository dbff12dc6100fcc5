"""Whether both sides of a comparison tell the same: the counts of their reports, and what differs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bench.costs import Broken

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_CONFORMANCE = (
    "active_patterns",
    "patterns_with_positive_cases",
    "approved_positive_cases",
    "correctly_mapped",
    "missed",
    "wrong_canonical",
    "negative_cases",
    "unexpected_negative_matches",
)
_EXACT = {"tp": "true_positive", "fp": "false_positive", "fn": "false_negative"}


def agree(work: str, told: Mapping[str, object]) -> None:
    """Hold each side to the first; raises `Broken` with both where they differ."""
    (first, expected), *others = told.items()
    for who, found in others:
        if found != expected:
            raise Broken(f"{work}: {who} does not tell what {first} tells: {found}, not {expected}")


def conformance_counts(path: Path) -> dict[str, int]:
    """Return what a conformance report of either side counts over all cases."""
    report = json.loads(path.read_text(encoding="utf-8"))
    section = report.get("catalog_conformance") or report["conformance"]
    return {name: section[name] for name in _CONFORMANCE}


def quality_counts(path: Path) -> dict[str, dict[str, int]]:
    """Return documents and exact counts (tp, fp, fn) of each slice of a quality report of either side."""
    report = json.loads(path.read_text(encoding="utf-8"))
    if "quality" in report:
        return {one["id"]: _of_nerb(one) for one in report["quality"]["slices"]}
    return {name: _of_ours(one) for name, one in sorted(report["slices"].items())}


def _of_nerb(one: Mapping[str, Any]) -> dict[str, int]:
    return {"documents": one["documents"], **{ours: one[theirs] for ours, theirs in _EXACT.items()}}


def _of_ours(one: Mapping[str, Any]) -> dict[str, int]:
    types = [type_["counts"] for type_ in one["by_type"].values()]
    exact = {name: sum(counts[name] for counts in types) for name in _EXACT}
    return {"documents": one["counts"]["documents"], **exact}
