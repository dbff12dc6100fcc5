"""Processes that are started here write nowhere: what they print, or print as they die, may hold text."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_STREAMS: Final = (("stdout", 1), ("stderr", 2))


@contextmanager
def children_muted() -> Iterator[None]:
    """A block in which new processes inherit outputs that lead nowhere; this one prints as before.

    The streams of `sys` move to other descriptors, which are not inherited. Whoever writes to the descriptors
    1 and 2 themselves is not heard.
    """
    with ExitStack() as undone, Path(os.devnull).open("wb") as sink:
        for name, number in _STREAMS:
            stream = getattr(sys, name)
            if _leads_to(stream, number):
                _move(stream, name, number, undone)
            else:
                undone.callback(_restore, number, os.dup(number))
            os.dup2(sink.fileno(), number)
        yield


def _move(stream: object, name: str, number: int, undone: ExitStack) -> None:
    kept = os.dup(number)
    moved = os.fdopen(os.dup(number), "w", encoding="utf-8", errors="backslashreplace", buffering=1)
    stream.flush()  # type: ignore[attr-defined]  # a stream, as it has a descriptor
    setattr(sys, name, moved)
    undone.callback(_restore, number, kept)
    undone.callback(moved.close)
    undone.callback(setattr, sys, name, stream)


def _restore(number: int, kept: int) -> None:
    os.dup2(kept, number)
    os.close(kept)


def _leads_to(stream: object, number: int) -> bool:
    try:
        return bool(stream.fileno() == number)  # type: ignore[attr-defined]  # some streams have none
    except (AttributeError, OSError, ValueError):
        return False
