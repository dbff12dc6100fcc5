"""A whole project with freezes in a git repository of its own, all of it invented, for tests to change."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

from freeze_repository import Checkout
from freeze_suites import document, kinds, origin_row, record_row, slice_row, template, write_rows

from pytest_pii_eval.contracts.freezes_file import read_freezes
from pytest_pii_eval.freezes.committing import commitment_of
from pytest_pii_eval.freezes.git import Repository
from pytest_pii_eval.freezes.standing import Standing

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pii_eval.contracts.faults import Fault

SLICES = ("structured", "names", "secrets", "negative", "long_doc")
OPEN = (
    "version: pii_eval.floors.v1\n"
    "floors:\n- kind: exact_recall\n  slice: '*'\n  type: person\n  limit: open\n"
)
SET = OPEN.replace("open", "0.9")
GATES = "role: dev_freeze\ngates:\n- slice: names\n  metric: recall\n  min: {}\n"
FREEZES: dict[str, Any] = {
    "version": "pii_eval.freezes.v1",
    "roles": ["builder", "reviewer"],
    "sets": {
        "dev": {
            "role": "dev_freeze",
            "suite": "dev",
            "readers": ["builder"],
            "attestation": "freezes/dev.attestation.json",
        },
        "sealed": {"role": "sealed_freeze", "commitment": "freezes/sealed.commitment.json"},
    },
    "train_lists": "none",
    "floors": "floors.yaml",
    "ledger": "freezes/ledger.jsonl",
    "reports": "freezes/reports",
}


def canonical(fields: dict[str, object]) -> str:
    """Return a small JSON file as the package writes it, made by the standard library alone."""
    return json.dumps(fields, sort_keys=True, separators=(",", ":")) + "\n"


class Project:
    """A repository with a freezes file, a dev freeze that was read, open floors, and a sealed freeze."""

    def __init__(self, top: Path) -> None:
        self.checkout = Checkout.new(top)
        self.top = top
        write_dev(top / "dev")
        self.write("dev/suite.yaml", "role: dev_freeze\n")
        self.freezes()
        self.write("floors.yaml", OPEN)
        self.attest()
        self.seal("a", "b")

    def write(self, name: str, text: str) -> Path:
        """Write one file."""
        return self.checkout.write(name, text)

    def freezes(self, **changes: Any) -> None:
        """Write the freezes file, which is JSON and so YAML too; a change to None removes a field."""
        fields = {name: value for name, value in {**FREEZES, **changes}.items() if value is not None}
        self.write("freezes.yaml", json.dumps(fields))

    def attest(self, **changes: Any) -> None:
        """Write the attestation that a builder read the dev freeze as it is."""
        found = commitment_of(self.top / "dev", kinds, split_key="document_id")
        fields = {
            "schema_version": "pii_eval.freeze_attestation.v1",
            "set": "dev",
            "by": "builder",
            "at": "2026-03-01",
            "documents": found.documents,
            "gold": found.gold,
        }
        self.write("freezes/dev.attestation.json", canonical({**fields, **changes}))

    def seal(self, *digits: str, split_key: str = "template_id") -> None:
        """Write the commitment to a sealed freeze; each of its templates hashes to one hexadecimal digit."""
        fields = {
            "schema_version": "pii_eval.freeze_commitment.v1",
            "documents": 2,
            "gold_spans": 2,
            "gold": "sha256:" + "9" * 64,
            "files": {},
            "split_key": split_key,
            "templates": sorted(one if ":" in one else hashed(one) for one in digits),
        }
        self.write("freezes/sealed.commitment.json", canonical(fields))

    def standing(self, repository: Repository | Fault | None = None, **changes: Any) -> Standing:
        """Return what rules look at."""
        found = Standing(
            file=read_freezes(self.top / "freezes.yaml"),
            root=self.top,
            repository=repository or Repository.around(self.top),
            git_range=None,
            kinds=kinds,
            environment={},
        )
        return found._replace(**changes)


def write_dev(folder: Path, slices: tuple[str, ...] = SLICES, *, provenance: bool = True) -> None:
    """Write a dev freeze with one document in each of `slices`, all of which its plan has."""
    folder.mkdir(parents=True, exist_ok=True)
    made = list(enumerate(slices))
    write_rows(
        folder / "quality-records.jsonl",
        (record_row(document(at), "Ada wrote.", (0, 3, "person"), slices=[one]) for at, one in made),
    )
    write_rows(folder / "quality-slices.jsonl", [slice_row(one, promotion_gate=False) for one in SLICES])
    if provenance:
        write_rows(
            folder / "quality-provenance.jsonl", (origin_row(document(at), template(at)) for at, _ in made)
        )


def hashed(digit: str) -> str:
    """Return a digest of one hexadecimal digit."""
    return "sha256:" + digit * 64


def held_project(top: Path) -> Path:
    """Make a project whose setup is on `main`, with each kind of thresholds; a branch is checked out."""
    project = Project(top)
    project.freezes(
        sets={**FREEZES["sets"], "web": {"role": "public", "corpus": "web"}}, thresholds=["tool.ini"]
    )
    project.write("tool.ini", "floor = 1\n")
    project.write("corpora.yaml", "version: pii_eval.corpora.v1\n")
    project.checkout.commit()
    project.checkout.commit()  # so that the setup is not the last commit
    project.checkout.branch("change")
    return top


def copied(top: Path, folder: Path) -> Project:
    """Return a copy of a project, with its repository."""
    shutil.copytree(top, folder / "copy", symlinks=True)
    found = Project.__new__(Project)
    found.top = folder / "copy"
    found.checkout = Checkout(found.top)
    return found
