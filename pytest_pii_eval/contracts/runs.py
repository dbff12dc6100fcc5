"""Entries of one size in sorted runs, in a temporary file without a name; here they are only bytes."""

from __future__ import annotations

import tempfile
from bisect import bisect_left
from contextlib import contextmanager, suppress
from heapq import merge
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, final
from weakref import finalize

from pytest_pii_eval.contracts.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FAN: Final = 256
"""Runs of a level that are merged into one of the next, so that no merge has many more."""

_LEAST: Final = 16
"""Entries of a run that are read at once while runs are merged, however many there are."""


class _Run(NamedTuple):
    """Where a run lies in its file: its first byte, and how many entries it has."""

    offset: int
    entries: int


@final
class _Level:
    """Sorted runs of byte entries of `size`, in one temporary file without a name."""

    def __init__(self, size: int, at_once: int) -> None:
        self._size = size
        self._at_once = at_once
        self._end = 0
        self.runs: list[_Run] = []
        with _on_disk():
            self._file: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115  # closed by the line below
        finalize(self, _close, self._file)

    def append(self, entries: Iterable[bytes]) -> None:
        """Write a run of sorted entries."""
        offset, rest = self._end, iter(entries)
        while some := list(islice(rest, self._at_once)):
            payload = b"".join(some)
            with _on_disk():
                self._file.seek(self._end)
                self._file.write(payload)
                self._file.flush()
            self._end += len(payload)
        self.runs.append(_Run(offset, (self._end - offset) // self._size))

    def clear(self) -> None:
        """Drop all runs, and give back their space."""
        with _on_disk():
            self._file.truncate(0)
        self.runs, self._end = [], 0

    def finds(self, run: _Run, start: bytes) -> bool:
        """Tell whether an entry of `run` starts with these bytes."""

        def at(number: int) -> bytes:
            return self._read(run.offset + number * self._size, len(start))

        number = bisect_left(range(run.entries), start, key=at)
        return number < run.entries and at(number) == start

    def entries(self, run: _Run, step: int) -> Iterator[bytes]:
        """Yield the entries of `run`; `step` of them are read at once."""
        size = self._size
        end = run.offset + run.entries * size
        for offset in range(run.offset, end, step * size):
            block = self._read(offset, min(step * size, end - offset))
            for at in range(0, len(block), size):
                yield block[at : at + size]

    def _read(self, offset: int, size: int) -> bytes:
        with _on_disk():
            self._file.seek(offset)
            return self._file.read(size)


@final
class Runs:
    """Sorted runs of byte entries of `size`, in levels. They are gone with this object, and with its process.

    While they are merged, about `at_once` entries are in memory, of all runs together.
    """

    def __init__(self, size: int, at_once: int) -> None:
        self._size = size
        self._at_once = at_once
        self._levels = [_Level(size, at_once)]

    def append(self, entries: Iterable[bytes]) -> None:
        """Write a run of sorted entries; raises `Fault` where the disk refuses."""
        self._append(entries, 0)

    def merged(self, last: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the entries of all runs, and those of `last`, which is one more, in order."""
        return merge(*self._sources(self._levels), last)

    def holds(self, start: bytes) -> bool:
        """Tell whether an entry of a run starts with these bytes."""
        return any(level.finds(run, start) for level in self._levels for run in level.runs)

    def _append(self, entries: Iterable[bytes], number: int) -> None:
        if number == len(self._levels):
            self._levels.append(_Level(self._size, self._at_once))
        level = self._levels[number]
        level.append(entries)
        if len(level.runs) == FAN:
            self._append(merge(*self._sources([level])), number + 1)
            level.clear()

    def _sources(self, levels: Iterable[_Level]) -> list[Iterator[bytes]]:
        runs = [(level, run) for level in levels for run in level.runs]
        step = max(_LEAST, self._at_once // max(1, len(runs)))
        return [level.entries(run, step) for level, run in runs]


@contextmanager
def _on_disk() -> Iterator[None]:
    """Turn what the operating system refuses into a `Fault` of one line."""
    try:
        yield
    except OSError as error:
        rule = f"the ids so far could not be kept in the temporary folder ({error.strerror});"
        raise Fault(f"{rule} free space there, or let TMPDIR name another folder") from None


def _close(file: BinaryIO) -> None:
    with suppress(OSError):  # what could not be written is written again by nobody
        file.close()
