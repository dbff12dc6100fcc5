"""What the controller must know of a process's collection, as one JSON string without text or names."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from pytest_pii_eval.collection.nodes import ConformanceItem
from pytest_pii_eval.contracts.canonical import sha256

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pytest

    from pytest_pii_eval.collection.suite import Suite
    from pytest_pii_eval.contracts.cases import CaseKind

_DIGEST = 32
"""Bytes of the digest of a case."""


class Planned(NamedTuple):
    """How much of a suite shall run: cases of both kinds, expected records, and whether that is all."""

    positive: int
    negative: int
    occurrences: int
    whole: bool
    every_item: bool


def suite_facts(suite: Suite, planned: Planned) -> str:
    """Return subject, bank, case artifacts and what is planned; equal in every process."""
    bank = suite.known_bank if suite.knows_subject else None
    facts = {
        "bank": bank and {"id": bank.id, "version": bank.version, "fingerprint": bank.fingerprint},
        "entities": bank.entities if bank is not None and suite.settings.asks_a_bank else [],
        **({"subject": _subject(suite)} if suite.knows_subject else {}),
        "artifacts": {kind: _artifact(suite, kind) for kind in ("positive", "negative")},
        "planned": planned._asdict(),
        "cases": not only_slices(suite) and not only_rules(suite),
        "quality": _quality(suite),
        "rules": suite.freezes_were_met,
        "whole": planned.whole,
        "every_item": planned.every_item,
        "broken_files": sum(census.broken for census in suite.files.values()),
        "rows": suite.cases,
    }
    return json.dumps(facts, sort_keys=True, separators=(",", ":"))


def _artifact(suite: Suite, kind: CaseKind) -> dict[str, object]:
    """Fingerprint all cases of a kind; how they are ordered or spread over files does not matter."""
    every = b"".join(census.digests for census in suite.files.values() if census.kind == kind)
    digests = sorted(every[start : start + _DIGEST] for start in range(0, len(every), _DIGEST))
    return {"rows": len(digests), "sha256": sha256(b"".join(digests))}


def planned_of(suite: Suite, items: Sequence[pytest.Item]) -> Planned:
    """Return what `items` amount to."""
    ours = [item for item in items if isinstance(item, ConformanceItem)]
    positives = [item for item in ours if item.parent.kind == "positive"]
    return Planned(
        positive=sum(item.cases for item in positives),
        negative=sum(item.cases for item in ours if item.parent.kind == "negative"),
        occurrences=sum(item.occurrences for item in positives),
        whole=is_whole(suite, items),
        every_item=has_every_item(suite, items),
    )


def is_whole(suite: Suite, items: Sequence[pytest.Item]) -> bool:
    """Whether every row of every case file met is selected, so that support can be judged."""
    settings = suite.settings
    absent = suite.has_slices and bool(suite.quality.absent)
    return has_every_item(suite, items) and not (settings.types or absent) and settings.limit is None


def has_every_item(suite: Suite, items: Sequence[pytest.Item]) -> bool:
    """Whether nothing that was met is left out, though it may be narrowed to some types."""
    selected = sum(item.cases for item in items if isinstance(item, ConformanceItem))
    read = all(census.read_whole for census in suite.files.values())
    whole = read and not suite.ids_were_named and selected == suite.cases
    if suite.freezes_were_met:
        from pytest_pii_eval.collection.freezes.nodes import PLAN, RuleItem  # noqa: PLC0415  # only for freezes

        whole = whole and sum(isinstance(item, RuleItem) for item in items) == len(PLAN)
    if not suite.has_slices:
        return whole
    from pytest_pii_eval.collection.quality.facts import every_slice_is_selected  # noqa: PLC0415  # only for slices

    return whole and every_slice_is_selected(suite, items)


def only_slices(suite: Suite) -> bool:
    """Whether this run is about quality slices alone, so that nothing is said about conformance."""
    return suite.has_slices and not suite.files


def only_rules(suite: Suite) -> bool:
    """Whether this run is about the rules of a freezes file alone."""
    return suite.freezes_were_met and not (suite.has_slices or suite.files)


def _subject(suite: Suite) -> dict[str, object]:
    return {**suite.subject().facts(), "label_map": _label_map(suite)}


def _label_map(suite: Suite) -> str | None:
    """Return the label maps of the directories met, mostly one."""
    if not suite.has_slices:
        return None
    maps = {one.label_map for one in suite.quality.directories.values() if one.label_map}
    return "+".join(sorted(maps)) or None


def _quality(suite: Suite) -> dict[str, object] | None:
    if not suite.has_slices:
        return None
    from pytest_pii_eval.collection.quality.facts import quality_facts  # noqa: PLC0415  # only for slices

    return quality_facts(suite)
