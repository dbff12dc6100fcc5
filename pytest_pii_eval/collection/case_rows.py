"""The rows of a case file between collection and run: 20 bytes a row, and those cases that fit in memory."""

from __future__ import annotations

import os
from array import array
from sys import getsizeof
from typing import TYPE_CHECKING, Final, final

from pytest_pii_eval.collection.failures import CaseFailure
from pytest_pii_eval.contracts.files import open_descriptor
from pytest_pii_eval.contracts.jsonl import parse_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from pytest_pii_eval.contracts.cases import Case, CaseContract
    from pytest_pii_eval.contracts.jsonl import Row

ROOM: Final = 32 * 1024 * 1024
"""Bytes of cases that a process keeps; what does not fit is read again from its place."""

_PER_CASE: Final = 300
"""Bytes that a case takes beside its text and what it expects."""

_PER_RECORD: Final = 150
"""Bytes that an expected record takes: a tuple and two offsets."""


@final
class Room:
    """The room for kept cases that the case files of a process share."""

    __slots__ = ("_left",)

    def __init__(self, size: int = ROOM) -> None:
        self._left = size

    def take(self, case: Case) -> bool:
        """Take the room that `case` needs; tell whether there was enough."""
        needed = _PER_CASE + getsizeof(case.text) + _PER_RECORD * len(case.expected)
        if self._left < needed:
            return False
        self._left -= needed
        return True


@final
class RowReader:
    """Reads rows by place; keeps the file of the last one open."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._path: Path | None = None
        self._descriptor = -1

    def read(self, path: Path, offset: int, size: int) -> bytes:
        """Return `size` bytes from `offset` on of the file at `path`, fewer where it ends."""
        if path is not self._path:
            self.close()
            self._descriptor = open_descriptor(path, root=self._root)
            self._path = path
        os.lseek(self._descriptor, offset, os.SEEK_SET)
        return os.read(self._descriptor, size)

    def close(self) -> None:
        """Close the file that is open, if one is."""
        if self._path is not None:
            os.close(self._descriptor)
            self._path = None


@final
class CaseRows:
    """Where the rows of one case file lie, by their number from 0, and the first cases themselves."""

    __slots__ = ("_digests", "_kept", "_offsets", "_path", "_reader", "_room", "_sizes")

    def __init__(self, path: Path, reader: RowReader, room: Room) -> None:
        self._path = path
        self._reader = reader
        self._room = room
        self._offsets = array("q")
        self._sizes = array("I")
        self._digests = array("q")
        self._kept: list[Case] = []

    def __len__(self) -> int:
        return len(self._sizes)

    def add(self, row: Row, case: Case) -> int:
        """Add the next row of the file, which holds `case`; return its number."""
        number = len(self._sizes)
        self._offsets.append(row.offset)
        self._sizes.append(row.size)
        self._digests.append(hash(row.raw))
        if len(self._kept) == number and self._room.take(case):
            self._kept.append(case)
        return number

    def case(self, number: int, contract: CaseContract) -> Case:
        """Return the case in a row; raises `CaseFailure` where the row is not what it was when checked."""
        if number < len(self._kept):
            return self._kept[number]
        raw = self._reader.read(self._path, self._offsets[number], self._sizes[number])
        if hash(raw) != self._digests[number]:
            place = f"line {number + 1} of {self._path.name}"
            raise CaseFailure(f"{place} changed while the run went on; run again")
        return contract.restore(parse_row(raw))

    def cases(self, numbers: Iterable[int], contract: CaseContract) -> Iterator[Case]:
        """Yield the cases in several rows; raises as `case`."""
        for number in numbers:
            yield self.case(number, contract)
