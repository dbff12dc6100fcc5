"""A process that has imported pytest and the plugin and run nothing; runs that tests ask for are forks of it.

A fork is as new as what `python -m pytest` starts, but for its imports, which are most of the time of a small
run. What is said about imports themselves is said of a process that nobody has warmed.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import runpy
import subprocess
import sys
import tempfile
import time

import pytest

# Imported when they are asked for by name, or with what they need installed.
_LATER = {"adapters", "snapshots", "testing", "__main__"}

SENT_TO_THE_DEAD = "cannot send (already closed?)"
"""What xdist ends a run with where it sends to a process whose death it has yet to hear of: run it again."""


class WarmProcess:
    """The process, and the way to run pytest in forks of it."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
        """Do what `pytester.runpytest_subprocess` does, in a fork where the system has forks."""
        if not hasattr(os, "fork"):
            return pytester.runpytest_subprocess(*arguments)
        started = time.perf_counter()
        printed = [pytester.path / "stdout", pytester.path / "stderr"]
        place = tempfile.mkdtemp(prefix="runpytest-", dir=pytester.path)
        streams = [os.devnull, *map(str, printed)]
        status = self._ask([f"--basetemp={place}", *arguments], streams)
        lines = [path.read_text(encoding="utf-8").splitlines() for path in printed]
        for shown, stream in zip(lines, (sys.stdout, sys.stderr), strict=True):
            print(*shown, sep="\n", file=stream)  # pytest shows it where the test fails
        return pytest.RunResult(status, *lines, time.perf_counter() - started)

    def _ask(self, arguments: list[str], streams: list[str]) -> int:
        folder = os.getcwd()  # noqa: PTH109  # as text
        path = os.pathsep.join(filter(None, [folder, os.environ.get("PYTHONPATH")]))
        environment = {**os.environ, "PYTHONPATH": path}
        order = [arguments, streams, folder, environment]
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def _serve() -> None:
    """Fork for every order on standard input, and answer with the exit status of the fork."""
    del sys.path[0]  # the folder of this file
    _import_all()
    gc.collect()
    gc.freeze()  # pytest collects garbage twice a run, and walks all that was imported
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            _become(*json.loads(line))
            runpy.run_module("pytest", run_name="__main__", alter_sys=True)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)  # noqa: T201  # the answer


def _import_all() -> None:
    package = importlib.import_module("pytest_pii_eval")
    package.__doc__ = "PYTEST_DONT_REWRITE"  # else pytest warns that it comes too late to rewrite assertions
    for module in pkgutil.walk_packages(package.__path__, "pytest_pii_eval."):
        if _LATER.isdisjoint(module.name.split(".")):
            importlib.import_module(module.name)


def _become(arguments: list[str], streams: list[str], folder: str, environment: dict[str, str]) -> None:
    """Take the place of a new interpreter in `folder` that was started with `-m pytest`."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, path in enumerate(streams):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o666)
        os.dup2(descriptor, number)
        os.close(descriptor)
    sys.argv[1:] = arguments
    sys.path[:0] = [folder, *environment["PYTHONPATH"].split(os.pathsep)]


if __name__ == "__main__":
    _serve()
