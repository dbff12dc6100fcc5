"""Asking a detector: one call at a time, in time and unheard; what comes of it is a value, never raised."""

from __future__ import annotations

import sys
import threading
import warnings
from contextlib import ExitStack, closing, contextmanager
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple, final

from pytest_pii_eval.silence import Silence
from pytest_pii_eval.testing.listening import redirected

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Stuck(Exception):
    """The detector did not answer in time before, so it is not asked again; holds no text."""


class Reply(NamedTuple):
    """What came of one call: the value it returned, what it raised, or that it was not back in time."""

    value: Any = None
    error: BaseException | None = None
    late: bool = False


@final
class Asker:
    """Calls one detector from one thread of its own.

    `limit` is the seconds a document may take; None: calls are made in the caller's thread and nobody
    watches them. A call that is not back in time cannot be stopped: its thread is left behind, as a
    daemon, and every later question raises `Stuck`.
    """

    def __init__(self, detector: Any, limit: float | None) -> None:
        self.detector = detector
        self.limit = limit
        self.late_length: int | None = None
        """How many code points the document had whose answer did not come, nor that for a plain one."""
        self._worker = None if limit is None else _Worker()

    def detect(self, text: Any) -> Reply:
        """Return what came of `detect(text)`; nothing it says gets out."""
        with unheard():
            return self.reply(lambda: self.detector.detect(text))

    def reply(self, action: Callable[[], Any], *, documents: int = 1) -> Reply:
        """Return what came of `action`, which asks about so many documents; raises `Stuck`."""
        if self.late_length is not None:
            raise Stuck
        if self._worker is None or self.limit is None:
            return _tried(action)
        reply = self._worker.reply(action, self.limit * documents)
        if reply.late:
            self._worker = _Worker()
        return reply

    def close(self) -> None:
        """End the thread."""
        if self._worker is not None:
            self._worker.end()


@contextmanager
def unheard() -> Iterator[None]:
    """Drop what is printed, logged or warned within: it may be text, and a failing test would show it.

    Streams that were kept from before are dropped too: pytest's own are on no descriptor 1 or 2.
    """
    with ExitStack() as stack:
        for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
            stack.enter_context(redirected(stream, _dropped))
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        stack.enter_context(stack.enter_context(closing(Silence())))
        yield


def _dropped(said: str) -> int:
    return len(said)


class _Worker:
    """A daemon thread that does one thing after another."""

    def __init__(self) -> None:
        self._tasks: SimpleQueue[tuple[Callable[[], Any], SimpleQueue[Reply]] | None] = SimpleQueue()
        threading.Thread(target=self._work, name="pii-eval-contract", daemon=True).start()

    def reply(self, action: Callable[[], Any], seconds: float) -> Reply:
        answer: SimpleQueue[Reply] = SimpleQueue()
        self._tasks.put((action, answer))
        try:
            return answer.get(timeout=seconds)
        except Empty:
            self.end()
            return Reply(late=True)

    def end(self) -> None:
        self._tasks.put(None)

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            action, answer = task
            answer.put(_tried(action))


def _tried(action: Callable[[], Any]) -> Reply:
    try:
        return Reply(action())
    except BaseException as error:  # noqa: BLE001  # a stranger's code; SystemExit would end the thread unseen
        return Reply(error=error)
