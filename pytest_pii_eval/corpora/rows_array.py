"""The elements of a file that holds one JSON array, without ever holding the whole file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.jsonl import MAX_LINE_BYTES
from pytest_pii_eval.corpora.rows_lines import value_or_unfit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

_CHUNK: Final = 1 << 18
_SPACE: Final = b" \t\n\r"
# Everything up to the next bracket outside strings. Possessive: linear whatever the bytes are.
_TO_BRACKET: Final = re.compile(rb'(?:[^{}\[\]"]++|"(?:[^"\\]++|\\.)*+")*+[{}\[\]]', re.DOTALL)
_ANOTHER: Final = "holds an element that is neither object nor array; an array of rows is wanted"
_ONE_OBJECT: Final = (
    "holds one object at its top, not an array of rows; where it has an object a line, give the option"
    " format: jsonl, else take the array out of the object"
)


def array_rows(handle: BinaryIO, *, max_bytes: int = MAX_LINE_BYTES) -> Iterator[tuple[int, object]]:
    """Yield the ordinal, from 1, and the value of each element of the array.

    An element that is not strict JSON inside its brackets is one unreadable row. Raises `Fault` where the
    file is no array of objects or arrays, where it ends too early or goes on, and where an element is
    longer than `max_bytes`.
    """
    window = _Window(handle, max_bytes)
    _open(window)
    row = 0
    separator = window.next_byte()
    if separator == b"]":
        window.at += 1
    while separator != b"]":
        row += 1
        try:
            element = _element(window)
            separator = _separator(window)
        except Fault as fault:
            raise fault.at(field=f"[{row - 1}]") from None
        yield row, value_or_unfit(element, row)
    if window.next_byte():
        raise Fault("goes on behind its array; one array is wanted")


def _open(window: _Window) -> None:
    first = window.next_byte()
    if first != b"[":
        raise Fault(_ONE_OBJECT if first == b"{" else "is no JSON array")
    window.at += 1


def _separator(window: _Window) -> bytes:
    """Step over the comma or the bracket behind an element, and return it."""
    found = window.next_byte()
    if found not in (b",", b"]"):
        raise Fault("is not followed by a comma or the end of the array" if found else _too_early())
    window.at += 1
    return found


def _element(window: _Window) -> bytes:
    """Step over an element, and return its bytes."""
    first = window.next_byte()
    if first not in (b"{", b"["):
        raise Fault(_ANOTHER if first else _too_early())
    depth, behind = 0, 0  # bytes behind the start of the element: the window moves
    while True:
        found = _TO_BRACKET.match(window.held, window.at + behind)
        if found is None:
            window.grow()
            continue
        behind = found.end() - window.at
        depth += 1 if window.held[found.end() - 1] in b"{[" else -1
        if depth == 0:
            return window.take(behind)


def _too_early() -> str:
    return "ends before its array does; the file may be cut off"


@final
class _Window:
    """The part of the file that is looked at: `held[at:]` is what comes next."""

    def __init__(self, handle: BinaryIO, max_bytes: int) -> None:
        self._handle = handle
        self._max_bytes = max_bytes
        self.held = b""
        self.at = 0

    def next_byte(self) -> bytes:
        """Step over white space; return the byte behind it without stepping over it, b"" at the end."""
        while True:
            left = self.held[self.at : self.at + 1]
            if not left and not self._read():
                return b""
            if left and left not in _SPACE:
                return left
            self.at += len(left)

    def grow(self) -> None:
        """Read on inside an element; raises `Fault` at the end of the file and past the limit."""
        self._check(len(self.held) - self.at)
        if not self._read():
            raise Fault(_too_early())

    def take(self, size: int) -> bytes:
        """Step over `size` bytes and return them."""
        self._check(size)
        taken = self.held[self.at : self.at + size]
        self.at += size
        return taken

    def _check(self, size: int) -> None:
        if size > self._max_bytes:
            raise Fault(f"is longer than the limit of {self._max_bytes:,} bytes")

    def _read(self) -> bool:
        """Read as much again as is held, so that an element is looked at a bounded number of times."""
        left = self.held[self.at :]
        chunk = self._handle.read(max(_CHUNK, len(left)))
        self.held, self.at = left + chunk, 0
        return bool(chunk)
