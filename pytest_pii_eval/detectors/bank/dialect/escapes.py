"""Escapes: what may follow a backslash, inside and outside a class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.detectors.bank.dialect.cursor import WHITE_SPACE
from pytest_pii_eval.detectors.bank.dialect.nodes import At, Ranges, Set
from pytest_pii_eval.detectors.bank.dialect.properties import property_set
from pytest_pii_eval.detectors.bank.dialect.sets import fold_set, negate, perl
from pytest_pii_eval.detectors.bank.errors import BadExpression

if TYPE_CHECKING:
    from pytest_pii_eval.detectors.bank.dialect.cursor import Cursor

_CONTROLS = {"a": 7, "f": 12, "t": 9, "n": 10, "r": 13, "v": 11}
_HEXADECIMAL = {"x": 2, "u": 4, "U": 8}
_SURROGATES = range(0xD800, 0xE000)
_LAST = 0x10FFFF
_LAST_ASCII = 0x7F

# By name; the second is what the ASCII forms of both boundaries stand for under `(?-u)`.
_PLACES = {
    "<": (At.WORD_START, At.ASCII_WORD_START),
    ">": (At.WORD_END, At.ASCII_WORD_END),
    "B": (At.NOT_WORD_BOUNDARY, At.NOT_ASCII_WORD_BOUNDARY),
    "b": (At.WORD_BOUNDARY, At.ASCII_WORD_BOUNDARY),
    "b{start}": (At.WORD_START, At.ASCII_WORD_START),
    "b{end}": (At.WORD_END, At.ASCII_WORD_END),
    "b{start-half}": (At.NO_WORD_BEFORE, At.NO_ASCII_WORD_BEFORE),
    "b{end-half}": (At.NO_WORD_AFTER, At.NO_ASCII_WORD_AFTER),
}


def parse_set_escape(cursor: Cursor) -> Set | None:
    """Return the set that the escape at `cursor` (behind its backslash) names, or None if it names none."""
    letter = cursor.peek()
    if letter and letter in "dswDSW":
        cursor.take()
        return _perl_set(cursor, letter)
    if letter and letter in "pP":
        cursor.take()
        return _property_escape(cursor, negated=letter == "P")
    return None


def _perl_set(cursor: Cursor, letter: str) -> Set:
    flags = cursor.flags
    negated = letter.isupper()
    if negated and not flags.unicode and not flags.ascii:
        raise BadExpression("a class that would match broken UTF-8")
    inner = perl(letter.lower(), narrow=flags.ascii or not flags.unicode)
    if flags.ignorecase and flags.ascii:
        # The bank's flag is worked in as an ASCII class, and that class then has its cases.
        inner = fold_set(inner, unicode=flags.unicode)
    return negate(inner, negated=negated)


def _property_escape(cursor: Cursor, *, negated: bool) -> Set:
    if not cursor.flags.unicode:
        raise BadExpression("a Unicode property where the flag u is off")
    cursor.skip()
    inner = property_set(_property_name(cursor))
    return negate(fold_set(inner) if cursor.flags.ignorecase else inner, negated=negated)


def _property_name(cursor: Cursor) -> str:
    if not cursor.accept("{"):
        return cursor.take()
    end = cursor.source.find("}", cursor.at)
    if end < 0:
        raise BadExpression("a Unicode property without its closing brace")
    name = cursor.source[cursor.at : end]
    cursor.at = end + 1
    return "".join(c for c in name if c not in WHITE_SPACE) if cursor.flags.verbose else name


def parse_place(cursor: Cursor) -> At | None:
    """Return the place that the escape at `cursor` names, or None if it names none."""
    letter = cursor.peek()
    if letter == "A":
        cursor.take()
        return At.TEXT_START
    if letter and letter in "zZ":
        cursor.take()
        return At.TEXT_END
    if not letter or letter not in "bB<>":
        return None
    name = cursor.take()
    if name == "b" and cursor.peek() == "{" and (cursor.peek(1).isalpha() or cursor.peek(1) == "-"):
        name = _special_boundary(cursor)
    plain, narrow = _PLACES[name]
    flags = cursor.flags
    return narrow if not flags.unicode or (flags.ascii and name in {"b", "B"}) else plain


def _special_boundary(cursor: Cursor) -> str:
    for name in _PLACES:
        if len(name) > 1 and cursor.accept(name[1:]):
            return name
    raise BadExpression("a word boundary of a name that is not known")


def parse_character(cursor: Cursor) -> int:
    """Return the code point that the escape at `cursor` (behind its backslash) stands for."""
    letter = cursor.take()
    if letter in _CONTROLS:
        return _CONTROLS[letter]
    if letter in _HEXADECIMAL:
        return _hexadecimal(cursor, _HEXADECIMAL[letter])
    if letter.isalnum() or not letter.isascii() or letter in "<>":
        raise BadExpression("an escape that is not known")
    return ord(letter)


def _hexadecimal(cursor: Cursor, digits: int) -> int:
    cursor.skip()
    braces = cursor.accept("{")
    found = _digits_in_braces(cursor) if braces else _fixed_digits(cursor, digits)
    if not found or not all(c in "0123456789abcdefABCDEF" for c in found):
        raise BadExpression("a hexadecimal escape without its digits")
    point = int(found, 16)
    if point > _LAST or point in _SURROGATES:
        raise BadExpression("a hexadecimal escape that is no Unicode scalar value")
    if not braces and not cursor.flags.unicode and point > _LAST_ASCII:
        raise BadExpression("an escape that would match broken UTF-8")
    return point


def _digits_in_braces(cursor: Cursor) -> str:
    found = ""
    cursor.skip()
    while not cursor.accept("}"):
        found += cursor.take()
        cursor.skip()
    return found


def _fixed_digits(cursor: Cursor, digits: int) -> str:
    found = cursor.take()
    while len(found) < digits:
        cursor.skip()
        found += cursor.take()
    return found


def check_plain(cursor: Cursor, inner: Set) -> None:
    """Refuse a set with code points beyond ASCII where the flag `u` is off."""
    if (
        not cursor.flags.unicode
        and isinstance(inner, Ranges)
        and any(high > _LAST_ASCII for _, high in inner.ranges)
    ):
        raise BadExpression("a class that would match broken UTF-8")
