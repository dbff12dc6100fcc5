"""The project of docs/freezes.md, with both freezes written at once: 24 documents of six templates each."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "freezes" / "make_project.py"

SCORER = """
from pytest_pii_eval.reports import provenance

provenance.git_revision = lambda: ("a" * 40, False)
"""


def _example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_project", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


make_project = _example()

# Canaries: none of these may show in any output.
CANARIES = (
    *make_project.PEOPLE,
    make_project.KEY,
    make_project.TEMPLATE,
    make_project.DOCUMENT,
    make_project.HOST,
)


class FreezeProject:
    """A repository in `path`, with the sealed freeze in `sealed` beside it, outside of git."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "project"
        self.sealed = folder / "vault" / "sealed"
        self.detector = "finder:Finder"

    def build(self) -> FreezeProject:
        """Write both freezes and everything around them, committed; floors are open, nothing is attested."""
        make_project.write_project(self.path)
        self.git("init", "-q", "-b", "main")
        # In a checkout under work the scorer is dirty: these runs say that it is not.
        (self.path / "conftest.py").write_text(SCORER, encoding="utf-8")
        make_project.write_suite(self.path / "dev", range(6), role="dev_freeze")
        make_project.write_suite(self.sealed, range(6, 12), role="sealed_freeze")
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

    def copied(self, folder: Path) -> FreezeProject:
        """Return a copy of project and vault in `folder`, to change."""
        shutil.copytree(self.path.parent, folder, dirs_exist_ok=True)
        return FreezeProject(folder)

    def attest(self) -> None:
        """Say that somebody read the dev freeze."""
        self.command("freeze", "attest", "dev", "--by", "privacy_review")
        self.commit("Attest the dev freeze")

    def write_floors(self, text: str) -> None:
        """Write the floors file."""
        (self.path / "freezes" / "floors.yaml").write_text(text, encoding="utf-8")

    def write_train_list(self, *templates: str) -> None:
        """Write the hashes of these template ids as the train list."""
        hashes = [hashlib.sha256(one.encode()).hexdigest() for one in templates]
        rows = [{"template_sha256": f"sha256:{one}"} for one in hashes]
        make_project.write_rows(self.path / "freezes" / "train.jsonl", rows)

    def git(self, *arguments: str) -> str:
        """Run git in the repository."""
        who = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org")
        finished = subprocess.run(
            ["git", *who, *arguments],  # noqa: S607  # as it is found
            cwd=self.path,
            capture_output=True,
            check=True,
            text=True,
            env=clean_environment(),
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
            env=clean_environment(),
        )
        output = finished.stdout + finished.stderr
        assert finished.returncode == status, output
        return output

    def run(self, *arguments: str, detector: str | None = None) -> Finished:
        """Run pytest in the repository, with its own detector, another, or none (an empty name)."""
        asked = self.detector if detector is None else detector
        finished = subprocess.run(
            [*self.started(), *([f"--pii-detector={asked}"] if asked else []), *arguments],
            cwd=self.path,
            capture_output=True,
            check=False,
            text=True,
            env=clean_environment(),
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


def clean_environment() -> dict[str, str]:
    """Return the environment without what a git hook or a CI would say about another repository."""
    foreign = ("GIT_", "GITHUB_", "CI_", "CHANGE_", "BITBUCKET_", "SYSTEM_PULLREQUEST_")
    return {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
