"""The modules of `benchmarks/`, which is a folder of scripts and no package."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "benchmarks"))

from bench import commands, costs, documents, plan, render, rows, suites  # noqa: E402  # found by the line above

__all__ = ["ROOT", "command_line", "commands", "costs", "documents", "plan", "render", "rows", "suites"]

_SPEC = importlib.util.spec_from_file_location("benchmarks_run", ROOT / "benchmarks" / "run.py")
command_line = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(command_line)
