"""What a run was made on: processor, memory, Python, versions, revision, date and load."""

from __future__ import annotations

import datetime as dt
import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from bench.plan import ROOT, Plan

PACKAGES = (
    "pytest-pii-eval",
    "pytest",
    "pytest-xdist",
    "pydantic",
    "pydantic-core",
    "ahocorasick-rs",
    "regex",
    "google-re2",
    "nerb",
    "nervaluate",
    "seqscore",
    "dask",
    "distributed",
    "fsspec",
    "backports.zstd",
    "pyarrow",
)


def about(plan: Plan) -> dict[str, Any]:
    """Return what belongs beside the rows of a run."""
    return {
        "date": dt.datetime.now(dt.UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "rounds": plan.rounds,
        "quick": plan.quick,
        "revision": _revision(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1),
        "system": f"{platform.system()} {platform.release()}",
        "load": round(os.getloadavg()[0], 2),
        "python": platform.python_version(),
        "packages": {name: found for name in PACKAGES if (found := _version(name))} | _elsewhere(plan),
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _elsewhere(plan: Plan) -> dict[str, str]:
    program = "import importlib.metadata as m; print(m.version('presidio-evaluator'))"
    done = subprocess.run([plan.peer_python, "-c", program], capture_output=True, text=True, check=False)
    return {} if done.returncode else {"presidio-evaluator": done.stdout.strip()}


def _revision() -> str:
    """Return the commit of the checkout, marked where files differ from it; empty outside one."""
    words = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def _processor() -> str:
    """Return the model of the processor, where the system tells it."""
    listed = Path("/proc/cpuinfo")
    lines = listed.read_text(encoding="utf-8").splitlines() if listed.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()
