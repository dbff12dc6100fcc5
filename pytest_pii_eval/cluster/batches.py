"""Cutting files into batches by size alone, and the rows of a batch: those whose line starts in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.jsonl import MAX_LINE_BYTES, Row, read_rows
from pytest_pii_eval.contracts.row_files import container_of, row_file_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_pii_eval.cluster.storage import StoredFile


_LINES: Final = "jsonl"


class Batch(NamedTuple):
    """A range of bytes in one file, `file` being its number; `number` counts the batches of a run.

    A file that is packed is one batch of all its bytes.
    """

    number: int
    file: int
    offset: int
    size: int


def cut(files: Iterable[tuple[int, StoredFile]], size: int) -> Iterator[Batch]:
    """Yield batches of `size` bytes over numbered files, in order.

    A packed file without bytes is one batch, too: its reader says what is wrong with it.
    """
    number = 0
    for ordinal, file in files:
        is_packed = container_of(file.name) != _LINES
        whole = max(file.size, 1)
        step, end = (whole, whole) if is_packed else (size, file.size)
        for offset in range(0, end, step):
            yield Batch(number, ordinal, offset, min(step, file.size - offset))
            number += 1


def rows_of(handle: BinaryIO, batch: Batch, name: str) -> Iterator[Row]:
    """Yield the rows that start in `batch` of the file `name`; lines count from 1 in the batch.

    Raises `Fault` as `read_rows` does, with the line in the batch.
    """
    container = container_of(name)
    if container != _LINES:
        yield from row_file_of(handle, name, container=container).rows()
        return
    start, end = _first_start(handle, batch), batch.offset + batch.size
    if start >= end:
        return
    before = min(start, 1)  # what only the first line of a file may not hold is looked for in line 1
    try:
        for row in read_rows(handle, file=name, line=before, offset=start):
            yield row._replace(line=row.line - before) if before else row
            if row.offset + row.size + 1 >= end:
                return
    except Fault as fault:
        if not before or fault.file != name or fault.line is None:
            raise
        raise Fault(fault.rule, file=name, line=fault.line - before, field=fault.field) from None


def _first_start(handle: BinaryIO, batch: Batch) -> int:
    """Stand at the first line that starts at or behind the offset of `batch`, and return its place."""
    if not batch.offset:
        handle.seek(0)
        return 0
    place = batch.offset - 1  # a line feed here means that a line starts at the offset
    handle.seek(place)
    while place < batch.offset + batch.size:
        part = handle.readline(MAX_LINE_BYTES)
        place += len(part)
        if part.endswith(b"\n") or not part:
            break
    return place
