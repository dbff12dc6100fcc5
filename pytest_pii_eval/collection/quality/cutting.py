"""Cutting the rows of a records file into shards of a size, as they stream by."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from pytest_pii_eval.collection.quality.shards import Shard

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pii_eval.contracts.jsonl import Row


@final
class Cutter:
    """Cuts the rows of one file into shards of a size."""

    def __init__(self, file: str, size: int) -> None:
        self._file = file
        self._size = size
        self._done: list[tuple[int, int, int, frozenset[str]]] = []
        self._start: tuple[int, int] | None = None
        self._rows = 0
        self._slices: set[str] = set()

    def add(self, row: Row, slice_ids: tuple[str, ...]) -> None:
        """Take one row."""
        if self._start is None:
            self._start = (row.offset, row.line)
        self._rows += 1
        self._slices.update(slice_ids)
        if self._rows == self._size:
            self._cut()

    def closed(self, path: Path, state: tuple[int, ...]) -> list[Shard]:
        """Return all shards of the file, which was in this state."""
        self._cut()
        return [
            Shard(f"shard-{number:05}", path, self._file, *place, state)
            for number, place in enumerate(self._done, start=1)
        ]

    def _cut(self) -> None:
        if self._start is not None:
            self._done.append((*self._start, self._rows, frozenset(self._slices)))
        self._start, self._rows, self._slices = None, 0, set()
