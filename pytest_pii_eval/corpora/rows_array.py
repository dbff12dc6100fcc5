"""The elements of a file that holds one JSON array, without ever holding the whole file."""

from __future__ import annotations

import json
import re
from codecs import getincrementaldecoder
from typing import TYPE_CHECKING, Final, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.jsonl import MAX_LINE_BYTES
from pytest_pii_eval.corpora.rows_lines import value_or_unfit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

_CHUNK: Final = 1 << 18
_SPACE: Final = " \t\n\r"
# It only says where an element ends; whether it is strict JSON is looked at then.
_DECODER: Final = json.JSONDecoder()
# Everything up to the next bracket outside strings. Possessive: linear whatever the bytes are.
_TO_BRACKET: Final = re.compile(r'(?:[^{}\[\]"]++|"(?:[^"\\]++|\\.)*+")*+[{}\[\]]', re.DOTALL)
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
    separator = window.following()
    if separator == "]":
        window.at += 1
    while separator != "]":
        row += 1
        try:
            element = _element(window)
            separator = _separator(window)
        except Fault as fault:
            raise fault.at(field=f"[{row - 1}]") from None
        yield row, value_or_unfit(element, row)
    if window.following():
        raise Fault("goes on behind its array; one array is wanted")


def _open(window: _Window) -> None:
    first = window.following()
    if first != "[":
        raise Fault(_ONE_OBJECT if first == "{" else "is no JSON array")
    window.at += 1


def _separator(window: _Window) -> str:
    """Step over the comma or the bracket behind an element, and return it."""
    found = window.following()
    if found not in (",", "]"):
        raise Fault("is not followed by a comma or the end of the array" if found else _too_early())
    window.at += 1
    return found


def _element(window: _Window) -> bytes:
    """Step over an element, and return its bytes."""
    first = window.following()
    if first not in ("{", "["):
        raise Fault(_ANOTHER if first else _too_early())
    try:
        _, end = _DECODER.raw_decode(window.held, window.at)
    except (ValueError, RecursionError):  # it is no JSON, or goes on behind the window
        return window.take(_size(window))
    return window.take(end - window.at)


def _size(window: _Window) -> int:
    """Return how long an element is that may be no JSON, by its brackets outside strings."""
    depth = size = 0
    while True:
        found = _TO_BRACKET.match(window.held, window.at + size)
        if found is None:
            window.grow()
            continue
        size = found.end() - window.at
        depth += 1 if window.held[found.end() - 1] in "{[" else -1
        if depth == 0:
            return size


def _too_early() -> str:
    return "ends before its array does; the file may be cut off"


@final
class _Window:
    """The part of the file that is looked at: `held[at:]` is what comes next."""

    def __init__(self, handle: BinaryIO, max_bytes: int) -> None:
        self._handle = handle
        self._max_bytes = max_bytes
        # Bytes that are not UTF-8 go through, so that they spoil one element and not the file.
        self._decoder = getincrementaldecoder("utf-8")("surrogateescape")
        self.held = ""
        self.at = 0

    def following(self) -> str:
        """Step over white space; return the character behind it without stepping over it, "" at the end."""
        while True:
            found = self.held[self.at : self.at + 1]
            if found and found not in _SPACE:
                return found
            if not found and not self._read():
                return ""
            self.at += len(found)

    def grow(self) -> None:
        """Read on inside an element; raises `Fault` at the end of the file and past the limit."""
        self._check(len(self.held) - self.at)
        if not self._read():
            raise Fault(_too_early())

    def take(self, size: int) -> bytes:
        """Step over `size` characters and return their bytes."""
        taken = self.held[self.at : self.at + size].encode("utf-8", "surrogateescape")
        self._check(len(taken))
        self.at += size
        return taken

    def _check(self, size: int) -> None:
        if size > self._max_bytes:
            raise Fault(f"is longer than the limit of {self._max_bytes:,} bytes")

    def _read(self) -> bool:
        """Read as much again as is held, so that an element is looked at a bounded number of times."""
        left = self.held[self.at :]
        chunk = self._handle.read(max(_CHUNK, len(left)))
        self.held, self.at = left + self._decoder.decode(chunk, final=not chunk), 0
        return len(self.held) > len(left) or bool(chunk)
