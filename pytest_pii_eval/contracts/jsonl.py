"""The one reader of JSON Lines: bounded, streaming, strict, and it remembers where each row lies."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.packed_starts import PARQUET, packing_of
from pytest_pii_eval.contracts.strict_json import parse_line, refuse_foreign_start

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_LINE_BYTES = 16 * 1024 * 1024


class Row(NamedTuple):
    """One object of a JSON Lines file.

    `line` counts from 1; `offset` and `size` are bytes in the file, the line feed not included;
    `raw` is those bytes and `value` what they say.
    """

    line: int
    offset: int
    size: int
    raw: bytes
    value: dict[str, object]


def read_rows(
    handle: BinaryIO, *, file: str, line: int = 0, offset: int = 0, max_line_bytes: int = MAX_LINE_BYTES
) -> Iterator[Row]:
    """Yield the rows of `handle`; raises `Fault` with `file` and line at the first that breaks a rule.

    Every line ends with a line feed, the last one too: a file without it may have been cut off. A
    handle that stands inside the file says so by `offset` in bytes and `line`, the lines before it.
    """
    while True:
        line += 1
        try:
            raw = handle.readline(max_line_bytes + 2)  # which may unpack, and find what is broken
            if not raw:
                return
            if line == 1:
                _refuse_start(raw)
            content = _content(raw, max_line_bytes)
            yield Row(line, offset, len(content), content, parse_row(content))
        except Fault as fault:
            raise fault.at(file=file, line=line) from None
        offset += len(raw)


def parse_row(content: bytes) -> dict[str, object]:
    """Return the object in one line (without its line feed); raises `Fault` without place."""
    value = parse_line(content)
    if type(value) is not dict:
        raise Fault("expected one object per line")
    return value


def _refuse_start(raw: bytes) -> None:
    packing = "Parquet" if raw.startswith(PARQUET) else packing_of(raw)
    if packing is not None:
        raise Fault(f"holds {packing} data and no lines of text; unpack it, or give it the name that says so")
    refuse_foreign_start(raw)


def _content(raw: bytes, max_line_bytes: int) -> bytes:
    if len(raw) - raw.endswith(b"\n") > max_line_bytes:
        raise Fault(f"line is longer than the limit of {max_line_bytes:,} bytes")
    if not raw.endswith(b"\n"):
        raise Fault("last line does not end with a line feed; the file may be cut off")
    if b"\r" in raw:
        raise Fault("holds a carriage return; lines end with a line feed alone")
    content = raw[:-1]
    if not content or content.isspace():
        raise Fault("blank line")
    return content
