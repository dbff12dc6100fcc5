"""The raw rows of a corpus file, one at a time in bounded memory; what they mean is the adapters' matter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import open_input
from pytest_pii_eval.contracts.packed_starts import PARQUET, packing_of
from pytest_pii_eval.contracts.strict_json import refuse_foreign_start
from pytest_pii_eval.corpora.options import one_of
from pytest_pii_eval.corpora.rows_array import array_rows
from pytest_pii_eval.corpora.rows_lines import line_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import BinaryIO

FORMAT_NAMES: Final = ("jsonl", "json", "parquet")
"""The formats that an option may name."""

FORMATS: Final[Mapping[str, str]] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".parquet": "parquet",
}
"""The format that the end of a file's name stands for."""

_START: Final = 64  # bytes: more than the longest start that is told apart


def format_option(value: str | None) -> str | None:
    """Return the format that an option names, None where it names none; raises `Fault`."""
    return None if value is None else one_of("format", value, FORMAT_NAMES)


def rows(
    path: Path,
    *,
    columns: Sequence[str] | None = None,
    format: str | None = None,  # noqa: A002  # the word that pins use
) -> Iterator[tuple[int, object]]:
    """Yield `(row, value)` in the order of the file; `row` counts from 1, and is the line of a file of lines.

    `format` is `jsonl` (a value a line), `json` (one array, a value an element) or `parquet` (a dict of
    `columns` a row; None: all columns); without it the end of the file's name tells. A row that cannot be
    read alone comes as `Unfit` in place of a value. Raises `Fault` with the file's name where the file as a
    whole cannot be read, or where a row is longer than 16 MiB.
    """
    chosen = format or _format_of(path)
    with open_input(path) as handle:
        try:
            _refuse_start(handle, chosen)
            yield from _rows(handle, chosen, columns)
        except Fault as fault:
            raise fault.at(file=path.name) from None


def _rows(handle: BinaryIO, chosen: str, columns: Sequence[str] | None) -> Iterator[tuple[int, object]]:
    if chosen == "jsonl":
        return line_rows(handle)
    if chosen == "json":
        return array_rows(handle)
    from pytest_pii_eval.corpora.rows_parquet import parquet_rows  # noqa: PLC0415  # only where it is asked for

    return parquet_rows(handle, columns)


def _format_of(path: Path) -> str:
    found = FORMATS.get(path.suffix.lower())
    if found is None:
        known = ", ".join(FORMATS)
        raise Fault(f"its name tells no format; end it in {known}, or give the option format", file=path.name)
    return found


def _refuse_start(handle: BinaryIO, chosen: str) -> None:
    """Raise `Fault` where the first bytes show that the file is packed, or of another format."""
    start = handle.read(_START)
    handle.seek(0)
    packing = packing_of(start)
    if packing is not None:
        raise Fault(f"is packed ({packing}); unpack it first")
    refuse_foreign_start(start)
    if start.startswith(PARQUET) != (chosen == "parquet"):
        rule = "is no Parquet file" if chosen == "parquet" else "is a Parquet file"
        raise Fault(f"{rule}; the end of its name or the option format says {chosen}")
