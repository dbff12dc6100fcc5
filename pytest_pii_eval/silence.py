"""Dropping what a detector or adapter prints, logs or warns while it runs: it may hold text of a document."""

from __future__ import annotations

import atexit
import logging
import os
import sys
import threading
import time
import warnings
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import TracebackType

_OUTPUTS = (1, 2)
_MOMENT = 0.5
_Result = TypeVar("_Result")


@final
class Silence:
    """A block in which nothing that this process writes to its outputs, logs or warns gets out.

    Made while the outputs are what they shall be again behind each block, and entered once an item, so
    it swaps only what is looked up at the time of writing: the streams of `sys`, file descriptors 1 and
    2, the factory of log records, and the hooks for warnings and for exceptions that nobody could catch.
    """

    def __init__(self) -> None:
        self._sink = Path(os.devnull).open("w", encoding="utf-8", errors="replace")  # noqa: SIM115  # lives as long as self
        self._kept = [(number, os.dup(number)) for number in _OUTPUTS if _is_open(number)]
        self._before: tuple[Any, ...] = ()
        self._threads: frozenset[threading.Thread] = frozenset()

    def __enter__(self) -> None:
        self._threads = frozenset(threading.enumerate())
        self._before = (
            sys.stdout,
            sys.stderr,
            warnings.showwarning,
            sys.unraisablehook,
            threading.excepthook,
            logging.getLogRecordFactory(),
        )
        self._flush()
        sys.stdout = sys.stderr = self._sink
        warnings.showwarning = sys.unraisablehook = threading.excepthook = _drop
        logging.setLogRecordFactory(_unheard)
        for number, _ in self._kept:
            os.dup2(self._sink.fileno(), number)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, place: TracebackType | None
    ) -> None:
        _wait_for(frozenset(threading.enumerate()) - self._threads)
        self.lift()

    def lift(self) -> None:
        """Put the outputs back, also where an interrupt came between the swaps; once more does no harm."""
        if not self._before:
            return
        self._flush()  # what a stream kept back must not come out later
        for number, kept in self._kept:
            os.dup2(kept, number)
        (
            sys.stdout,
            sys.stderr,
            warnings.showwarning,
            sys.unraisablehook,
            threading.excepthook,
            factory,
        ) = self._before
        logging.setLogRecordFactory(factory)

    def close(self) -> None:
        """Let go of the file descriptors."""
        self._sink.close()
        for _, kept in self._kept:
            os.close(kept)
        self._kept = []

    def _flush(self) -> None:
        for stream in self._before[:2]:
            if stream is not None:
                stream.flush()


@contextmanager
def without_raised_warnings(*, shown: bool) -> Iterator[None]:
    """A block in which no warning becomes an error, whatever the filters of the run say.

    They are about the user's tests; a library that warns still answers. `shown` warnings are printed.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("default" if shown else "ignore")
        yield


def silenced(action: Callable[[], _Result]) -> _Result:
    """Return what `action` returns, and drop whatever else it says."""
    with closing(Silence()) as silence, silence:
        return action()


def keep_silent_at_exit() -> None:
    """Drop what is said while the interpreter ends: callbacks registered until now run after this one."""
    atexit.register(_drop_the_rest)


def _drop_the_rest() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            stream.flush()
    sys.stdout = sys.stderr = sink = Path(os.devnull).open("w", encoding="utf-8", errors="replace")  # noqa: SIM115  # the process ends with it
    for number in _OUTPUTS:
        os.dup2(sink.fileno(), number)


def _wait_for(threads: Iterable[threading.Thread]) -> None:
    """Give threads that were started in a block a moment to say inside it what they have to say."""
    until = time.monotonic() + _MOMENT
    for thread in threads:
        with suppress(RuntimeError):  # one that another thread is about to start
            thread.join(max(0.0, until - time.monotonic()))


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _drop(*_: object, **__: object) -> None:
    """Take the place of a hook that shows something."""


def _unheard(*arguments: Any, **fields: Any) -> logging.LogRecord:
    """Make a log record below every level, so that no handler takes it."""
    record = logging.LogRecord(*arguments, **fields)
    record.levelno = -1
    return record
