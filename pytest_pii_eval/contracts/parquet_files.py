"""Opening a Parquet file and reading its batches, with faults of our own; rows are made elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pytest_pii_eval.contracts.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO

_BUFFER_BYTES: Final = 1 << 18
NO_VALUE: Final = (ArithmeticError, LookupError, NotImplementedError, ValueError)
"""What pyarrow raises where a value has no equal in Python: a far date, a text that is not UTF-8."""


def parquet_file(handle: BinaryIO) -> Any:
    """Return pyarrow's `ParquetFile`; raises `Fault` without place where it is missing or cannot read it."""
    try:
        from pyarrow import ArrowException  # noqa: PLC0415  # optional
        from pyarrow.parquet import ParquetFile  # noqa: PLC0415  # optional
    except ImportError:
        raise Fault("is a Parquet file; to read it, pip install 'pytest-pii-eval[parquet]'") from None
    try:
        return ParquetFile(handle, pre_buffer=False, buffer_size=_BUFFER_BYTES)
    except (ArrowException, OSError, ValueError):  # `from None`: its text is a stranger's
        raise Fault("is a broken Parquet file, or cut off") from None


def following_batch(batches: Iterator[Any], row: int) -> Any | None:
    """Return the next batch, None at the end; raises `Fault` without place where it cannot be read."""
    from pyarrow import ArrowException  # noqa: PLC0415  # optional, and there: the file is open

    try:
        return next(batches, None)
    except (ArrowException, OSError, ValueError):
        raise Fault(f"is broken or cut off behind row {row:,}") from None


def bytes_of_a_row(file: Any, columns: Sequence[str] | None = None) -> int:
    """Return the mean size of a row, in bytes, by what the file says of its `columns` (None: all)."""
    facts = file.metadata
    groups = (facts.row_group(at) for at in range(facts.num_row_groups))
    chunks = (group.column(at) for group in groups for at in range(group.num_columns))
    size: int = sum(
        one.total_uncompressed_size
        for one in chunks
        if columns is None or one.path_in_schema.split(".")[0] in columns
    )
    rows: int = facts.num_rows
    return max(1, size // max(1, rows))
