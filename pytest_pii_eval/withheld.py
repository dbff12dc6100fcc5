"""What output may show of an exception that is not ours: its type and place, never its text or frames."""

from __future__ import annotations

import threading
import traceback
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_Result = TypeVar("_Result")


class InternalError(Exception):
    """A defect of this package met at run time, told without text."""


def withheld(error: BaseException) -> str:
    """Return type and place of `error`; its own text may hold text of a document."""
    return f"{type_and_place(error)}; its text is withheld, it may hold text of a document"


def type_and_place(error: BaseException) -> str:
    """Return the type of `error` and the file and line that raised it."""
    return f"{type(error).__name__} in {place_of(error)}"


def contained(action: Callable[[], _Result]) -> _Result:
    """Return what `action` returns; raises `InternalError` in place of whatever it raises.

    pytest prints an exception that leaves a hook with its text, and under `-l` with the variables of
    every frame. So the new one is raised where the old one, and its frames, are out of reach. An interrupt
    stays one, and says nothing.
    """
    try:
        return action()
    except KeyboardInterrupt:
        failure: BaseException = KeyboardInterrupt()
    except BaseException as error:  # noqa: BLE001  # SystemExit too: whatever it is, its text may not leave
        failure = InternalError(withheld(error))
    raise failure


def is_interrupt(error: BaseException) -> bool:
    """Return whether `error` may be somebody's Ctrl-C, which reaches the main thread alone."""
    return isinstance(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread()


def without_frames(action: Callable[[], _Result]) -> _Result:
    """Return what `action` returns; an interrupt in it is raised anew here.

    pytest prints the arguments of every frame of an interrupt under `--full-trace`.
    """
    try:
        return action()
    except KeyboardInterrupt:
        pass
    raise KeyboardInterrupt


def place_of(error: BaseException) -> str:
    """Return `file:line` of what raised `error`, the file by its last part."""
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return f"{_last(error.filename)}:{error.lineno}"  # where it stands, not who read it
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return "an unknown place"
    last = frames[-1]
    return f"{_last(last.filename)}:{last.lineno}"


def _last(path: str) -> str:
    return path.replace(chr(92), "/").rsplit("/", 1)[-1]
