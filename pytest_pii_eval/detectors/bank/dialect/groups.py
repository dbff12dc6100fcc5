"""Groups: their flags, their names and numbers, and the references back to them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, final

from pytest_pii_eval.detectors.bank.errors import BadExpression

if TYPE_CHECKING:
    from pytest_pii_eval.detectors.bank.dialect.cursor import Cursor, Flags

_MOST_DIGITS = 3
_LETTERS = {
    "i": "ignorecase",
    "m": "multiline",
    "s": "dotall",
    "x": "verbose",
    "U": "swap_greed",
    "R": "crlf",
    "u": "unicode",
}


def parse_flags(cursor: Cursor) -> tuple[Flags, str]:
    """Return the flags that hold behind the `?` of a group at `cursor`, and the `:` or `)` that ends them."""
    changes: dict[str, bool] = {}
    value = True
    dangling = True
    while (letter := cursor.take()) not in {":", ")"}:
        if letter == "-" and value:
            value, dangling = False, True
        elif letter in _LETTERS and _LETTERS[letter] not in changes:
            changes[_LETTERS[letter]] = value
            dangling = False
        else:
            raise BadExpression("a group whose flags or kind are not known")
    if dangling and (not value or letter == ")"):
        raise BadExpression("a group whose flags are not complete")
    return replace(cursor.flags, **changes), letter


@final
class GroupNames:
    """The capturing groups seen so far."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._count = 0
        self._closed: set[int] = set()

    def open(self, cursor: Cursor, *, named: bool) -> int:
        """Return the number of the group that opens at `cursor`, reading its name where it has one."""
        self._count += 1
        if named:
            name = _name(cursor, ">")
            if name in self._numbers:
                raise BadExpression("two groups of the same name")
            self._numbers[name] = self._count
        return self._count

    def close(self, number: int) -> None:
        """Note that the group is complete: only from here on it can be referred to."""
        self._closed.add(number)

    def by_name(self, cursor: Cursor, end: str) -> int:
        """Return the number of the group whose name stands at `cursor`, up to `end`."""
        return self._known(self._numbers.get(_name(cursor, end), 0))

    def reference(self, cursor: Cursor) -> int | None:
        """Return the number of the group that the escape at `cursor` refers to, or None if it does not."""
        if cursor.accept("k<"):
            return self.by_name(cursor, ">")
        digits = ""
        while cursor.peek() and cursor.peek() in "0123456789":
            digits += cursor.take()
        if not digits:
            return None
        return self._known(int(digits) if len(digits) <= _MOST_DIGITS and not digits.startswith("0") else 0)

    def _known(self, number: int) -> int:
        if number not in self._closed:
            raise BadExpression("a reference to a group that is not complete before it")
        return number


def _name(cursor: Cursor, end: str) -> str:
    name = ""
    while not cursor.accept(end):
        name += cursor.take()
    if not name or not (name[0] == "_" or name[0].isalpha()):
        raise BadExpression("a group name that is no name")
    if not all(c.isalnum() or c in "_.[]" for c in name):
        raise BadExpression("a group name that is no name")
    return name
