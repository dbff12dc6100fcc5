"""What the controller must know of a process's collection, as one JSON string without text or names."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from pytest_pii_eval.collection.nodes import CaseItem
from pytest_pii_eval.contracts.canonical import sha256

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pytest

    from pytest_pii_eval.collection.suite import Suite
    from pytest_pii_eval.contracts.cases import CaseKind


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
        "rows": sum(census.rows for census in suite.files.values()),
    }
    return json.dumps(facts, sort_keys=True, separators=(",", ":"))


def _artifact(suite: Suite, kind: CaseKind) -> dict[str, object]:
    """Fingerprint all cases of a kind; how they are ordered or spread over files does not matter."""
    digests = sorted(
        digest for census in suite.files.values() if census.kind == kind for digest in census.digests
    )
    return {"rows": len(digests), "sha256": sha256(b"".join(digests))}


def planned_of(suite: Suite, items: Sequence[pytest.Item]) -> Planned:
    """Return what `items` amount to."""
    cases = [item for item in items if isinstance(item, CaseItem)]
    positives = [item for item in cases if item.parent.kind == "positive"]
    return Planned(
        positive=len(positives),
        negative=len(cases) - len(positives),
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
    selected = sum(isinstance(item, CaseItem) for item in items)
    read = all(census.read_whole for census in suite.files.values())
    whole = read and not suite.ids_were_named and selected == sum(c.rows for c in suite.files.values())
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
