"""CPU seconds of work inside this process."""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    """Return the CPU seconds of one call, and its result."""
    started = time.process_time()
    result = work()
    return time.process_time() - started, result


def repeated(work: Callable[[], Result], long_enough: float) -> tuple[float, Result]:
    """Return the median CPU seconds of a call, and the last result.

    It is called until all calls together took `long_enough` seconds, at least once.
    """
    seconds: list[float] = []
    while sum(seconds) < long_enough:
        spent, result = timed(work)
        seconds.append(spent)
    return statistics.median(seconds), result
