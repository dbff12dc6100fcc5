"""Hearing what a piece of code says: both outputs, log records, warnings and exceptions nobody caught."""

from __future__ import annotations

import logging
import os
import sys
import tempfile
import threading
import warnings
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@final
class Heard:
    """What was said, by channel; complete once the block is left."""

    def __init__(self) -> None:
        self.channels: dict[str, str] = {}
        self.records: list[logging.LogRecord] = []
        self.warnings: list[Any] = []
        self.uncaught: list[str] = []

    def collect(self) -> None:
        """Turn what is not text yet into text."""
        self.channels["logging"] = "\n".join(map(_said_by_record, self.records))
        self.channels["warnings"] = "\n".join(f"{one.message!r} {one.message}" for one in self.warnings)
        self.channels["uncaught exceptions"] = "\n".join(self.uncaught)


@contextmanager
def listening(level: int) -> Iterator[Heard]:
    """Hear all that is said within, with the root logger at `level`; nothing of it gets out."""
    heard = Heard()
    with ExitStack() as stack:
        heard.warnings = stack.enter_context(warnings.catch_warnings(record=True))
        warnings.simplefilter("always")
        stack.callback(heard.collect)
        stack.enter_context(_records(heard, level))
        stack.enter_context(_hooks(heard))
        stack.enter_context(_output(heard, "stdout", 1))
        stack.enter_context(_output(heard, "stderr", 2))
        yield heard


@contextmanager
def _output(heard: Heard, name: str, number: int) -> Iterator[None]:
    """Take the stream and the file descriptor beneath it: extensions write to the latter."""
    stream = getattr(sys, name)
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as file:
        kept = _kept(number)
        if stream is not None:
            stream.flush()
        setattr(sys, name, file)
        if kept is not None:
            os.dup2(file.fileno(), number)
        try:
            with redirected(stream, file.write):
                yield
        finally:
            file.flush()
            setattr(sys, name, stream)
            if kept is not None:
                os.dup2(kept, number)
                os.close(kept)
            file.seek(0)
            heard.channels[f"standard {'output' if number == 1 else 'error'}"] = file.read()


@contextmanager
def redirected(stream: Any, write: Callable[[str], int]) -> Iterator[None]:
    """Give to `write` what is written to a stream, kept from before or not, or to its buffer.

    pytest's own streams are on no descriptor 1 or 2, so to take those is not enough.
    """
    with ExitStack() as stack:
        writer: Any
        for writer in (getattr(stream, "buffer", None), stream):
            if _is_free(writer):
                writer.flush()
                writer.write = lambda said: write(said if isinstance(said, str) else _decoded(said))
                stack.callback(delattr, writer, "write")
        yield


def _is_free(writer: Any) -> bool:
    """Whether it is open, takes attributes, and is not redirected yet: two names may be one stream."""
    return "write" not in getattr(writer, "__dict__", {"write": None}) and not writer.closed


def _decoded(said: Any) -> str:
    return bytes(said).decode("utf-8", "replace")


def _kept(number: int) -> int | None:
    try:
        return os.dup(number)
    except OSError:
        return None


@contextmanager
def _records(heard: Heard, level: int) -> Iterator[None]:
    """Take log records where they are made, so that it matters not who handles them."""
    root, factory = logging.getLogger(), logging.getLogRecordFactory()
    before, disabled = root.level, root.manager.disable

    def take(*arguments: Any, **fields: Any) -> logging.LogRecord:
        record = logging.LogRecord(*arguments, **fields)
        record.levelno = -1  # below every level: no handler takes it
        heard.records.append(record)
        return record

    logging.setLogRecordFactory(take)
    root.setLevel(level)
    logging.disable(logging.NOTSET)
    try:
        yield
    finally:
        logging.setLogRecordFactory(factory)
        root.setLevel(before)
        logging.disable(disabled)


@contextmanager
def _hooks(heard: Heard) -> Iterator[None]:
    before = sys.unraisablehook, threading.excepthook

    def take(uncaught: Any) -> None:
        heard.uncaught.append(f"{uncaught.exc_value!r} {uncaught.exc_value}")

    sys.unraisablehook = threading.excepthook = take
    try:
        yield
    finally:
        sys.unraisablehook, threading.excepthook = before


def _said_by_record(record: logging.LogRecord) -> str:
    """Return message and everything else a formatter could print."""
    try:
        message = record.getMessage()
    except Exception:  # noqa: BLE001  # a broken call to the logger; its parts are below
        message = ""
    error = record.exc_info[1] if record.exc_info else None
    return f"{message}\n{vars(record)!r}\n{error}"
