"""A Parquet file as a file of rows, each the object that a line of JSON would be; needs pyarrow."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final, final

from pytest_pii_eval.contracts.canonical import canonical_bytes
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.jsonl import MAX_LINE_BYTES, Row
from pytest_pii_eval.contracts.packed_starts import PARQUET
from pytest_pii_eval.contracts.parquet_files import (
    NO_VALUE,
    bytes_of_a_row,
    following_batch,
    parquet_file,
)
from pytest_pii_eval.contracts.parquet_schema import check_schema
from pytest_pii_eval.contracts.strict_json import refuse_foreign_start

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

_BATCH_BYTES: Final = 4 << 20
_BATCH_ROWS: Final = 16
"""Few, as a long text that is stored once may be that of every row; more would not be much quicker."""


@final
class ParquetRows:
    """The rows of a Parquet file; it remembers where it stands, to go on from there."""

    def __init__(self, handle: BinaryIO, name: str) -> None:
        self._handle = handle
        self._name = name
        self._file: Any = None
        self._standing: _Standing | None = None

    def rows(self, *, line: int, offset: int) -> Iterator[Row]:  # noqa: ARG002  # as other files of rows
        """Yield the rows behind the first `offset` ones; of a row, offset is that number and line one more.

        `raw` is the canonical JSON of the row, which no longer line of a file may be either.
        """
        try:
            standing = self._at(offset)
            self._standing = None
            while (value := standing.following()) is not None:
                row = _row(standing.row, value)
                self._standing = standing
                yield row
                self._standing = None  # where reading on fails, nobody knows where it stands
        except Fault as fault:
            raise fault.at(file=self._name) from None

    def _at(self, offset: int) -> _Standing:
        if self._file is None:
            self._file = _opened(self._handle)
        group, before = _group_of(self._file, offset)
        standing = self._standing
        if standing is None or not before <= standing.row <= offset:
            standing = _Standing(self._file, group, before)
        standing.skip(offset - standing.row)
        return standing


@final
class _Standing:
    """A place in a Parquet file: `row` counts the rows before it."""

    def __init__(self, file: Any, group: int, row: int) -> None:
        self.row = row
        self._wanted = file.metadata.num_rows
        size = min(_BATCH_ROWS, max(1, _BATCH_BYTES // bytes_of_a_row(file)))
        # Group by group: pyarrow does not put the dictionaries of two together inside a struct.
        self._batches: Iterator[Any] = (
            batch
            for one in range(group, file.metadata.num_row_groups)
            for batch in file.iter_batches(batch_size=size, row_groups=[one], use_threads=False)
        )
        self._values: Iterator[dict[str, object]] = iter(())

    def skip(self, count: int) -> None:
        """Step over rows; most of them are never made into Python objects."""
        wanted = self.row + count
        self.row += sum(1 for _ in islice(self._values, count))
        while self.row < wanted:
            batch = following_batch(self._batches, self.row)
            if batch is None:
                raise Fault("changed while the run went on; run again")
            skipped = min(wanted - self.row, batch.num_rows)
            self.row += skipped
            self._values = iter(_values(batch.slice(skipped), self.row))

    def following(self) -> dict[str, object] | None:
        """Step over a row and return it; None at the end."""
        while (value := next(self._values, None)) is None:
            batch = following_batch(self._batches, self.row)
            if batch is None:
                self._check_end()
                return None
            self._values = iter(_values(batch, self.row))
        self.row += 1
        return value

    def _check_end(self) -> None:
        if self.row != self._wanted:
            raise Fault("holds another number of rows than it says; it is broken, or cut off")


def _opened(handle: BinaryIO) -> Any:
    handle.seek(0)
    start = handle.read(64)
    if not start:
        raise Fault("is empty; not even a Parquet file without rows is that")
    if not start.startswith(PARQUET):
        refuse_foreign_start(start)
        raise Fault("is no Parquet file, which its name says it is")
    file = parquet_file(handle)
    check_schema(file.schema_arrow)
    return file


def _group_of(file: Any, offset: int) -> tuple[int, int]:
    """Return the row group that holds the row behind `offset` others, and how many come before the group."""
    before = 0
    for group in range(file.metadata.num_row_groups):
        rows = file.metadata.row_group(group).num_rows
        if offset < before + rows:
            return group, before
        before += rows
    return 0, 0


def _values(piece: Any, row: int) -> list[dict[str, object]]:
    """Return the rows of a piece, before which `row` others come; raises `Fault` with the line."""
    try:
        values: list[dict[str, object]] = piece.to_pylist()
    except NO_VALUE:
        if piece.num_rows == 1:
            raise Fault("holds text that is not UTF-8", line=row + 1) from None
        return [value for at in range(piece.num_rows) for value in _values(piece.slice(at, 1), row + at)]
    return values


def _row(line: int, value: dict[str, object]) -> Row:
    raw = canonical_bytes(value)
    if len(raw) > MAX_LINE_BYTES:
        raise Fault(f"row is longer, as JSON, than the limit of {MAX_LINE_BYTES:,} bytes", line=line)
    return Row(line, line - 1, len(raw), raw, value)
