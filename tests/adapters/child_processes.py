"""Children that go wrong in a mode, started and ended, and the processes that there are."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path

from pytest_pii_eval.detectors.adapters.process import ProcessDetector

CHILD = Path(__file__).with_name("bad_child.py")
CANARY = "Ada-Lovelace"


def command(*arguments):
    """Return the command line of a child in a mode."""
    return [sys.executable, "-S", str(CHILD), *map(str, arguments)]


@contextmanager
def starting():
    """Give a function that starts a child in a mode; all are closed at the end."""
    started = []

    def start(*arguments, **options):
        started.append(ProcessDetector(command(*(arguments or ("plain",))), **options))
        return started[-1]

    yield start
    for detector in started:
        detector.close()


def gone(pid):
    """Whether `pid` is neither running nor a zombie of ours."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def children():
    """Return the processes that this one has started and not reaped."""
    own = str(os.getpid())
    return {process.name for process in Path("/proc").glob("[0-9]*") if _parent(process) == own}


def _parent(process):
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()[1]
    except OSError:  # it has ended meanwhile
        return None
