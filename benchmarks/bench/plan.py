"""How much is measured and where: rounds, sizes, scratch folder; and work in a process of its own."""

from __future__ import annotations

import json
import os
import statistics
import sys
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.costs import Command, Cost, answer

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parents[2]
_RUN = ROOT / "benchmarks" / "run.py"
_SMALLER = 20


class Absent(Exception):
    """What a benchmark needs is not here; the message says what."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Rounds of each measurement, whether sizes are a twentieth, a private folder, and other programs.

    `peer_python` is an interpreter that has presidio-evaluator, whose requirements may not fit beside ours;
    `generator` is another program that writes the conformance suite (`script OUT_DIR`).
    """

    folder: Path
    rounds: int = 3
    quick: bool = False
    peer_python: str = sys.executable
    generator: Path | None = None

    def size(self, full: int) -> int:
        """Return a size, or a twentieth of it in a quick run."""
        return max(full // _SMALLER, 10) if self.quick else full

    def turns(self, most: int) -> int:
        """Return the rounds of what takes so long that `most` must do."""
        return min(self.rounds, most)

    def new_folder(self, name: str) -> Path:
        """Return an empty private folder in the scratch folder."""
        made = self.folder / name
        made.mkdir(mode=0o700, parents=True)
        return made


def need(module: str) -> None:
    """Raise `Absent` where a module cannot be imported."""
    if find_spec(module) is None:
        raise Absent(f"the package {module} is not installed")


def child(place: str, *, python: str = sys.executable, **arguments: Any) -> dict[str, float]:
    """Call `module:function` in a process of its own; return its figures, with `peak_mb` of the process.

    A child's peak memory starts with that of its parent, so the parent imports nothing large.
    """
    cost, output = answer(child_command(place, python=python, **arguments))
    return {"peak_mb": cost.megabytes, **json.loads(output.splitlines()[-1])}


def written(place: str, folder: Path, **arguments: Any) -> None:
    """Let `module:function` write into a folder, in a process of its own, so that this one stays small."""
    child(place, folder=str(folder), **arguments)


def child_command(place: str, *, python: str = sys.executable, **arguments: Any) -> Command:
    """Return the command of `child`."""
    return Command([python, str(_RUN), "--child", place, json.dumps(arguments)], ROOT)


def call(place: str, arguments: str) -> None:
    """Do what `child` asks for, in the process that it started."""
    module, _, function = place.partition(":")
    sys.path.append(str(ROOT))  # An interpreter of another environment does not have the package.
    print(json.dumps(getattr(import_module(module), function)(**json.loads(arguments))), flush=True)
    os._exit(0)  # Freeing a large heap is not what is measured, and takes seconds.


def children_in_turns(jobs: Mapping[str, Mapping[str, Any]], rounds: int) -> dict[str, dict[str, Any]]:
    """Call each job (`place` and arguments) `rounds` times in turns; return the medians of each figure."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, job in jobs.items():
            found[name].append(child(**job))
    return {
        name: {key: _median([one[key] for one in rows]) for key in rows[0]} for name, rows in found.items()
    }


def _median(values: list[Any]) -> Any:
    return values[0] if isinstance(values[0], str) else statistics.median(values)


def cost_of(figures: Mapping[str, Any]) -> Cost:
    """Return what a child measured as a cost; there is no wall time where only CPU time was taken."""
    return Cost(figures.get("wall", 0.0), figures["cpu"], figures["peak_mb"])
