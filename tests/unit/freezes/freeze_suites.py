"""Builds small suites of invented documents, as files, for tests of freezes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pytest_pii_eval.kinds import kind_of
from pytest_pii_eval.settings import default_settings

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

CANARY = "canaryworth"
"""What every text, document id and template id holds: it may show in no output."""

TYPES = ("email", "person")


def kinds(path: Path) -> str | None:
    """Return what a file of a suite is, as the command asks it."""
    return kind_of(path, default_settings(path.parent))


def slice_row(slice_id: str = "mixed", **changes: Any) -> dict[str, Any]:
    """Return one slice of both types over the whole view."""
    return {
        "id": slice_id,
        "label_artifact_id": "labels",
        "label_strength": "independent",
        "annotation_scope": {
            "entity_classes": list(TYPES),
            "document_regions": ["body"],
            "span_policy_sha256": "sha256:" + "0" * 64,
            "exclusions": [],
        },
        "annotation_completeness": "exhaustive_within_scope",
        "entity_class": "anybody",
        "cohort": "all",
        "split_role": "test",
        "text_view": "body",
        "text_view_descriptor": {
            "id": "body",
            "artifact_sha256": "sha256:" + "1" * 64,
            "content_policy_sha256": "sha256:" + "2" * 64,
            "document_regions": ["body"],
            "primary_for_quality": True,
            "answer_bearing_fields_included": False,
        },
        "promotion_gate": True,
        **changes,
    }


def record_row(
    document_id: str, text: str, *spans: tuple[int, int, str], slices: Iterable[str] = ("mixed",)
) -> dict[str, Any]:
    """Return one record; `spans` are start, end and class."""
    return {
        "document": {"document_id": document_id, "text": text, "text_view": "body", "split_role": "test"},
        "gold_spans": [
            {
                "document_id": document_id,
                "entity_class": one[2],
                "start": one[0],
                "end": one[1],
                "catalog_identity": None,
            }
            for one in spans
        ],
        "slice_ids": list(slices),
    }


def origin_row(document_id: str, template_id: str) -> dict[str, Any]:
    """Return the provenance of one document."""
    return {"document_id": document_id, "source_corpus": "made-up", "template_id": template_id}


def write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Write one file of rows."""
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8", newline="\n")


def document(number: int) -> str:
    """Return the id of a document."""
    return f"{CANARY}-doc-{number}"


def template(number: int | str) -> str:
    """Return the id of a template."""
    return f"{CANARY}-template-{number}"


def write_suite(folder: Path, templates: Iterable[int | str], *, role: str | None = None) -> Path:
    """Write a suite whose document N is of the N-th of `templates`, each with one person as gold."""
    folder.mkdir(parents=True, exist_ok=True)
    made = list(enumerate(templates))
    write_rows(
        folder / "quality-records.jsonl",
        (
            record_row(document(at), f"Ada wrote {CANARY} note number {at}.", (0, 3, "person"))
            for at, _ in made
        ),
    )
    write_rows(folder / "quality-slices.jsonl", [slice_row()])
    write_rows(
        folder / "quality-provenance.jsonl", (origin_row(document(at), template(name)) for at, name in made)
    )
    if role is not None:
        (folder / "suite.yaml").write_text(f"role: {role}\n", encoding="utf-8")
    return folder


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Return the rows of one file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def ids_in(folder: Path) -> list[str]:
    """Return the ids of the documents of a suite, in order of its files."""
    paths = sorted(folder.glob("quality-records*.jsonl"))
    return [row["document"]["document_id"] for path in paths for row in rows_of(path)]
