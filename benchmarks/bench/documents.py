"""Writes quality suites of any size: short generated documents with gold spans, and their slices."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.plan import ROOT
from bench.texts import seeded, sentence, word

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Iterator

_ZEROS = "sha256:" + "0" * 64
_CLASSES = ("email", "phone", "iban", "person")
_WITHOUT_GOLD = 5
_POOL = 1_000


def write_documents(folder: str, documents: int) -> dict[str, Any]:
    """Write records and slices, and the shipped bank beside them; four of five documents have two gold spans.

    Texts repeat after a thousand documents but for a number at their end, so that a million are soon written.
    """
    shutil.copy(ROOT / "conformance" / "bank.json", Path(folder, "bank.json"))
    slices = [_slice(name, name) for name in _CLASSES] + [_slice("negative", "email")]
    _write_rows(Path(folder, "quality-slices.jsonl"), (json.dumps(one) for one in slices))
    _write_rows(Path(folder, "quality-records.jsonl"), lines(documents))
    return {}


def _write_rows(path: Path, rows: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as handle:
        handle.writelines(f"{row}\n" for row in rows)


def lines(documents: int) -> Iterator[str]:
    """Yield records as JSON."""
    dice = seeded()
    marks = ("<doc>", "<end>")
    pool = [json.dumps(_record(dice, at, marks), ensure_ascii=False) for at in range(min(_POOL, documents))]
    for at in range(documents):
        row = pool[at % len(pool)]
        yield row.replace("<doc>", f"doc-{at:07}").replace("<end>", f"{at:07}")


def _slice(slice_id: str, entity_class: str) -> dict[str, Any]:
    scope = {"entity_classes": [entity_class], "document_regions": ["body"]}
    view = {"id": "body", "artifact_sha256": _ZEROS, "content_policy_sha256": _ZEROS}
    return {
        "id": slice_id,
        "label_artifact_id": "generated",
        "label_strength": "independent",
        "annotation_scope": {**scope, "span_policy_sha256": _ZEROS, "exclusions": []},
        "annotation_completeness": "exhaustive_within_scope",
        "entity_class": entity_class,
        "cohort": "all",
        "split_role": "validation",
        "text_view": "body",
        "text_view_descriptor": {
            **view,
            "document_regions": ["body"],
            "primary_for_quality": True,
            "answer_bearing_fields_included": False,
        },
        "promotion_gate": False,
    }


def _record(dice: random.Random, number: int, marks: tuple[str, str]) -> dict[str, Any]:
    document_id, end = marks
    text, spans = "", []
    for entity_class in dice.sample(_CLASSES, 2) if number % _WITHOUT_GOLD else []:
        text += sentence(dice) + " "
        surface = _surface(dice, entity_class)
        spans.append({"start": len(text), "end": len(text) + len(surface), "entity_class": entity_class})
        text += surface + " "
    document = {"document_id": document_id, "text": f"{text}{sentence(dice)} {end}"}
    return {
        "document": {**document, "text_view": "body", "split_role": "validation"},
        "gold_spans": [{"document_id": document_id, **span, "catalog_identity": None} for span in spans],
        "slice_ids": list(_CLASSES) if spans else [*_CLASSES, "negative"],
    }


def _surface(dice: random.Random, entity_class: str) -> str:
    if entity_class == "email":
        return f"{word(dice).lower()}.{dice.randrange(1000)}@example.org"
    if entity_class == "phone":
        return f"202-555-01{dice.randrange(100):02}"
    if entity_class == "iban":
        return f"DE{dice.randrange(10**20):020}"
    return f"{word(dice)} {word(dice)}"
