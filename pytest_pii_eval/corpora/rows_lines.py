"""The rows of a file with a JSON value on each line; a line that breaks a rule is one unreadable row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.jsonl import MAX_LINE_BYTES
from pytest_pii_eval.contracts.strict_json import parse_line
from pytest_pii_eval.corpora.draft import Unfit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO


def line_rows(handle: BinaryIO, *, max_line_bytes: int = MAX_LINE_BYTES) -> Iterator[tuple[int, object]]:
    """Yield the line number and the value of each line; raises `Fault` with the line where one is too long.

    A carriage return before the line feed, a last line without one and blank lines at the very end are
    taken: the bytes are pinned, so nothing can be cut off unseen. Blank lines elsewhere are unreadable rows.
    """
    line = blank = 0
    while raw := handle.readline(max_line_bytes + 2):
        line += 1
        if len(raw) - raw.endswith(b"\n") > max_line_bytes:
            raise Fault(f"line is longer than the limit of {max_line_bytes:,} bytes", line=line)
        if raw.isspace():
            blank += 1
            continue
        yield from ((number, Unfit(number, "row_not_readable")) for number in range(line - blank, line))
        blank = 0
        yield line, value_or_unfit(raw, line)


def value_or_unfit(payload: bytes, row: int) -> object:
    """Return the value in the bytes of a row, or `Unfit` where they are not strict JSON."""
    try:
        return parse_line(payload)
    except Fault:
        return Unfit(row, "row_not_readable")
