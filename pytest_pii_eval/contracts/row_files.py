"""Files with rows: opened as private input, read from any row on, refused where they change."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, Protocol, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import open_input, state_of_input
from pytest_pii_eval.contracts.jsonl import read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_pii_eval.contracts.jsonl import Row


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


@contextmanager
def open_row_file(path: Path, *, root: Path | None = None, shown: str | None = None) -> Iterator[RowFile]:
    """Open a file with rows, as `contracts.files.open_input` opens files; `shown` names it in messages."""
    name = shown or path.name
    with open_input(path, root=root, shown=name) as handle:
        yield _Lines(handle, name)


@final
class _Lines:
    """A file of JSON Lines."""

    def __init__(self, handle: BinaryIO, name: str) -> None:
        self._handle = handle
        self._name = name
        self._state = state_of_input(handle)

    @property
    def state(self) -> tuple[int, ...]:
        return self._state

    def rows(self, *, line: int = 0, offset: int = 0) -> Iterator[Row]:
        self._handle.seek(offset)
        return read_rows(self._handle, file=self._name, line=line, offset=offset)

    def check_unchanged(self, state: tuple[int, ...] | None = None) -> None:
        if state_of_input(self._handle) != (self._state if state is None else state):
            raise Fault("changed while the run went on; run again", file=self._name)
