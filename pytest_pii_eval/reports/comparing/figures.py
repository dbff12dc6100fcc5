"""The figures of a report in one table: by slice, type and metric, those of conformance among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.reports.snapshots.families import SLICE_FAMILIES, TYPE_FAMILIES, unpacked

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_pii_eval.reports.snapshots.model import ConformanceSnapshot, Snapshot

_COUNTS: Final = ("missed", "wrong_canonical", "unexpected_negative_matches", "active_patterns")

_OF_TAGS: Final = (
    ("failed_positive_cases", "positive_cases"),
    ("unexpected_negative_matches", "negative_cases"),
)

TAG: Final = "tag "
"""What stands before a tag where an entity class could."""


class Place(NamedTuple):
    """Where a figure stands: no slice means conformance, no type all types in scope."""

    slice: str | None
    type: str | None
    metric: str


def figures_of(snapshot: Snapshot) -> dict[Place, str]:
    """Return every figure of `snapshot` that a comparison speaks about."""
    return dict(_figures(snapshot))


def _figures(snapshot: Snapshot) -> Iterator[tuple[Place, str]]:
    if snapshot.conformance is not None:
        yield from _conformance(snapshot.conformance)
    for name, one in snapshot.slices.items():
        for metric, figure in unpacked(one.metrics, SLICE_FAMILIES).items():
            yield Place(name, None, metric), figure
        for type_, found in one.types.items():
            for metric, figure in unpacked(found.metrics, TYPE_FAMILIES).items():
                yield Place(name, type_, metric), figure


def _conformance(found: ConformanceSnapshot) -> Iterator[tuple[Place, str]]:
    scans = found.counts.get("positive_case_rows", 0) + found.counts.get("negative_cases", 0)
    yield from _rows(None, found.counts, evaluated=found.evaluated)
    yield Place(None, None, "failed_scans"), f"{found.counts.get('failed_scans', 0)} of {scans}"
    for entity, counts in found.by_entity.items():
        yield from _rows(entity, counts, evaluated=True)
    for tag, counts in found.by_tag.items():
        for name, cases in _OF_TAGS:
            yield Place(None, f"{TAG}{tag}", name), f"{counts.get(name, 0)} of {counts.get(cases, 0)}"


def _rows(entity: str | None, counts: Mapping[str, int], *, evaluated: bool) -> Iterator[tuple[Place, str]]:
    approved = counts.get("approved_positive_cases", 0)
    active = counts.get("active_patterns", 0)
    witnessed = counts.get("patterns_with_positive_cases", 0)
    for name in _COUNTS:
        yield Place(None, entity, name), f"{counts.get(name, 0)} of {_population(name, counts)}"
    yield Place(None, entity, "patterns_without_witness"), f"{max(0, active - witnessed)} of {active}"
    recall = f"{counts.get('correctly_mapped', 0)}/{approved}" if approved and evaluated else "null: no_cases"
    yield Place(None, entity, "recall"), recall


def _population(name: str, counts: Mapping[str, int]) -> int:
    """Return in how much `name` was counted; of an entity's negatives nobody says how many there are."""
    if name == "unexpected_negative_matches":
        return counts.get("negative_cases", counts.get(name, 0))
    return counts.get("active_patterns" if name == "active_patterns" else "approved_positive_cases", 0)
