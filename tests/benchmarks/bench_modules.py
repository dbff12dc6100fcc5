"""The modules of `benchmarks/`, which is a folder of scripts and no package."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "benchmarks"))

from bench import (  # noqa: E402  # found by the line above
    agreeing,
    commands,
    conformance,
    costs,
    documents,
    engine,
    growth,
    machine,
    plan,
    quality,
    render,
    rows,
    scoring,
    suites,
    timing,
)

__all__ = [
    "ROOT",
    "agreeing",
    "command_line",
    "commands",
    "conformance",
    "costs",
    "documents",
    "engine",
    "growth",
    "machine",
    "plan",
    "quality",
    "render",
    "rows",
    "scoring",
    "suites",
    "timing",
]

_SPEC = importlib.util.spec_from_file_location("benchmarks_run", ROOT / "benchmarks" / "run.py")
command_line = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(command_line)
