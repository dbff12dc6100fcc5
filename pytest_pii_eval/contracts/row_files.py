"""Files with rows: opened as private input, read from any row on in any container, refused on change."""

from __future__ import annotations

import weakref
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, Literal, Protocol, final

from pytest_pii_eval.contracts.containers import Container, container_of
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import open_input, state_of_input
from pytest_pii_eval.contracts.jsonl import read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import TypeAlias

    from pytest_pii_eval.contracts.jsonl import Row
    from pytest_pii_eval.contracts.packed import Packing

    _Key: TypeAlias = tuple[Path, tuple[int, ...]]

__all__ = ["Container", "RowFile", "RowFiles", "container_of", "open_row_file", "row_file_of"]


class RowFile(Protocol):
    """An open file of rows."""

    def rows(self, *, line: int = 0, offset: int = 0) -> Iterator[Row]:
        """Yield the rows behind the first `line` ones, which lie from `offset` on; raises `Fault` with place.

        `offset` is what a row's own `offset` says: bytes of the lines (decompressed, where they are
        compressed), or the number of the row in a file that has no lines.
        """

    def check_unchanged(self, state: tuple[int, ...] | None = None) -> None:
        """Raise `Fault` where the file is not what it was when it was opened, or had another `state`."""

    @property
    def state(self) -> tuple[int, ...]:
        """What changes where somebody writes to the file or puts another in its place."""


class _Reader(Protocol):
    """What reads the rows of one container."""

    def rows(self, *, line: int, offset: int) -> Iterator[Row]:
        """Yield them as a `RowFile` does."""


@contextmanager
def open_row_file(path: Path, *, root: Path | None = None, shown: str | None = None) -> Iterator[RowFile]:
    """Open a file with rows, as `contracts.files.open_input` opens files; `shown` names it in messages."""
    name = shown or path.name
    with open_input(path, root=root, shown=name) as handle:
        yield row_file_of(handle, name, container=container_of(path.name))


def row_file_of(handle: BinaryIO, name: str, *, container: Container) -> RowFile:
    """Return the rows of an open file, which can seek; `name` is what messages call it."""
    return _Opened(handle, name, container)


@final
class RowFiles:
    """Opens files with rows as `open_row_file` does, and keeps the last packed one open.

    Rows in the middle of a packed file are reached through all that come before: whoever reads part after
    part of one goes on where the part before ended. It lets go of the file by itself when it is let go of.
    """

    def __init__(self) -> None:
        self._kept: tuple[_Key, RowFile] | None = None
        self._stack = ExitStack()
        weakref.finalize(self, self._stack.close)

    @contextmanager
    def open(self, path: Path, *, root: Path | None = None, shown: str | None = None) -> Iterator[RowFile]:
        """Open a file with rows, or return to the kept one where it still is the file at `path`."""
        if container_of(path.name) == "jsonl":
            with open_row_file(path, root=root, shown=shown) as plain:
                yield plain
            return
        name = shown or path.name
        with ExitStack() as stack:
            handle = stack.enter_context(open_input(path, root=root, shown=name))
            key = (path, state_of_input(handle))
            kept, self._kept = self._kept, None
            if kept is not None and kept[0] == key:
                yield kept[1]
                self._kept = kept
                return
            file = row_file_of(handle, name, container=container_of(path.name))
            yield file
            self.close()
            self._stack.push(stack.pop_all())
            self._kept = (key, file)

    def close(self) -> None:
        """Let go of the kept file, if there is one."""
        self._kept = None
        self._stack.close()


@final
class _Lines:
    """Plain JSON Lines."""

    def __init__(self, handle: BinaryIO, name: str) -> None:
        self._handle = handle
        self._name = name

    def rows(self, *, line: int, offset: int) -> Iterator[Row]:
        self._handle.seek(offset)
        return read_rows(self._handle, file=self._name, line=line, offset=offset)


@final
class _Opened:
    """An open file whose reader is made when its first row is asked for."""

    def __init__(self, handle: BinaryIO, name: str, container: Container) -> None:
        self._handle = handle
        self._name = name
        self._container = container
        self._state = _state_of(handle)
        self._reader: _Reader | None = None

    @property
    def state(self) -> tuple[int, ...]:
        return self._state

    def rows(self, *, line: int = 0, offset: int = 0) -> Iterator[Row]:
        if self._reader is None:
            self._reader = _reader_of(self._handle, self._name, self._container)
        return self._reader.rows(line=line, offset=offset)

    def check_unchanged(self, state: tuple[int, ...] | None = None) -> None:
        if _state_of(self._handle) != (self._state if state is None else state):
            raise Fault("changed while the run went on; run again", file=self._name)


def _state_of(handle: BinaryIO) -> tuple[int, ...]:
    """Return the state of a file of this machine; of another nothing is known here."""
    try:
        return state_of_input(handle)
    except (AttributeError, OSError):
        return ()


def _reader_of(handle: BinaryIO, name: str, container: Container) -> _Reader:
    """Return what reads `container`; its room is imported where a file asks for it."""
    if container == "jsonl":
        return _Lines(handle, name)
    if container == "parquet":
        from pytest_pii_eval.contracts.parquet_rows import ParquetRows  # noqa: PLC0415

        return ParquetRows(handle, name)
    from pytest_pii_eval.contracts.packed import unpacked  # noqa: PLC0415
    from pytest_pii_eval.contracts.packed_rows import PackedRows  # noqa: PLC0415

    try:
        packing = _packing_of(container)
    except Fault as fault:
        raise fault.at(file=name) from None
    return PackedRows(partial(unpacked, handle, packing), name)


def _packing_of(container: Literal["gzip", "zstd"]) -> Packing:
    if container == "gzip":
        from pytest_pii_eval.contracts.packed_gzip import gzip_packing  # noqa: PLC0415

        return gzip_packing()
    from pytest_pii_eval.contracts.packed_zstd import zstd_packing  # noqa: PLC0415

    return zstd_packing()
