"""Timing whole processes in turns: wall and CPU seconds and peak memory, as the kernel counts them."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

# Both would make every run pay for what a user's run does not: compiling again, and a write for each dot.
_UNUSUAL = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
_ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in _UNUSUAL}


@dataclass(frozen=True, slots=True)
class Cost:
    """What one process cost; `megabytes` is the largest single process, children of it not added up."""

    wall: float
    cpu: float
    megabytes: float


def run(command: Sequence[str], folder: Path) -> Cost:
    """Run `command` in `folder` to its end; raises where it does not exit with 0."""
    started = time.perf_counter()
    with subprocess.Popen(
        command, cwd=folder, env=_ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - started
        complaint = process.stderr.read().decode() if process.stderr else ""
    if process.returncode:
        raise SystemExit(f"{command[0]} exited with {process.returncode}:\n{complaint}")
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit)


def in_turns(commands: dict[str, Sequence[str]], folder: Path, rounds: int) -> dict[str, Cost]:
    """Run every command once unmeasured, then `rounds` times in turns; return the medians."""
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for turn in range(rounds + 1):
        for name, command in commands.items():
            cost = run([part.replace("{turn}", f"{os.getpid()}-{turn}") for part in command], folder)
            if turn:
                costs[name].append(cost)
    return {name: _median(rows) for name, rows in costs.items()}


def _median(rows: list[Cost]) -> Cost:
    columns = zip(*((row.wall, row.cpu, row.megabytes) for row in rows), strict=True)
    return Cost(*(statistics.median(column) for column in columns))
