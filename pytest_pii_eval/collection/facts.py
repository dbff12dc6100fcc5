"""What the controller must know of a process's collection, as one JSON string without text or names."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pytest_pii_eval.collection.nodes import CaseItem
from pytest_pii_eval.contracts.canonical import sha256

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pytest

    from pytest_pii_eval.collection.suite import Suite
    from pytest_pii_eval.contracts.cases import CaseKind


def suite_facts(suite: Suite, items: Sequence[pytest.Item]) -> str:
    """Return bank, engine, case artifacts and the planned counts of `items`; equal in every process."""
    bank = suite.bank
    facts = {
        "bank": {"id": bank.id, "version": bank.version, "fingerprint": bank.fingerprint},
        "entities": bank.entities,
        "engine": suite.detector().engine_facts(),
        "subject": suite.detector().fingerprint(),
        "artifacts": {kind: _artifact(suite, kind) for kind in ("positive", "negative")},
        "planned": _planned(items),
        "whole": is_whole(suite, items),
        "rows": sum(census.rows for census in suite.files.values()),
        "supported": _supported(suite),
    }
    return json.dumps(facts, sort_keys=True, separators=(",", ":"))


def _artifact(suite: Suite, kind: CaseKind) -> dict[str, object]:
    """Fingerprint all cases of a kind; how they are ordered or spread over files does not matter."""
    digests = sorted(
        digest for census in suite.files.values() if census.kind == kind for digest in census.digests
    )
    return {"rows": len(digests), "sha256": sha256(b"".join(digests))}


def _planned(items: Sequence[pytest.Item]) -> dict[str, int]:
    cases = [item for item in items if isinstance(item, CaseItem)]
    positives = [item for item in cases if item.parent.kind == "positive"]
    return {
        "positive": len(positives),
        "negative": len(cases) - len(positives),
        "occurrences": sum(item.occurrences for item in positives),
    }


def is_whole(suite: Suite, items: Sequence[pytest.Item]) -> bool:
    """Whether every row of every case file met is selected, so that support can be judged."""
    selected = sum(isinstance(item, CaseItem) for item in items)
    read = all(census.read_whole for census in suite.files.values())
    return read and not suite.ids_were_named and selected == sum(c.rows for c in suite.files.values())


def _supported(suite: Suite) -> dict[str, int]:
    return {
        entity.entity_id: sum(index in suite.witnessed for index in range(entity.start, entity.end))
        for entity in suite.bank.entities
    }
