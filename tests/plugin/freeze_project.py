"""A project with freezes: generated dev and sealed freezes, a detector, and all that a promotion needs.

Every document is made of a template and invented values: an address and a name, or nothing. Each template is
in one freeze. The detector finds what is there; a file beside it says what it overlooks.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from quality_suite import slice_row

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

# Canaries: none of these may show in any output.
PEOPLE = ("Zephyrine Quartzmore", "Ada Canaryborn", "Bo Canarylund", "Cy Canaryfield")
KEY = "canary-9f3k-secret"
TEMPLATE = "canarytemplate"
DOCUMENT = "canarydoc"
CANARIES = (*PEOPLE, KEY, TEMPLATE, DOCUMENT, "canary.example")

DETECTOR = """
# Finds addresses, names and secrets by what surrounds them; names in overlooked.txt it does not see.
import pathlib
import re

RULES = {
    "email": re.compile(r"[a-z]+@[a-z.]+[a-z]"),
    "person": re.compile(r"(?:Zephyrine|Ada|Bo|Cy) [A-Z][a-z]+"),
    "secret": re.compile(r"canary-[0-9a-z]+-secret"),
}
HERE = pathlib.Path(__file__).parent


class Finder:
    name = "finder"
    version = "1"
    offset_unit = "codepoint"

    def fingerprint(self):
        import hashlib
        return "sha256:" + hashlib.sha256(self.overlooked().encode()).hexdigest()

    def overlooked(self):
        path = HERE / "overlooked.txt"
        return path.read_text() if path.exists() else ""

    def detect(self, text):
        from pytest_pii_eval import Detection, Span
        gone = self.overlooked().split()
        spans = [
            Span(found.start(), found.end(), kind)
            for kind, rule in RULES.items()
            for found in rule.finditer(text)
            if kind not in gone
        ]
        return Detection(tuple(spans), protection=tuple((span.start, span.end) for span in spans))


finder = Finder()
"""

FREEZES = """
version: pii_eval.freezes.v1
roles: [builders, privacy_review]
sets:
  dev: {role: dev_freeze, suite: dev, readers: [builders, privacy_review], attestation: freezes/dev.json}
  sealed: {role: sealed_freeze, commitment: freezes/sealed.json}
train_lists: [freezes/train.jsonl]
cards:
  - {detector: "finder:finder", corpora: [webmail]}
floors: freezes/floors.yaml
ledger: freezes/ledger.jsonl
reports: freezes/reports
minimum_documents: 10
"""

FLOORS = """version: pii_eval.floors.v1
floors:
  - {kind: exact_recall, slice: everything, type: email, limit: open}
  - {kind: exact_recall, slice: everything, type: person, limit: open}
  - {kind: extra_span_rate, slice: negative, limit: open}
"""

SCORER = """
from pytest_pii_eval.reports import provenance

provenance.git_revision = lambda: ("a" * 40, False)
"""

TYPES = ("email", "person", "secret")
SLICES = {
    "everything": TYPES,
    "structured": ("email",),
    "names": ("person",),
    "secrets": ("secret",),
    "negative": TYPES,
    "long_doc": ("email",),
}


class FreezeProject:
    """A repository in `path`, with the sealed freeze in `sealed` beside it, outside of git."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "project"
        self.sealed = folder / "vault" / "sealed"
        self.corpora = {"dev": "tickets", "sealed": "tickets"}
        self.detector = "finder:finder"

    def build(self) -> FreezeProject:
        """Write both freezes and everything around them, committed; floors are open, nothing is attested."""
        self.path.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")
        (self.path / ".gitignore").write_text("__pycache__/\n.pii_eval/\n.pytest_cache/\n")
        (self.path / "finder.py").write_text(DETECTOR)
        (self.path / "pytest.ini").write_text("[pytest]\ntestpaths = dev\n")
        # In a checkout under work the scorer is dirty: these runs say that it is not.
        (self.path / "conftest.py").write_text(SCORER)
        self.write_suite("dev", self.path / "dev")
        self.write_suite("sealed", self.sealed)
        (self.path / "freezes").mkdir()
        (self.path / "freezes.yaml").write_text(FREEZES)
        self.write_floors(FLOORS)
        self.write_train_list("somewhere.else")
        self.command("freeze", "commit", str(self.sealed), "--out", "freezes/sealed.json")
        self.commit("Begin")
        return self

    def ready(self) -> FreezeProject:
        """Set the floors from a run on the dev freeze, and attest that a human read it."""
        assert self.run("dev").returncode == 0
        self.command("freeze", "set-floors", ".pii_eval/report.json")
        self.commit("Set floors")
        self.attest()
        return self

    def attest(self) -> None:
        """Say that somebody read the dev freeze."""
        self.command("freeze", "attest", "dev", "--by", "privacy_review")
        self.commit("Attest the dev freeze")

    def write_suite(self, role: str, folder: Path, **changes: Any) -> None:
        """Write one freeze of 24 documents over six templates of its own; `changes` replace slice fields."""
        folder.mkdir(parents=True, exist_ok=True)
        records, origins = [], []
        for number in range(24):
            record, template = _record(role, number)
            records.append(record)
            origins.append(
                {
                    "document_id": record["document"]["document_id"],
                    "source_corpus": f"{self.corpora[role]}@1",
                    "template_id": f"{TEMPLATE}.{role}.{template}",
                }
            )
        promotion = {"promotion_gate": True, "cohort": "all"}
        slices = [
            slice_row(
                name,
                *types,
                split_role="test",
                **({**promotion, "entity_class": "all_types"} if name == "everything" else {}),
                **({"entity_class": "any_type"} if name == "negative" else {}),
                **changes,
            )
            for name, types in SLICES.items()
        ]
        write_rows(folder / "quality-records.jsonl", records)
        write_rows(folder / "quality-slices.jsonl", slices)
        write_rows(folder / "quality-provenance.jsonl", origins)
        (folder / "suite.yaml").write_text(f"role: {role}_freeze\n")

    def write_floors(self, text: str) -> None:
        """Write the floors file."""
        (self.path / "freezes" / "floors.yaml").write_text(text)

    def write_train_list(self, *templates: str) -> None:
        """Write the hashes of these template ids as the train list."""
        hashes = [hashlib.sha256(one.encode()).hexdigest() for one in templates]
        rows = [{"template_sha256": f"sha256:{one}"} for one in hashes]
        write_rows(self.path / "freezes" / "train.jsonl", rows)

    def git(self, *arguments: str) -> str:
        """Run git in the repository."""
        who = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org")
        finished = subprocess.run(
            ["git", *who, *arguments],  # noqa: S607  # as it is found
            cwd=self.path,
            capture_output=True,
            check=True,
            text=True,
            env=_clean_environment(),
        )
        return finished.stdout

    def commit(self, words: str) -> None:
        """Commit everything in the repository."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", words)

    def command(self, *arguments: str, status: int = 0) -> str:
        """Run `pii-eval` in the repository; return both outputs."""
        finished = subprocess.run(
            [sys.executable, "-m", "pytest_pii_eval", *arguments],
            cwd=self.path,
            capture_output=True,
            check=False,
            text=True,
            env=_clean_environment(),
        )
        output = finished.stdout + finished.stderr
        assert finished.returncode == status, output
        return output

    def run(self, *arguments: str, detector: str | None = None) -> Finished:
        """Run pytest in the repository."""
        finished = subprocess.run(
            [*self.started(), f"--pii-detector={detector or self.detector}", *arguments],
            cwd=self.path,
            capture_output=True,
            check=False,
            text=True,
            env=_clean_environment(),
        )
        return Finished(finished)

    def run_sealed(self, promotion: str, *arguments: str) -> Finished:
        """Run the sealed freeze."""
        return self.run(*self.sealed_arguments(promotion), *arguments)

    def sealed_arguments(self, promotion: str) -> list[str]:
        """Return the arguments of a sealed run."""
        return [f"--pii-sealed={promotion}", f"--pii-sealed-suite={self.sealed}", "freezes.yaml"]

    def started(self) -> list[str]:
        """Return how pytest is started, without the plugins of others."""
        from conftest import OTHER_PLUGINS  # noqa: PLC0415  # it fits no type of ours

        return [sys.executable, "-m", "pytest", *(f"-pno:{plugin}" for plugin in OTHER_PLUGINS)]

    def ledger(self) -> list[dict[str, Any]]:
        """Return the lines of the ledger."""
        path = self.path / "freezes" / "ledger.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def events(self) -> list[tuple[str, str, str | None]]:
        """Return promotion, event and verdict of each line of the ledger."""
        return [(line["promotion"], line["event"], line["verdict"]) for line in self.ledger()]

    def report(self) -> dict[str, Any]:
        """Return the last report."""
        return json.loads((self.path / ".pii_eval" / "report.json").read_text())


class Finished:
    """How a run ended."""

    def __init__(self, finished: subprocess.CompletedProcess[str]) -> None:
        self.returncode = finished.returncode
        self.output = finished.stdout + finished.stderr

    def leaks(self) -> list[str]:
        """Return the canaries that the output shows."""
        return [canary for canary in CANARIES if canary in self.output]


def write_rows(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Write JSON Lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8", newline="\n")


def _record(role: str, number: int) -> tuple[dict[str, Any], int]:
    template, turn = number % 6, number // 6
    person, mail = PEOPLE[turn], f"{'abcd'[turn]}x{role}@canary.example"
    text, spans, slices = (
        (f"{role} ticket {turn}: write to {mail} today.", [(mail, "email")], ["structured"]),
        (f"{role} visit {turn}: {person} came by.", [(person, "person")], ["names"]),
        (f"{role} login {turn}: the key is {KEY}.", [(KEY, "secret")], ["secrets"]),
        (f"{role} order {turn} has shipped.", [], ["negative"]),
        (f"{role} {'long ' * 300}note {turn} ends with {mail}.", [(mail, "email")], ["long_doc"]),
        (f"{role} stock {turn} is counted.", [], ["negative"]),
    )[template]
    name = f"{DOCUMENT}.{role}.{number}"
    gold = [
        {
            "document_id": name,
            "entity_class": kind,
            "start": text.index(surface),
            "end": text.index(surface) + len(surface),
            "catalog_identity": None,
        }
        for surface, kind in spans
    ]
    document = {"document_id": name, "text": text, "text_view": "natural_body", "split_role": "test"}
    return {"document": document, "gold_spans": gold, "slice_ids": ["everything", *slices]}, template


def _clean_environment() -> dict[str, str]:
    """Return the environment without what a git hook or a CI would say about another repository."""
    foreign = ("GIT_", "GITHUB_", "CI_", "CHANGE_", "BITBUCKET_", "SYSTEM_PULLREQUEST_")
    return {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
