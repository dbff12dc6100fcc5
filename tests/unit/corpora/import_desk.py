"""A desk for tests of `pii-eval import`: writes inputs, runs the command in this process, reads the suite."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pytest_pii_eval.cli import main

if TYPE_CHECKING:
    from pathlib import Path

# Words that nothing else says: none of them may leave an import.
CANARY = "Zephyrine Quartzmöre"

# "Zoë 🙂 a@b.example" and "Ann": offsets in code points, so the smiling face counts once.
MAIL: dict[str, Any] = {
    "doc_id": "m1",
    "text": "Zoë 🙂 a@b.example",
    "spans": [[6, 17, "EMAIL"], [0, 3, "NAME"]],
}
NAME: dict[str, Any] = {"doc_id": "m2", "text": "Ann", "spans": [[0, 3, "NAME"]]}
NOTHING: dict[str, Any] = {"doc_id": "m3", "text": "nothing", "spans": []}
LABELS = {"NAME": "person", "EMAIL": "email"}


class Desk:
    """A folder that is the working directory, with inputs in it and the suite that comes of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.out = folder / "suite"

    def rows_file(self, name: str, *rows: dict[str, Any] | str) -> str:
        """Write rows as lines, a string as it stands, and return the name."""
        lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        return self.file(name, "".join(f"{line}\n" for line in lines))

    def file(self, name: str, text: str) -> str:
        """Write a file, and return its name."""
        (self.folder / name).write_text(text, "utf-8", newline="")
        return name

    def spans(
        self, *rows: dict[str, Any] | str, labels: object = LABELS, options: tuple[str, ...] = ()
    ) -> int:
        """Import rows of spans, and return the exit status; `labels` None: no label file."""
        name = self.rows_file("own.jsonl", *rows)
        if labels is not None:
            options = (f"--labels={self.file('map.json', json.dumps(labels))}", *options)
        return self.run("spans", name, *options)

    def run(self, *arguments: str) -> int:
        """Run the command with the suite as its target, and return the exit status."""
        return main(["import", *arguments, "--out=suite"])

    def suite(self, name: str) -> list[dict[str, Any]]:
        """Return the rows of `quality-NAME.jsonl`."""
        *lines, last = (self.out / f"quality-{name}.jsonl").read_text("utf-8").split("\n")
        assert last == ""
        return [json.loads(line) for line in lines]

    def receipt(self) -> dict[str, Any]:
        """Return the receipt."""
        found: dict[str, Any] = json.loads((self.out / "receipt.json").read_text("utf-8"))
        return found

    def populations(self) -> dict[str, list[str]]:
        """Return the types of each slice, and the documents in it."""
        return {
            one["id"]: [
                *one["annotation_scope"]["entity_classes"],
                *(r["document"]["document_id"] for r in self.suite("records") if one["id"] in r["slice_ids"]),
            ]
            for one in self.suite("slices")
        }

    def left(self) -> set[str]:
        """Return the names of what lies in the folder, hidden ones included."""
        return {path.name for path in self.folder.iterdir()}
