"""A corpora file of one invented pin, changed field by field; and the refusal of a bad one."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pytest_pii_eval.contracts.corpora_file import parse_corpora
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.taxonomy import default_taxonomy

CANARY = "Quenby Nowhere"


REVISION = "0123456789abcdef0123456789abcdef01234567"


PIN: dict[str, Any] = {
    "source": {
        "kind": "huggingface",
        "repository": "some/corpus",
        "revision": REVISION,
        "path": "d/a b.jsonl",
    },
    "bytes": "1200",
    "sha256": "a" * 64,
    "licence": "CC0-1.0",
    "redistribution": "as you like",
    "adapter": "spans",
    "options": {"text": "text"},
    "label_map": "gretel_finance",
    "excluded_labels": ["verb"],
    "split_key": "template_id",
    "split_role": "test",
    "label_strength": "independent",
    "annotation_completeness": "exhaustive_within_scope",
    "regions": ["body"],
    "languages": ["en"],
    "exclusions": ["quoted"],
    "in_domain_for": ["vendor/model-1"],
    "max_quarantined": "3",
    "unsupported": [{"dimension": "head_tail", "reason_code": "unknown"}],
    "catalog_bindings": "side/bindings.jsonl",
    "notes": "invented",
}


def document(key: str = "demo", top: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    """Return a file of one pin; a change to None leaves the field out."""
    pin = {name: value for name, value in (deepcopy(PIN) | changes).items() if value is not None}
    return {"version": "pii_eval.corpora.v1", "corpora": {key: pin}, **(top or {})}


def parsed(given: object, folder: str = "."):
    return parse_corpora(given, Path(folder) / "corpora.yaml", default_taxonomy())


def pin(key: str = "demo", **changes: Any):
    return parsed(document(key, **changes)).pins[key]


def refusal(given: object) -> str:
    """Return the one line that refuses a file; it shows no value."""
    with pytest.raises(Fault) as caught:
        parsed(given)
    told = str(caught.value)
    assert "\n" not in told
    assert "Quenby" not in told
    assert "Quenby" not in repr(caught.value.__cause__)
    return told
