"""Ending a command on SIGTERM as on Ctrl-C, so that what it has half-done is removed."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """A block in which SIGTERM raises `KeyboardInterrupt`; the command then ends as it does on Ctrl-C.

    Somebody else's handler stays, and so does everything where this is not the main thread.
    """
    if threading.current_thread() is not threading.main_thread() or (
        signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
    ):
        yield
        return
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt
