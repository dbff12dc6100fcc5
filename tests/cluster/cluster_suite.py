"""A suite of any size in a folder: documents of five kinds, two slices, a small bank, a detector."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from pytest_pii_eval import Fault
from pytest_pii_eval.cluster.bench import Bench
from pytest_pii_eval.cluster.engines import InlineEngine
from pytest_pii_eval.settings import default_settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# Canaries: none of these may show in any output.
PERSON = "Zephyrine Quartzmore"
MAIL = "zq@canary.example"
DOCUMENT = "canarydoc"
TEMPLATE = "canarytemplate"
CANARIES = ("Zephyrine", "Quartzmore", "zq@canary", DOCUMENT, TEMPLATE)

DETECTOR = """
import logging, os, re, signal, sys
from pathlib import Path
from pytest_pii_eval import Detection, Span

HERE = Path(__file__).parent

class Mine:
    name, version, offset_unit = "mine", "1", "codepoint"

    def __init__(self):
        with (HERE / "built.log").open("a") as log:
            log.write(f"{os.getpid()}\\n")

    def fingerprint(self):
        return "sha256:" + "7" * 64

    def detect(self, text):
        print(text)
        os.write(2, text.encode())
        logging.getLogger("mine").error(text)
        if "poison" in text and (HERE / "deadly").exists():
            os.kill(os.getpid(), signal.SIGKILL)
        if "raise" in text:
            raise LookupError(text)
        spans = tuple(Span(*one.span(), "email") for one in re.finditer("[a-z]+@[a-z]+[.]example", text))
        wide = tuple((0, len(text)) for _ in spans[:1])
        return Detection(spans, protection=wide)
"""


def literal(value: str, **fields: Any) -> dict[str, Any]:
    """Return an active literal of a bank."""
    return {
        "kind": "literal",
        "value": value,
        "description": "",
        "status": "active",
        "priority": 100,
        "case_sensitive": True,
        "normalize_whitespace": True,
        "left_boundary": "word",
        "right_boundary": "word",
        "metadata": {},
        **fields,
    }


def entity(name_id: str, canonical: str, pattern: dict[str, Any]) -> dict[str, Any]:
    """Return an active entity with one name that has one pattern."""
    common = {"description": "", "status": "active", "metadata": {}}
    name = {**common, "canonical": canonical, "patterns": {"plain": pattern}}
    return {**common, "regex_flags": [], "names": {name_id: name}}


def bank() -> dict[str, Any]:
    """Return a bank that knows the person and the address."""
    return {
        "schema_version": "nerb.bank.v1",
        "id": "small-bank",
        "name": "Small",
        "description": "",
        "version": "1",
        "status": "active",
        "created_at": "2026-01-01T00:00:00Z",
        "updated_at": "2026-01-01T00:00:00Z",
        "unicode_normalization": "none",
        "default_regex_flags": [],
        "entities": {
            "email": entity("address", "an address", literal(MAIL)),
            "person": entity("zephyrine-quartzmore", PERSON, literal(PERSON)),
        },
        "metadata": {},
    }


def slice_row(slice_id: str, *classes: str, **changes: Any) -> dict[str, Any]:
    """Return an independent, exhaustive slice of the whole view."""
    return {
        "id": slice_id,
        "label_artifact_id": "labels",
        "label_strength": "independent",
        "annotation_scope": {
            "entity_classes": list(classes),
            "document_regions": ["natural_body"],
            "span_policy_sha256": "sha256:" + "0" * 64,
            "exclusions": [],
        },
        "annotation_completeness": "exhaustive_within_scope",
        "entity_class": "anybody",
        "cohort": "all",
        "split_role": "validation",
        "text_view": "natural_body",
        "text_view_descriptor": {
            "id": "natural_body",
            "artifact_sha256": "sha256:" + "1" * 64,
            "content_policy_sha256": "sha256:" + "2" * 64,
            "document_regions": ["natural_body"],
            "primary_for_quality": True,
            "answer_bearing_fields_included": False,
        },
        "promotion_gate": False,
        **changes,
    }


def record(number: int) -> dict[str, Any]:
    """Return one of five kinds of documents: an address, a person, nothing, a poisonous one, a long one."""
    document_id = f"{DOCUMENT}.{number}"
    text, gold = (
        (f"Päper {number} to {MAIL}.", [(MAIL, "email")]),
        (f"{PERSON} wrote {number}.", [(PERSON, "person")]),
        (f"Order {number} shipped \N{WAVING HAND SIGN}", []),
        (f"Order {number}", []),
        (f"{number}: " + "é" * 300 + f" {MAIL} and nobody", [(MAIL, "email"), ("nobody", "person")]),
    )[number % 5]
    spans = [
        {
            "document_id": document_id,
            "entity_class": type_,
            "start": text.index(surface),
            "end": text.index(surface) + len(surface),
            "catalog_identity": None,
        }
        for surface, type_ in gold
    ]
    return {
        "document": {
            "document_id": document_id,
            "text": text,
            "text_view": "natural_body",
            "split_role": "validation",
        },
        "gold_spans": spans,
        "slice_ids": ["all", "even"] if number % 2 == 0 else ["all"],
    }


class ClusterSuite:
    """A suite in `path`, below the working directory `root`; `rows` may be changed before `write`."""

    def __init__(self, root: Path, documents: int = 40) -> None:
        self.root = root
        self.path = root / "suite"
        self.path.mkdir()
        self.records = [record(number) for number in range(documents)]
        self.slices = [slice_row("all", "email", "person"), slice_row("even", "email", "person")]
        self.suite_file: str | None = None
        self.provenance = [
            {
                "document_id": row["document"]["document_id"],
                "source_corpus": "invented",
                "template_id": TEMPLATE,
            }
            for row in self.records
        ]
        (root / "bank.json").write_text(json.dumps(bank()), encoding="utf-8")
        # Workers keep what they imported: each suite has a module of its own.
        self.module = root / f"mine_{root.name}.py"
        self.module.write_text(DETECTOR, encoding="utf-8")
        self.detector = f"{self.module.stem}:Mine"

    def write(self) -> ClusterSuite:
        """Write the files: records over two of them."""
        half = len(self.records) // 2
        self.rows("quality-records-0001.jsonl", self.records[:half])
        self.rows("quality-records-0002.jsonl", self.records[half:])
        self.rows("quality-slices.jsonl", self.slices)
        self.rows("quality-provenance.jsonl", self.provenance)
        if self.suite_file is not None:
            (self.path / "suite.yaml").write_text(self.suite_file, encoding="utf-8")
        return self

    def rows(self, name: str, rows: list[dict[str, Any]]) -> None:
        """Write one file of rows."""
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (self.path / name).write_text(text, encoding="utf-8", newline="\n")

    def settings(self, **changes: Any) -> Any:
        """Return settings of a run of the bank, or of the detector where `detector` is given."""
        if "detector" not in changes:
            changes["bank"] = self.root / "bank.json"
        return default_settings(self.root, **changes)

    def builds(self) -> list[str]:
        """Return the processes that built the detector."""
        log = self.root / "built.log"
        return log.read_text(encoding="utf-8").split() if log.exists() else []


def comparable(report: Any) -> dict[str, Any]:
    """Return a report as JSON values, all but its `run`."""
    told = report if isinstance(report, dict) else report.model_dump(mode="json")
    return {name: value for name, value in told.items() if name != "run"}


def told(text: str) -> set[str]:
    """Return the canaries in a text."""
    return {canary for canary in CANARIES if canary in text}


def environment() -> dict[str, str]:
    """Return what an inner process gets: nothing of an outer run under xdist or CI."""
    hidden = ("PYTEST_", "CI", "BUILD_NUMBER")
    return {name: value for name, value in os.environ.items() if not name.startswith(hidden)}


def inline(_: str, recipe: Any) -> InlineEngine:
    """Return an engine that does the batches here."""
    return InlineEngine(Bench(recipe))


def refusal(action: Callable[[], object]) -> str:
    """Return the line of the fault that `action` raises."""
    with pytest.raises(Fault) as found:
        action()
    assert not told(str(found.value))
    return str(found.value)
