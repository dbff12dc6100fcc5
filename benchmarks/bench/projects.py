"""The project of docs/examples/freezes at any size: a finder, a dev freeze, and a git repository."""

from __future__ import annotations

import importlib.util
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.commands import pytest
from bench.plan import ROOT

if TYPE_CHECKING:
    from types import ModuleType

    from bench.costs import Command

_EXAMPLE = ROOT / "docs" / "examples" / "freezes" / "make_project.py"
_TEMPLATES = 4  # Documents a template.


def write_project(folder: str, documents: int, role: str) -> dict[str, Any]:
    """Write the project with a suite `dev` of that many documents."""
    _example().write_project(Path(folder))
    return write_pool(f"{folder}/dev", documents, role)


def write_pool(folder: str, documents: int, role: str) -> dict[str, Any]:
    """Write one more suite of the example, at a folder of its own."""
    _example().write_suite(Path(folder), range(documents // _TEMPLATES), role=role)
    return {}


def run_of(folder: Path, *options: str) -> Command:
    """Return a run of the project's detector on its suite."""
    return pytest(folder, "--pii-detector=finder:Finder", "dev", *options)


def commit(folder: Path) -> None:
    """Make the project a repository with one commit."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    somebody = ("-c", "user.name=Some Body", "-c", "user.email=some@body.example")
    for words in (("init", "-q"), ("add", "-A"), (*somebody, "commit", "-qm", "Begin")):
        subprocess.run(["git", *words], cwd=folder, check=True, env=environment)  # noqa: S607  # as it is found


def _example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_project", _EXAMPLE)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(_EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
