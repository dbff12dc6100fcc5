"""Bracketed classes with their ranges, nested classes and set operations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.detectors.bank.dialect.escapes import check_plain, parse_character, parse_set_escape
from pytest_pii_eval.detectors.bank.dialect.nodes import Operation, Ranges, Set, Union
from pytest_pii_eval.detectors.bank.dialect.sets import fold_set, named_ascii, negate
from pytest_pii_eval.detectors.bank.errors import BadExpression

if TYPE_CHECKING:
    from pytest_pii_eval.detectors.bank.dialect.cursor import Cursor

_OPERATORS = ("&&", "--", "~~")


def parse_class(cursor: Cursor) -> Set:
    """Return the set of the bracketed class that opens at `cursor`, and move behind it."""
    cursor.descend()
    cursor.take()
    cursor.skip()
    negated = cursor.accept("^")
    if negated and not cursor.flags.unicode:
        raise BadExpression("a class that would match broken UTF-8")
    inner = _members(cursor)
    cursor.ascend()
    return negate(inner, negated=negated)


def _members(cursor: Cursor) -> Set:
    items = _leading_members(cursor)
    left: Set | None = None
    operator = ""
    while True:
        cursor.skip()
        if cursor.accept("]"):
            return _combine(left, operator, items)
        if cursor.source[cursor.at : cursor.at + 2] in _OPERATORS:
            left = _combine(left, operator, items)
            operator = cursor.take() + cursor.take()
            items = []
        else:
            items.append(_member(cursor))


def _leading_members(cursor: Cursor) -> list[Set]:
    """Read what only the start of a class allows: any number of `-`, or one `]`."""
    items: list[Set] = []
    cursor.skip()
    while cursor.accept("-"):
        items.append(_points(cursor, 45, 45))
        cursor.skip()
    if not items and cursor.accept("]"):
        items.append(_points(cursor, 93, 93))
    return items


def _combine(left: Set | None, operator: str, items: list[Set]) -> Set:
    right = items[0] if len(items) == 1 else Union(tuple(items))
    return right if left is None else Operation(operator, left, right)


def _member(cursor: Cursor) -> Set:
    if cursor.peek() == "[":
        return _posix(cursor) or parse_class(cursor)
    first = _item(cursor)
    cursor.skip()
    if not isinstance(first, int):
        _refuse_range_of_set(cursor)
        return first
    if not _range_follows(cursor):
        return _points(cursor, first, first)
    cursor.take()
    cursor.skip()
    last = _item(cursor)
    if not isinstance(last, int):
        raise BadExpression("a range in a class that does not end in a character")
    if last < first:
        raise BadExpression("a range in a class that ends before it starts")
    return _points(cursor, first, last)


def _range_follows(cursor: Cursor) -> bool:
    return cursor.peek() == "-" and cursor.peek_behind_space() not in {"]", "-"}


def _refuse_range_of_set(cursor: Cursor) -> None:
    if _range_follows(cursor):
        raise BadExpression("a range in a class that does not start with a character")


def _item(cursor: Cursor) -> int | Set:
    """Return a code point, or the set that an escape names."""
    character = cursor.take()
    if character != "\\":
        return ord(character)
    named = parse_set_escape(cursor)
    return parse_character(cursor) if named is None else named


def _points(cursor: Cursor, first: int, last: int) -> Set:
    inner = Ranges(((first, last),))
    check_plain(cursor, inner)
    return fold_set(inner, unicode=cursor.flags.unicode) if cursor.flags.ignorecase else inner


def _posix(cursor: Cursor) -> Set | None:
    """Return the set of a POSIX class such as `[:alpha:]`, or None where none stands here."""
    end = cursor.source.find(":]", cursor.at)
    if not cursor.source.startswith("[:", cursor.at) or end < 0:
        return None
    name = cursor.source[cursor.at + 2 : end]
    inner = named_ascii(name.removeprefix("^"))
    if inner is None:
        return None
    cursor.at = end + 2
    negated = name.startswith("^")
    if negated and not cursor.flags.unicode:
        raise BadExpression("a class that would match broken UTF-8")
    folded = fold_set(inner, unicode=cursor.flags.unicode) if cursor.flags.ignorecase else inner
    return negate(folded, negated=negated)
