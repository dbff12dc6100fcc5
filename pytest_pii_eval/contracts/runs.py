"""Entries of one size in sorted runs, in a temporary file without a name; here they are only bytes."""

from __future__ import annotations

import tempfile
from bisect import bisect_left
from contextlib import contextmanager, suppress
from heapq import merge
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, final
from weakref import finalize

from pytest_pii_eval.contracts.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_LEAST: Final = 16
"""Entries of a run that are read at once while runs are merged, however many there are."""


class _Run(NamedTuple):
    """Where a run lies: its first byte, and how many entries it has."""

    offset: int
    entries: int


@final
class Runs:
    """Sorted runs of byte entries of `size`. The file is gone with this object, and with its process."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._runs: list[_Run] = []
        self._end = 0
        with _on_disk():
            self._file: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115  # closed by the line below
        finalize(self, _close, self._file)

    def append(self, entries: Sequence[bytes]) -> None:
        """Write a run; raises `Fault` where the disk refuses."""
        payload = b"".join(entries)
        with _on_disk():
            self._file.seek(self._end)
            self._file.write(payload)
            self._file.flush()
        self._runs.append(_Run(self._end, len(entries)))
        self._end += len(payload)

    def merged(self, last: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the entries of all runs, and those of `last`, which is one more, in order.

        Of all runs together about as many entries are in memory as one run has.
        """
        step = max(_LEAST, max(run.entries for run in self._runs) // len(self._runs))
        return merge(*(self._entries(run, step) for run in self._runs), last)

    def holds(self, start: bytes) -> bool:
        """Tell whether an entry of a run starts with these bytes."""
        return any(self._finds(run, start) for run in self._runs)

    def _finds(self, run: _Run, start: bytes) -> bool:
        def at(number: int) -> bytes:
            return self._read(run.offset + number * self._size, len(start))

        number = bisect_left(range(run.entries), start, key=at)
        return number < run.entries and at(number) == start

    def _entries(self, run: _Run, step: int) -> Iterator[bytes]:
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
