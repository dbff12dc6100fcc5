"""JSON Lines that are packed, as a file of rows: it remembers where it stands, to go on from there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.jsonl import read_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from pytest_pii_eval.contracts.jsonl import Row

_SKIP: Final = 1 << 20


@final
class PackedRows:
    """The rows of a packed file; `start` gives the bytes in it from the beginning."""

    def __init__(self, start: Callable[[], BinaryIO], name: str) -> None:
        self._start = start
        self._name = name
        self._stream: BinaryIO | None = None
        self._offset = 0

    def rows(self, *, line: int, offset: int) -> Iterator[Row]:
        """Yield the rows behind `line` lines and `offset` bytes; going back costs a new beginning."""
        stream = self._standing(line, offset)
        self._stream = None
        for row in read_rows(stream, file=self._name, line=line, offset=offset):
            self._stream, self._offset = stream, row.offset + row.size + 1
            yield row
            self._stream = None  # where reading on fails, nobody knows where it stands

    def _standing(self, line: int, offset: int) -> BinaryIO:
        try:
            if self._stream is None or offset < self._offset:
                self._stream, self._offset = self._start(), 0
            self._skip(self._stream, offset)
        except Fault as fault:
            raise fault.at(file=self._name, line=line or None) from None
        return self._stream

    def _skip(self, stream: BinaryIO, offset: int) -> None:
        while self._offset < offset:
            skipped = len(stream.read(min(_SKIP, offset - self._offset)))
            if not skipped:
                raise Fault("changed while the run went on; run again")
            self._offset += skipped
