"""What comes of asking one document, and why there is no answer where there is none; no text in either."""

from __future__ import annotations

import os
import re
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from pytest_pii_eval.contracts.spans import FAILURE_PATTERN
from pytest_pii_eval.detectors.answers import BadAnswer
from pytest_pii_eval.detectors.bank.errors import ScanFailure
from pytest_pii_eval.withheld import is_interrupt, type_and_place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_pii_eval.contracts.spans import Detection

_OURS = "pytest_pii_eval."
# Words of our own exceptions, and those that a predictions file may hold.
_OWN = re.compile(FAILURE_PATTERN, re.ASCII)
_PLACE = re.compile(r"[A-Za-z_]\w{0,79}( in [\w.<>-]{1,79}:\d+)?", re.ASCII)


class Reply(NamedTuple):
    """What came of asking one document: a detection in the subject's own unit and labels, or a failure.

    `dropped` counts spans that were lost before; `warm` marks the first documents after a build.
    """

    detection: Detection | None
    failure: str | None
    seconds: float
    dropped: int = 0
    warm: bool = False


def reason_of(error: BaseException) -> str:
    """Return why a document has no answer, in words that hold no text."""
    if isinstance(error, ScanFailure):
        return error.reason
    if isinstance(error, BadAnswer):
        return f"bad_answer: {error.rule}"
    reason = getattr(error, "reason", None)
    if type(error).__module__.startswith(_OURS) and isinstance(reason, str) and _OWN.fullmatch(reason):
        return reason
    told = type_and_place(error)
    return told if _PLACE.fullmatch(told) else "exception"


@contextmanager
def one_process() -> Iterator[None]:
    """A block that a process forked in it never leaves: it would go on with the run, a second time."""
    mine = os.getpid()
    try:
        yield
    finally:
        if os.getpid() != mine:
            os._exit(1)


def timed(detect: Callable[[], Detection], *, warm: bool) -> Reply:
    """Return what comes of `detect`, with its seconds; whatever it raises but an interrupt is a failure."""
    started = time.perf_counter()
    try:
        with one_process():
            detection = detect()
    except BaseException as error:  # SystemExit too: this document has no answer, others do
        if is_interrupt(error):
            raise
        return Reply(None, reason_of(error), time.perf_counter() - started)
    return Reply(detection, None, time.perf_counter() - started, warm=warm)
