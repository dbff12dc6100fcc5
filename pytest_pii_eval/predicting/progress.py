"""The progress bar of a prediction: documents and their rate, on the terminal only; nothing of a document."""

from __future__ import annotations

import os
import sys
from typing import final

from tqdm import tqdm

_SIZE = os.terminal_size((80, 24))
"""Taken for a terminal that does not say how large it is: tqdm would draw nothing on it."""


@final
class Bar:
    """A bar on stderr; none where that is no terminal, or where `quiet` is asked for.

    It is told of progress between the blocks in which the detector's output is dropped.
    """

    def __init__(self, done: int, total: int, *, quiet: bool) -> None:
        shown = not quiet and sys.stderr is not None and sys.stderr.isatty()
        # Its thread would draw while the detector's output, and with it the bar's, is dropped.
        tqdm.monitor_interval = 0
        size = os.get_terminal_size(sys.stderr.fileno()) if shown else _SIZE
        columns, lines = size if all(size) else _SIZE
        self._bar = tqdm(
            initial=done,
            total=total,
            unit="doc",
            file=sys.stderr,
            disable=not shown,
            ncols=columns,
            nrows=lines,
        )

    def show(self, done: int) -> None:
        """Say how many documents are done."""
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """Leave the bar as it stands."""
        self._bar.close()
