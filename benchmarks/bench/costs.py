"""Timing whole processes: wall and CPU seconds and peak memory, as the kernel counts them."""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Both would make every run pay for what a user's run does not: compiling again, and a write for each dot.
_UNUSUAL = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
_ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in _UNUSUAL}
_UNIT = 1024 * 1024 if sys.platform == "darwin" else 1024
_EVERY = 0.2
_SESSION_FIELD = 3  # Behind the name in /proc/PID/stat: state, parent, group, session.


@dataclass(frozen=True, slots=True)
class Command:
    """What to start: words, a folder, and whether its processes are several, so that memory is added up.

    `output` names a file of the folder that keeps what was written to standard output.
    """

    words: Sequence[str]
    folder: Path
    several: bool = False
    output: str = ""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a command cost, its children included.

    `megabytes` is the largest single process; `together` is the largest sum over all of them at one time,
    pages that they share counted in each, or `None` where there is one process or no way to tell.
    """

    wall: float
    cpu: float
    megabytes: float
    together: float | None = None


class Broken(Exception):
    """What was measured is worth nothing: a command failed, or sides do not agree."""


def run(command: Command) -> Cost:
    """Run a command to its end; raises `Broken` where it does not exit with 0."""
    return answer(command)[0]


def answer(command: Command) -> tuple[Cost, str]:
    """Run a command to its end; return what it cost and what it wrote to standard output."""
    with tempfile.TemporaryFile() as written, tempfile.TemporaryFile() as complaint:
        started = time.perf_counter()
        process = subprocess.Popen(  # noqa: SIM115, RUF100  # waited for by `wait4`, which `with` would not do
            command.words,
            cwd=command.folder,
            env=_ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=complaint,
            start_new_session=True,
        )
        with _ended(process.pid), _Adder(process.pid, wanted=command.several) as adder:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            wall = time.perf_counter() - started
        written.seek(0)
        complaint.seek(0)
        output = written.read().decode()
        if process.returncode:
            words = " ".join(map(str, command.words))[:400]
            tail = (output + complaint.read().decode())[-2000:]
            raise Broken(f"exited with {process.returncode}: {words}\n{tail}")
    if command.output:
        (command.folder / command.output).write_text(output, encoding="utf-8")
    cost = Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / _UNIT, adder.together)
    return cost, output


class _ended:  # noqa: N801  # reads as a word in a `with` statement
    """Ends what a command leaves running, and the command where waiting for it is interrupted."""

    def __init__(self, group: int) -> None:
        self._group = group

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._group, signal.SIGKILL)


class _Adder:
    """Adds up the memory of all processes of a session, five times a second, while a command runs."""

    def __init__(self, session: int, *, wanted: bool) -> None:
        self.together: float | None = None
        self._session = str(session)
        self._over = threading.Event()
        self._thread = (
            threading.Thread(target=self._watch) if wanted and Path("/proc/self").exists() else None
        )

    def __enter__(self) -> Self:
        if self._thread is not None:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(_EVERY):
            found = sum(map(self._resident, Path("/proc").glob("[0-9]*")))
            self.together = max(self.together or 0.0, found)

    def _resident(self, process: Path) -> float:
        try:
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            if fields[_SESSION_FIELD] != self._session:
                return 0.0
            pages = int((process / "statm").read_text().split()[1])
        except (OSError, IndexError):  # It ended meanwhile.
            return 0.0
        return pages * os.sysconf("SC_PAGE_SIZE") / (1024 * 1024)


def in_turns(commands: Mapping[str, Command], rounds: int) -> dict[str, Cost]:
    """Run all commands `rounds` times in turns; return the medians of each."""
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for turn in range(rounds):
        for name, command in commands.items():
            words = [word.replace("{turn}", f"{os.getpid()}-{turn}") for word in command.words]
            costs[name].append(run(replace(command, words=words)))
    return {name: median_cost(rows) for name, rows in costs.items()}


def median_cost(rows: Sequence[Cost]) -> Cost:
    """Return the median of each figure."""
    sums = [row.together for row in rows if row.together is not None]
    return Cost(
        statistics.median(row.wall for row in rows),
        statistics.median(row.cpu for row in rows),
        statistics.median(row.megabytes for row in rows),
        statistics.median(sums) if sums else None,
    )
