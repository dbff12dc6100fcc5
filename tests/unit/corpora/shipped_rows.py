"""Rows in the exact schemas of the shipped corpora, all invented, and what a shipped pin makes of them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus_files import cache_in, rows

from pytest_pii_eval.contracts.corpora_file import read_corpora
from pytest_pii_eval.contracts.taxonomy import default_taxonomy
from pytest_pii_eval.corpora.finding import build_adapter
from pytest_pii_eval.corpora.prepare import prepare
from pytest_pii_eval.corpora.recipe import make_recipe

if TYPE_CHECKING:
    from pytest_pii_eval.contracts.corpora_file import Pin
    from pytest_pii_eval.corpora.draft import Draft, Unfit

PINS = read_corpora(Path(__file__).parents[3] / "corpora.yaml").pins


def read_by(pin: Pin, path: Path) -> list[Draft | Unfit]:
    """Return all that the adapter of a pin makes of a file."""
    return list(build_adapter(pin.adapter, pin.options).read(path))


def prepared_by(pin: Pin, path: Path, folder: Path):
    """Prepare a small file by a copy of the pin that names its bytes; return receipt and folder."""
    payload = path.read_bytes()
    own = replace(pin, size=len(payload), sha256=f"sha256:{hashlib.sha256(payload).hexdigest()}")
    recipe = make_recipe(own, build_adapter(own.adapter, own.options), default_taxonomy())
    cache = cache_in(folder)
    return prepare(recipe, path, cache), cache.prepared(recipe)


def opaque(name: str) -> str:
    """What an id becomes that is none: its prefix, and 24 digits of its SHA-256."""
    return f"d-{hashlib.sha256(name.encode()).hexdigest()[:24]}"


def gold(folder: Path) -> list[list[tuple[int, int, str]]]:
    """Return the gold of each record: start, end and type."""
    return [
        [(span["start"], span["end"], span["entity_class"]) for span in row["gold_spans"]]
        for row in rows(folder / "quality-records.jsonl")
    ]


def templates(folder: Path) -> list[tuple[str, str]]:
    """Return document and template of each row of provenance."""
    return [(row["document_id"], row["template_id"]) for row in rows(folder / "quality-provenance.jsonl")]


def nemotron(uid: str, locale: str, text: str, *spans: tuple[int, int, object, str]) -> dict[str, Any]:
    """Return a row of nvidia/Nemotron-PII; a span is start, end, text and label."""
    return {
        "uid": uid,
        "domain": "Invented",
        "document_type": "note",
        "document_description": "A note.",
        "document_format": "unstructured",
        "locale": locale,
        "text": text,
        "spans": repr([dict(zip(("start", "end", "text", "label"), one, strict=True)) for one in spans]),
    }


def gretel(number: int, text: str, *spans: tuple[int, int, str]) -> dict[str, Any]:
    """Return a row of gretelai/synthetic_pii_finance_multilingual; a span is start, end and label."""
    return {
        "level_0": number,
        "index": 1000 + number,
        "document_type": "Letter",
        "document_description": "An invented letter.",
        "expanded_type": "Polite Letter",
        "expanded_description": "An invented polite letter.",
        "language": "English",
        "language_description": "English language as spoken nowhere",
        "domain": "finance",
        "generated_text": text,
        "pii_spans": json.dumps([dict(zip(("start", "end", "label"), one, strict=True)) for one in spans]),
        "conformance_score": 100.0,
        "quality_score": 100.0,
        "toxicity_score": 0.0,
        "bias_score": 0.0,
        "groundedness_score": 100.0,
    }


def masking(uid: int, text: str, *mask: tuple[str, int, int, str]) -> dict[str, Any]:
    """Return a row of ai4privacy/open-pii-masking-500k-ai4privacy; a mask is label, start, end and value."""
    return {
        "source_text": text,
        "locale": "GB",
        "language": "en",
        "region": "GB",
        "script": "Latn",
        "masked_text": "[MASKED]",
        "privacy_mask": [
            {"label": label, "start": start, "end": end, "value": value, "label_index": index}
            for index, (label, start, end, value) in enumerate(mask, 1)
        ],
        "split": "validation",
        "uid": uid,
        "mbert_tokens": ["Ç", "##ao"],
        "mbert_token_classes": ["O", "O"],
    }


COURT = "Mr Pell, born 1971, paid 300 euro in Skien, Norge."


def mention(surface: str, kind: str, entity: str, identifier: str = "QUASI") -> dict[str, Any]:
    """Return a mention of the first place in `COURT` where `surface` stands."""
    start = COURT.index(surface)
    return {
        "entity_type": kind,
        "entity_mention_id": f"001-1_em{start}",
        "start_offset": start,
        "end_offset": start + len(surface),
        "span_text": surface,
        "edit_type": "check",
        "identifier_type": identifier,
        "entity_id": entity,
        "confidential_status": "NOT_CONFIDENTIAL",
    }


def judgment(name: str, split: str, *annotators: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a document of the Text Anonymization Benchmark, with the mentions of each annotator."""
    return {
        "annotations": {
            f"annotator{number}": {"entity_mentions": one} for number, one in enumerate(annotators, 1)
        },
        "quality_checked": ["annotator1"],
        "text": COURT,
        "task": "Task: Annotate the document to anonymise the following person: Pell",
        "meta": {"year": 1999, "articles": [6]},
        "doc_id": name,
        "dataset_type": split,
    }
