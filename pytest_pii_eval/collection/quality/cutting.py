"""Cutting the rows of records files into shards as they stream by: of a size, and twice that where many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, final

from pytest_pii_eval.collection.quality.shards import Shard

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pytest_pii_eval.contracts.jsonl import Row

MOST: Final = 512
"""Shards of a suite at which they become twice as large: each costs pytest about 6 kB until the run ends."""


class _Cut(NamedTuple):
    """A run of rows: byte offset, first line (from 1), rows, and the slices in it."""

    offset: int
    line: int
    rows: int
    slices: frozenset[str]


@final
class Cutter:
    """Cuts the rows of the files of a suite, one after the other, into shards of `size` rows.

    Where there are `most` of them, neighbours in a file become one and the size doubles. So the shards of any
    suite fit in memory, but for files that are many and small: each has one of its own.
    """

    def __init__(self, size: int, most: int = MOST) -> None:
        self._size = size
        self._most = most
        self._files: dict[str, list[_Cut]] = {}
        self._sets: dict[frozenset[str], frozenset[str]] = {}
        self._number = 0
        self._open: str | None = None
        self._start = (0, 0)
        self._rows = 0
        self._slices: set[str] = set()

    def add(self, file: str, row: Row, slice_ids: Iterable[str]) -> None:
        """Take one row of `file`; those of a file come in order, and no other between them."""
        if file != self._open:
            self._cut()
            self._open = file
        if not self._rows:
            self._start = (row.offset, row.line)
        self._rows += 1
        self._slices.update(slice_ids)
        if self._rows >= self._size:
            self._cut()

    def shards(self, path: Path, file: str, state: tuple[int, ...]) -> list[Shard]:
        """Return the shards of `file`, which lies at `path` and was in this state; no row comes after."""
        self._cut()
        return [
            Shard(f"shard-{number:05}", path, file, *cut, state)
            for number, cut in enumerate(self._files.get(file, ()), start=1)
        ]

    def _cut(self) -> None:
        if self._open is None or not self._rows:
            return
        cut = _Cut(*self._start, self._rows, self._shared(frozenset(self._slices)))
        self._files.setdefault(self._open, []).append(cut)
        self._rows, self._slices = 0, set()
        self._number += 1
        if self._number >= self._most:
            self._double()

    def _shared(self, slices: frozenset[str]) -> frozenset[str]:
        """Return one set for all that are equal: a suite has few, and they may be large."""
        return self._sets.setdefault(slices, slices)

    def _double(self) -> None:
        self._size *= 2
        self._files = {file: list(self._joined(cuts)) for file, cuts in self._files.items()}
        self._number = sum(map(len, self._files.values()))
        self._most = max(self._most, 2 * self._number)  # files that are many stay as many

    def _joined(self, cuts: list[_Cut]) -> Iterable[_Cut]:
        """Yield the runs of a file, neighbours as one where they fit in a shard."""
        last = cuts[0]
        for cut in cuts[1:]:
            if last.rows + cut.rows <= self._size:
                slices = self._shared(last.slices | cut.slices)
                last = _Cut(last.offset, last.line, last.rows + cut.rows, slices)
            else:
                yield last
                last = cut
        yield last
