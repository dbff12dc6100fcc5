"""Prints what a freezes file costs a run, and how fast suites are split and committed to.

Usage: python benchmarks/freezes.py [DOCUMENTS] [ROUNDS]

The project is that of docs/examples/freezes, with a dev freeze of DOCUMENTS (20,000), four a template.
Runs with and without a freezes file take turns; CPU seconds of all processes count, and the ratio is of the
best of ROUNDS (3) each.
"""

from __future__ import annotations

import importlib.util
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

EXAMPLE = Path(__file__).parents[1] / "docs" / "examples" / "freezes" / "make_project.py"


def main() -> None:
    """Build the project in a temporary folder, run, and print a line a figure."""
    documents, rounds = (int(text) for text in (*sys.argv[1:], *("20000", "3")[len(sys.argv) - 1 :]))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "project"
        example = _example()
        example.write_project(folder)
        example.write_suite(folder / "dev", range(documents // 4), role="dev_freeze")
        example.write_suite(folder.parent / "sealed", range(documents // 4), role="sealed_freeze")
        _git(folder, "init", "-q")
        _git(folder, "add", "-A")
        _git(
            folder,
            "-c",
            "user.name=Some Body",
            "-c",
            "user.email=some@body.example",
            "commit",
            "-qm",
            "Begin",
        )
        with_rules, without = [], []
        hidden = folder / "freezes.yaml.hidden"
        for _ in range(rounds):
            with_rules.append(_run(folder))
            (folder / "freezes.yaml").rename(hidden)
            without.append(_run(folder))
            hidden.rename(folder / "freezes.yaml")
        print(f"plain run of {documents:,} documents: {min(without):.2f} CPU s")
        print(f"with a freezes file: {min(with_rules):.2f} CPU s, {min(with_rules) / min(without):.2f} times")
        for words, arguments in (
            ("split", ("split", "dev", "--out", "../parts", "--part", "a=0.5", "--part", "b=0.5")),
            ("commit", ("commit", "../sealed", "--out", "commitment.json")),
        ):
            seconds = _seconds([sys.executable, "-m", "pytest_pii_eval", "freeze", *arguments], folder)
            print(f"{words}: {seconds:.2f} CPU s, {documents / seconds:,.0f} documents a second")


def _run(folder: Path) -> float:
    command = ["-m", "pytest", "-q", "-p", "no:randomly", "--pii-detector=finder:Finder", "dev"]
    return _seconds([sys.executable, *command], folder)


def _seconds(command: list[str], folder: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _git(folder: Path, *arguments: str) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    subprocess.run(["git", *arguments], cwd=folder, check=True, env=environment)  # noqa: S607  # as it is found


def _example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_project", EXAMPLE)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
