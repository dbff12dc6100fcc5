"""A terminal that is flushed some ten times a second, where tens of thousands of dots are coming."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    import pytest

_SECONDS = 0.1


@final
class PatientFlush:
    """Stands in for the `flush` of a terminal reporter, which pytest calls behind every report.

    Behind a pipe, as in CI, that wakes the reader for each dot, and costs as much as the case.
    """

    def __init__(self, reporter: pytest.TerminalReporter) -> None:
        self._reporter = reporter
        self._flush = reporter.flush
        self._due = 0.0
        reporter.flush = self  # type: ignore[method-assign]  # given back by `end`

    def __call__(self) -> None:
        """Flush, unless that was done a moment ago."""
        now = time.monotonic()
        if now >= self._due:
            self._due = now + _SECONDS
            self._flush()

    def end(self) -> None:
        """Give the reporter its own `flush` back."""
        del self._reporter.flush
        self._flush()
