"""A child process and the lines that go to and come from it; what the lines say is not known here."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import weakref
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Literal, final

from pytest_pii_eval.contracts.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Sequence

Cause = Literal["time_limit", "died", "bad_answer", "exception", "start", "changed"]

MAX_LINE = 64 * 1024 * 1024
"""Bytes that a child may write without an end of line, and ahead of what was asked for."""

_CHUNK = 1 << 16
_GRACE = 2.0
_RULES: dict[Cause, str] = {
    "time_limit": "the detector's process gave no answer within its time limit and was killed",
    "died": "the detector's process ended without an answer",
    "bad_answer": "the detector's process answered with a line that breaks the protocol and was killed",
    "exception": "the detector raised an exception",
    "start": "the detector's process could not be started again",
    "changed": "the detector's process was started again and said that it is another detector",
}


@final
class ProcessFailure(Exception):
    """A document that a child process gave no answer for; its text holds nothing that the child said.

    For the cause `exception`, `type_name` and `place` (`mine.py:12`) say which exception it was, as far as
    they are printable names. `reason` is what a report says: the cause, or `ValueError in mine.py:12` as it
    would be without a process.
    """

    def __init__(
        self, cause: Cause, type_name: str | None = None, place: str | None = None, reason: str | None = None
    ) -> None:
        super().__init__(cause, type_name, place, reason)
        self.cause = cause
        self.type_name = type_name
        self.place = place
        self.reason = reason or " in ".join(part for part in (type_name, place) if part) or cause

    def __str__(self) -> str:
        return _RULES[self.cause] + ("" if self.reason == self.cause else f": {self.reason}")


@final
class Child:
    """A process of its own session, with one pipe to it and one from it; its stderr goes nowhere.

    It is killed, with all that it started, where it keeps no time limit, and at the latest when this object
    or this process ends. Raises `OSError` where `command` cannot be started.
    """

    def __init__(self, command: Sequence[str], cwd: str | None = None) -> None:
        if os.name != "posix":
            raise Fault(
                "a detector in a process of its own needs POSIX: pipes with time limits, process groups"
            )
        # stderr may hold text, so nobody reads it. The session makes one group of the child and its children.
        process = subprocess.Popen(  # noqa: S603  # the user's own command, without a shell
            command,
            cwd=cwd,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.kill = weakref.finalize(self, _end, process, os.getpid())
        self.pid = process.pid
        self._process = process
        self._read = bytearray()
        self._to, self._from = _descriptor(process.stdin), _descriptor(process.stdout)
        os.set_blocking(self._to, False)
        os.set_blocking(self._from, False)

    def exchange(self, request: bytes, limit: float, longest: int = MAX_LINE) -> bytes:
        """Write `request` and return the next line, both within `limit` seconds.

        Reading goes on while writing, so that neither side waits for the other. Raises `ProcessFailure`;
        after that, and after any other exception, the child is gone.
        """
        try:
            return self._exchange(memoryview(request), monotonic() + limit, longest)
        except BaseException:
            self.kill()
            raise

    def close(self) -> None:
        """Let the child end by itself: close its input, wait briefly for the end of its output.

        What is left of it, and of what it started, is killed.
        """
        if not self.kill.alive:
            return
        if self._process.stdin is not None:
            self._process.stdin.close()
        with suppress(ProcessFailure):
            until = monotonic() + _GRACE
            while self._ready(until, writing=False):
                self._receive(MAX_LINE)
                self._read.clear()
        self.kill()

    def _exchange(self, request: memoryview, until: float, longest: int) -> bytes:
        seen = 0
        while (end := self._read.find(b"\n", seen)) < 0 or request:
            seen = len(self._read) if end < 0 else end
            ready = self._ready(until, writing=bool(request))
            if self._to in ready:
                request = request[self._send(request) :]
            if self._from in ready:
                self._receive(longest)
        line = bytes(self._read[:end])
        del self._read[: end + 1]
        return line

    def _ready(self, until: float, *, writing: bool) -> set[int]:
        """Return the pipes that can be written or read; waits for one, or to the end of the limit."""
        poll = select.poll()
        poll.register(self._from, select.POLLIN)
        if writing:
            poll.register(self._to, select.POLLOUT)
        left = until - monotonic()
        ready = {pipe for pipe, _ in poll.poll(left * 1000)} if left > 0 else set()
        if not ready:
            raise ProcessFailure("time_limit")
        return ready

    def _send(self, request: memoryview) -> int:
        try:
            return os.write(self._to, request)
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            raise ProcessFailure("died") from None

    def _receive(self, longest: int) -> None:
        chunk = os.read(self._from, _CHUNK)
        if not chunk:
            raise ProcessFailure("died")
        self._read += chunk
        if len(self._read) > longest:
            raise ProcessFailure("bad_answer")


def _descriptor(pipe: object) -> int:
    return pipe.fileno()  # type: ignore[attr-defined,no-any-return]  # both pipes were asked for


def _end(process: subprocess.Popen[bytes], owner: int) -> None:
    """Kill the group and reap its leader; a fork of the owner leaves its parent's child alone.

    The leader is reaped only after the kill: until then nobody else can have the group's number.
    """
    if os.getpid() != owner:
        return
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
