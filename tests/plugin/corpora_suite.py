"""A small pinned corpus beside the small bank: three documents of an export; its figures by hand.

| row | text | gold | found by the bank |
|---|---|---|---|
| 1 | two known addresses | both | both, exactly |
| 2 | the canary's name and a stranger's | both | the first, exactly |
| 3 | nothing | none | nothing |

So gold 4, predictions 3, true positives 3: recall 3/4, precision 3/3, and one leak, the stranger.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from quality_suite import OTHER_MAIL, STRANGER

from conftest import MAIL, NAME, SuiteDirectory
from pytest_pii_eval.contracts.corpora_file import read_corpora
from pytest_pii_eval.corpora.cache import Cache
from pytest_pii_eval.corpora.finding import build_adapter
from pytest_pii_eval.corpora.prepare import prepare
from pytest_pii_eval.corpora.recipe import make_recipe

if TYPE_CHECKING:
    from pathlib import Path

KEY = "own-mail"
ROWS = (
    ("canaryrow.1", f"Write to {MAIL} or {OTHER_MAIL}.", ((MAIL, "EMAIL"), (OTHER_MAIL, "EMAIL"))),
    ("canaryrow.2", f"{NAME} met {STRANGER}.", ((NAME, "PERSON"), (STRANGER, "PERSON"))),
    ("canaryrow.3", "Nothing canarywise stands here.", ()),
)


def export_row(document_id: str, text: str, *spans: tuple[str, str]) -> dict[str, Any]:
    """Return one row of an export; `spans` are surface and label."""
    places = [[text.index(surface), text.index(surface) + len(surface), label] for surface, label in spans]
    return {"doc_id": document_id, "text": text, "spans": places, "template_id": f"t-{document_id}"}


class CorporaSuite(SuiteDirectory):
    """A directory with a bank, an export and a corpora file; `prepare` makes the suite of every pin."""

    def write(self) -> CorporaSuite:
        """Write bank.json, export.jsonl and corpora.yaml."""
        (self.path / "bank.json").write_text(json.dumps(self.bank), encoding="utf-8")
        self.write_rows("export.jsonl", [export_row(name, text, *spans) for name, text, spans in ROWS])
        self.pins: dict[str, dict[str, Any]] = {KEY: self.pin("export.jsonl")}
        self.write_corpora()
        return self

    def pin(self, file: str, **changes: Any) -> dict[str, Any]:
        """Return a pin of a file in the directory; a change to None leaves the field out."""
        payload = (self.path / file).read_bytes()
        fields = {
            "source": {"kind": "local", "path": file},
            "bytes": len(payload),
            "sha256": hashlib.sha256(payload).hexdigest(),
            "licence": "CC0-1.0",
            "redistribution": "as you like",
            "adapter": "spans",
            "options": {"template_id": "template_id"},
            "label_map": "common",
            "split_key": "template_id",
            "split_role": "test",
            "label_strength": "independent",
            "annotation_completeness": "exhaustive_within_scope",
            "regions": ["body"],
            "languages": ["en"],
            "max_quarantined": 0,
        }
        return {name: value for name, value in (fields | changes).items() if value is not None}

    def write_corpora(self, **fields: Any) -> None:
        """Write the corpora file: JSON is YAML, but for its escapes of slashes and surrogates."""
        document = {"version": "pii_eval.corpora.v1", "corpora": self.pins, **fields}
        (self.path / "corpora.yaml").write_text(json.dumps(document, indent=1), encoding="utf-8")

    def prepare(self, *, cache: Path | None = None) -> list[Path]:
        """Prepare every corpus of the file; return the folders of their suites."""
        corpora = read_corpora(self.path / "corpora.yaml")
        place = Cache(cache or self.path / ".pii_eval/corpora")
        folders = []
        for pin in corpora.pins.values():
            recipe = make_recipe(pin, build_adapter(pin.adapter, pin.options), corpora.taxonomy)
            prepare(recipe, self.path / str(pin.source.path), place)
            folders.append(place.prepared(recipe))
        return folders

    def run_corpora(self, *arguments: str, **options: Any) -> Any:
        """Run pytest on the corpora file."""
        return self.run("corpora.yaml", *arguments, **options)
