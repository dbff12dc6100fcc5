"""Progress bars: how much of a whole is done and how fast, on a terminal only; nothing of a document."""

from __future__ import annotations

import os
import sys
from typing import final

from tqdm import tqdm

BYTES = "B"
"""The unit whose numbers are shown as KiB, MiB and so on."""

_SIZE = os.terminal_size((80, 24))
"""Taken for a terminal that does not say how large it is: tqdm would draw nothing on it."""


@final
class Bar:
    """A bar on stderr; none where that is no terminal, or where `quiet` is asked for.

    `total` None: nobody knows. Where a detector's output is dropped, it is told of progress between the
    blocks in which that happens.
    """

    def __init__(
        self, done: int, total: int | None, *, quiet: bool, unit: str = "doc", label: str | None = None
    ) -> None:
        shown = not quiet and sys.stderr is not None and sys.stderr.isatty()
        # Its thread would draw while the detector's output, and with it the bar's, is dropped.
        tqdm.monitor_interval = 0
        size = os.get_terminal_size(sys.stderr.fileno()) if shown else _SIZE
        columns, lines = size if all(size) else _SIZE
        self._bar = tqdm(
            desc=label,
            initial=done,
            total=total,
            unit=unit,
            unit_scale=unit == BYTES,
            unit_divisor=1024 if unit == BYTES else 1000,
            file=sys.stderr,
            disable=not shown,
            ncols=columns,
            nrows=lines,
        )

    def show(self, done: int, total: int | None = None) -> None:
        """Say how much is done, less than before too, and of how much where that came to light only now."""
        if total is not None:
            self._bar.total = total
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """Leave the bar as it stands."""
        self._bar.close()
