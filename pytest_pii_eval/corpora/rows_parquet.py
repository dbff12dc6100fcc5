"""The rows of a Parquet file in small batches, so that one huge row group streams too; needs pyarrow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.parquet_files import (
    NO_VALUE,
    bytes_of_a_row,
    following_batch,
    parquet_file,
)
from pytest_pii_eval.corpora.draft import Unfit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO

_BATCH_BYTES: Final = 4 << 20
_BATCH_ROWS: Final = 1024
_UNREADABLE: Final = object()


def parquet_rows(handle: BinaryIO, columns: Sequence[str] | None) -> Iterator[tuple[int, object]]:
    """Yield the ordinal of each row, from 1, and a dict of its `columns`; None: of all columns.

    Raises `Fault` where pyarrow is missing, where the file lacks a column or is broken; a row with a value
    that is no value of Python (bytes that are not UTF-8 in a text) is unreadable.
    """
    file = parquet_file(handle)
    wanted = _checked(file, columns)
    batches = _batches(file, wanted)
    row = 0
    while (batch := following_batch(batches, row)) is not None:
        lists = [_values(batch.column(name)) for name in wanted]
        for values in zip(*lists, strict=True):
            row += 1
            yield row, _row(wanted, values, row)


def _row(wanted: Sequence[str], values: tuple[object, ...], row: int) -> object:
    if _UNREADABLE in values:
        return Unfit(row, "row_not_readable")
    return dict(zip(wanted, values, strict=True))


def _checked(file: Any, columns: Sequence[str] | None) -> Sequence[str]:
    names: list[str] = file.schema_arrow.names
    wanted = list(names if columns is None else dict.fromkeys(columns))
    for name in wanted:
        if names.count(name) != 1:
            rule = "is no column of the file" if name not in names else "is a column more than once"
            raise Fault(rule, field=_shown(name, columns))
    return wanted


def _shown(name: str, columns: Sequence[str] | None) -> str | None:
    """Return the name of a column that was asked for by name; names in the file are the file's own."""
    return name if columns is not None else None


def _batches(file: Any, wanted: Sequence[str]) -> Iterator[Any]:
    """Return batches of about `_BATCH_BYTES`, by the mean size of a row in the columns that are read."""
    count = min(_BATCH_ROWS, max(1, _BATCH_BYTES // bytes_of_a_row(file, wanted)))
    batches: Iterator[Any] = file.iter_batches(batch_size=count, columns=wanted, use_threads=False)
    return batches


def _values(column: Any) -> list[object]:
    try:
        values: list[object] = column.to_pylist()
    except NO_VALUE:  # one bad value spoils the column: look for it
        return [_value(scalar) for scalar in column]
    return values


def _value(scalar: Any) -> object:
    try:
        value: object = scalar.as_py()
    except NO_VALUE:
        return _UNREADABLE
    return value
