"""A syntax tree written out for RE2, matching at least wherever the expression does.

What RE2 lacks or means otherwise is left out or widened: look-around holds always, a reference stands for
any text, a class of more than plain ranges takes in all that is not ASCII, and a class or a character that
is a digit is every digit. The last keeps RE2's automaton small: else it tells apart all numbers that it
reads. In texts with an `ODD` character nothing is promised.
"""

from __future__ import annotations

from functools import lru_cache, singledispatch
from typing import NamedTuple

import regex

from pytest_pii_eval.detectors.bank.dialect.emit_set import set_source
from pytest_pii_eval.detectors.bank.dialect.nodes import (
    Assertion,
    At,
    Atomic,
    Character,
    Choice,
    Class,
    Group,
    Look,
    Node,
    Ranges,
    Reference,
    Repeat,
    Sequence,
    Set,
    Union,
)
from pytest_pii_eval.detectors.bank.dialect.width import least_width
from pytest_pii_eval.detectors.bank.folding import family

_ASCII = "".join(map(chr, range(128)))
_BEYOND_ASCII = (128, 0x10FFFF)
_DIGITS = (0x30, 0x39)
_ANY_TEXT = r"[\x{0}-\x{10ffff}]*"
_NOTHING = "(?:)"

ODD = tuple(chr(point) for point in family(ord("k")) + family(ord("s")) if point > max(map(ord, _ASCII)))
"""What is not ASCII and folds to ASCII: long s and the Kelvin sign, for which each `s` and `k` would grow."""

# Counts beyond this are cut down: RE2 spells repetitions out, and its automaton grows with them.
_MOST = 8

# RE2 means the same by these. To its `\b` and `\B` only ASCII is a word.
_SAME = {
    At.TEXT_START: r"\A",
    At.TEXT_END: r"\z",
    At.LINE_START: r"(?m:^)",
    At.LINE_END: r"(?m:$)",
    At.ASCII_WORD_BOUNDARY: r"\b",
    At.NOT_ASCII_WORD_BOUNDARY: r"\B",
}
_NEARLY = {At.WORD_BOUNDARY: r"\b", At.NOT_WORD_BOUNDARY: r"\B"}


class _Free(NamedTuple):
    """Whether nothing of the expression stands before a node, and whether nothing stands behind it."""

    before: bool
    behind: bool


_INSIDE = _Free(before=False, behind=False)


def widen(node: Node) -> str:
    """Return an RE2 expression that matches in every text in which `node` does, if it holds nothing `ODD`."""
    return _wide(node, _Free(before=True, behind=True))


@singledispatch
def _wide(node: Node, _free: _Free) -> str:
    raise TypeError(type(node).__name__)


@_wide.register
def _look(_node: Look, _free: _Free) -> str:
    return _NOTHING


@_wide.register
def _place(node: Assertion, _free: _Free) -> str:
    return _SAME.get(node.at, _NOTHING)


@_wide.register
def _reference(_node: Reference, _free: _Free) -> str:
    return _ANY_TEXT


@_wide.register
def _character(node: Character, _free: _Free) -> str:
    return _written(_ranges(node))


@_wide.register
def _class(node: Class, _free: _Free) -> str:
    return _written(_ranges(node))


@_wide.register(Group)
@_wide.register(Atomic)
def _group(node: Group | Atomic, free: _Free) -> str:
    return _wide(node.inner, free)


@_wide.register
def _repeat(node: Repeat, free: _Free) -> str:
    least = min(node.least, _MOST)
    most = "" if node.most is None or node.most > _MOST else node.most
    return f"(?:{_wide(node.inner, free if node.most == 1 else _INSIDE)}){{{least},{most}}}"


@_wide.register
def _choice(node: Choice, free: _Free) -> str:
    return "|".join(f"(?:{_wide(branch, free)})" for branch in node.branches)


@_wide.register
def _sequence(node: Sequence, free: _Free) -> str:
    return "".join(f"(?:{_part(node.parts, at, free)})" for at in range(len(node.parts)))


def _part(parts: tuple[Node, ...], at: int, free: _Free) -> str:
    """Return one part of a sequence, by what stands around it."""
    before, part, behind = parts[:at], parts[at], parts[at + 1 :]
    here = _Free(free.before and _is_look_only(before), free.behind and _is_look_only(behind))
    if isinstance(part, Assertion) and part.at in _NEARLY:
        # Beside ASCII within the match, only a neighbour outside that is not ASCII is told otherwise by RE2.
        # A match of the set may begin or end with that one: then it is as if the place held.
        if (here.before and _is_ascii(behind)) or (here.behind and _is_ascii(before[::-1], backward=True)):
            return f"{_NEARLY[part.at]}|{_written((_BEYOND_ASCII,))}"
        return _NOTHING
    return _wide(part, here)


def _is_look_only(parts: tuple[Node, ...]) -> bool:
    return all(isinstance(part, Look) for part in parts)


def _is_ascii(parts: tuple[Node, ...], *, backward: bool = False) -> bool:
    """Say whether `parts`, nearest first, match something, and with an ASCII character next to the place."""
    for part in parts:
        if not _has_ascii_edge(part, backward=backward):
            return False
        if least_width(part):
            return True
    return False


def _has_ascii_edge(node: Node, *, backward: bool) -> bool:
    """Say whether whatever `node` matches, if not empty, starts (or ends) in ASCII."""
    if isinstance(node, Character | Class):
        return all(high < _BEYOND_ASCII[0] for _, high in _ranges(node))
    if isinstance(node, Group | Atomic | Repeat):
        return _has_ascii_edge(node.inner, backward=backward)
    if isinstance(node, Choice):
        return all(_has_ascii_edge(branch, backward=backward) for branch in node.branches)
    if isinstance(node, Sequence):
        parts = node.parts[::-1] if backward else node.parts
        return not least_width(node) or _is_ascii(parts, backward=backward)
    return not isinstance(node, Reference)


_Points = tuple[tuple[int, int], ...]


def _ranges(node: Character | Class) -> _Points:
    """Return the code points that the widened node takes, as ranges; none of them `ODD`."""
    if isinstance(node, Character):
        folded = family(node.point) if node.fold else (node.point,)
        points: _Points = tuple((point, point) for point in folded)
    else:
        points = _plain(node.inner) or _sampled(set_source(node.inner))
    points = tuple(one for one in points if one not in _ODD_RANGES)
    has_digit = any(low <= _DIGITS[1] and high >= _DIGITS[0] for low, high in points)
    return (*points, _DIGITS) if has_digit else points


_ODD_RANGES = {(ord(one), ord(one)) for one in ODD}


def _plain(inner: Set) -> _Points | None:
    """Return the ranges of a set that is nothing but ranges."""
    if isinstance(inner, Ranges):
        return inner.ranges
    if not isinstance(inner, Union):
        return None
    items = list(map(_plain, inner.items))
    return tuple(one for item in items if item is not None for one in item) if None not in items else None


@lru_cache(maxsize=1024)
def _sampled(source: str) -> _Points:
    """Return what is ASCII in a set, and all that is not."""
    inside = regex.findall(source, _ASCII, regex.VERSION1)
    return (*((ord(one), ord(one)) for one in inside), _BEYOND_ASCII)


def _written(ranges: _Points) -> str:
    if not ranges:
        return r"[^\x{0}-\x{10ffff}]"
    return "[" + "".join(f"\\x{{{low:x}}}-\\x{{{high:x}}}" for low, high in ranges) + "]"
