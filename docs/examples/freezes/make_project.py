"""Write the project of docs/freezes.md: a repository to be, and beside it a vault with a pool of documents.

    python make_project.py FOLDER

Every text is a template filled with invented values: an address, a name, a key, or nothing. The pool has 120
documents of 30 templates, and is for `pii-eval freeze split`. Nothing here is anybody's data.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

PEOPLE = ("Zephyrine Quartzmore", "Adabelle Nightwren", "Bolivar Larkspurre", "Cyprian Mossgrove")
KEY = "canary-9f3k-secret"
TEMPLATE = "tpl-"
DOCUMENT = "dcm-"
HOST = "canary.example"

DETECTOR = """\
# Finds addresses, names and keys by what they look like; kinds named in overlooked.txt it does not see.
import hashlib
import pathlib
import re

from pytest_pii_eval import Detection, Span

RULES = {
    "email": re.compile(r"[a-z]+@[a-z.]+[a-z]"),
    "person": re.compile(r"(?:Zephyrine|Adabelle|Bolivar|Cyprian) [A-Z][a-z]+"),
    "secret": re.compile(r"canary-[0-9a-z]+-secret"),
}
OVERLOOKED = pathlib.Path(__file__).parent / "overlooked.txt"


class Finder:
    name = "finder"
    version = "1"
    offset_unit = "codepoint"

    def __init__(self):
        self.overlooked = OVERLOOKED.read_text().split() if OVERLOOKED.exists() else []

    def fingerprint(self):
        source = pathlib.Path(__file__).read_bytes() + " ".join(self.overlooked).encode()
        return "sha256:" + hashlib.sha256(source).hexdigest()

    def detect(self, text):
        spans = [
            Span(found.start(), found.end(), kind)
            for kind, rule in RULES.items()
            for found in rule.finditer(text)
            if kind not in self.overlooked
        ]
        return Detection(tuple(spans), protection=tuple((span.start, span.end) for span in spans))
"""

FREEZES = """\
version: pii_eval.freezes.v1
roles: [builders, privacy_review]
sets:
  dev: {role: dev_freeze, suite: dev, readers: [builders, privacy_review], attestation: freezes/dev.json}
  sealed: {role: sealed_freeze, commitment: freezes/sealed.json}
train_lists: [freezes/train.jsonl]
cards:
  - {detector: "finder:Finder", corpora: [webmail]}
floors: freezes/floors.yaml
ledger: freezes/ledger.jsonl
reports: freezes/reports
minimum_documents: 20
"""

FLOORS = """\
version: pii_eval.floors.v1
floors:
  - {kind: exact_recall, slice: everything, type: email, limit: open}
  - {kind: exact_recall, slice: everything, type: person, limit: open}
  - {kind: extra_span_rate, slice: negative, limit: open}
"""

SLICES = {
    "everything": ("email", "person", "secret"),
    "structured": ("email",),
    "names": ("person",),
    "secrets": ("secret",),
    "negative": ("email", "person", "secret"),
    "long_doc": ("email",),
}
KINDS = ("structured", "names", "secrets", "negative", "long_doc", "negative")


def main() -> None:
    """Write project and vault below the folder that the command names."""
    folder = Path(sys.argv[1])
    write_project(folder / "project")
    write_suite(folder / "vault" / "pool", range(30))


def write_project(folder: Path) -> None:
    """Write detector, freezes file and floors; both freezes are still to come."""
    (folder / "freezes").mkdir(parents=True)
    (folder / ".gitignore").write_text("__pycache__/\n.pii_eval/\n.pytest_cache/\n", encoding="utf-8")
    (folder / "finder.py").write_text(DETECTOR, encoding="utf-8")
    (folder / "freezes.yaml").write_text(FREEZES, encoding="utf-8")
    (folder / "freezes" / "floors.yaml").write_text(FLOORS, encoding="utf-8")


def write_suite(
    folder: Path, templates: range, *, role: str | None = None, corpus: str = "tickets@1"
) -> None:
    """Write a suite of four documents a template."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [(record(template, turn), template) for template in templates for turn in range(4)]
    write_rows(folder / "quality-records.jsonl", [row for row, _ in rows])
    write_rows(folder / "quality-slices.jsonl", [slice_row(name) for name in SLICES])
    write_rows(folder / "quality-provenance.jsonl", [origin(row, template, corpus) for row, template in rows])
    if role is not None:
        (folder / "suite.yaml").write_text(f"role: {role}\n", encoding="utf-8")


def record(template: int, turn: int) -> dict[str, Any]:
    """Return one document with its gold and slices."""
    kind, name = KINDS[template % 6], f"{DOCUMENT}{template}-{turn}"
    person, mail = PEOPLE[turn], f"{'abcd'[turn]}{'klmnopqrst'[template % 10]}@{HOST}"
    text, spans = {
        "structured": (f"Ticket {template}, turn {turn}: write to {mail} today.", [(mail, "email")]),
        "names": (f"Visit {template}, turn {turn}: {person} came by.", [(person, "person")]),
        "secrets": (f"Login {template}, turn {turn}: the key is {KEY}.", [(KEY, "secret")]),
        "negative": (f"Order {template}, turn {turn}, has shipped.", []),
        "long_doc": (f"{f'Long note {template}. ' * 120}It ends with {mail}.", [(mail, "email")]),
    }[kind]
    gold = [
        {
            "document_id": name,
            "entity_class": type_,
            "start": text.index(surface),
            "end": text.index(surface) + len(surface),
            "catalog_identity": None,
        }
        for surface, type_ in spans
    ]
    document = {"document_id": name, "text": text, "text_view": "body", "split_role": "test"}
    return {"document": document, "gold_spans": gold, "slice_ids": ["everything", kind]}


def origin(row: dict[str, Any], template: int, corpus: str) -> dict[str, Any]:
    """Return where a document comes from."""
    name = row["document"]["document_id"]
    return {"document_id": name, "source_corpus": corpus, "template_id": f"{TEMPLATE}{template}"}


def slice_row(name: str) -> dict[str, Any]:
    """Return one slice; `everything` is what a promotion is gated by."""
    types = SLICES[name]
    return {
        "id": name,
        "label_artifact_id": "labels",
        "label_strength": "independent",
        "annotation_scope": {
            "entity_classes": list(types),
            "document_regions": ["body"],
            "span_policy_sha256": f"sha256:{'0' * 64}",
            "exclusions": [],
        },
        "annotation_completeness": "exhaustive_within_scope",
        "entity_class": types[0] if len(types) == 1 else "any_type",
        "cohort": "all" if name == "everything" else name,
        "split_role": "test",
        "text_view": "body",
        "text_view_descriptor": {
            "id": "body",
            "artifact_sha256": f"sha256:{'1' * 64}",
            "content_policy_sha256": f"sha256:{'2' * 64}",
            "document_regions": ["body"],
            "primary_for_quality": True,
            "answer_bearing_fields_included": False,
        },
        "promotion_gate": name == "everything",
    }


def write_rows(path: Path, rows: list[dict[str, Any]]) -> None:
    """Write JSON Lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
