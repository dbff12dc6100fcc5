"""A syntax tree written out for RE2, matching at least wherever the expression does.

What RE2 lacks or means otherwise is left out or widened: places and look-around hold always, a
reference stands for any text, and a class other than plain ranges takes in all that is not ASCII.
"""

from __future__ import annotations

from functools import lru_cache, singledispatch

import regex

from pytest_pii_eval.detectors.bank.dialect.emit_set import set_source
from pytest_pii_eval.detectors.bank.dialect.nodes import (
    Assertion,
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
)
from pytest_pii_eval.detectors.bank.folding import family

_ASCII = "".join(map(chr, range(128)))
_BEYOND_ASCII = (128, 0x10FFFF)
_ANY_TEXT = r"[\x{0}-\x{10ffff}]*"
_NOTHING = "(?:)"

# Counts beyond this are cut down: RE2 spells repetitions out, and its automaton grows with them.
_MOST = 8


@singledispatch
def widen(node: Node) -> str:
    """Return an RE2 expression that matches in every text in which `node` does."""
    raise TypeError(type(node).__name__)


@widen.register(Assertion)
@widen.register(Look)
def _place(_node: Assertion | Look) -> str:
    return _NOTHING


@widen.register
def _reference(_node: Reference) -> str:
    return _ANY_TEXT


@widen.register
def _character(node: Character) -> str:
    points = family(node.point) if node.fold else (node.point,)
    return _ranges(tuple((point, point) for point in points))


@widen.register
def _class(node: Class) -> str:
    if isinstance(node.inner, Ranges):
        return _ranges(node.inner.ranges)
    return _widened_set(set_source(node.inner))


@lru_cache(maxsize=1024)
def _widened_set(source: str) -> str:
    inside = regex.findall(source, _ASCII, regex.VERSION1)
    return _ranges((*((ord(c), ord(c)) for c in inside), _BEYOND_ASCII))


def _ranges(ranges: tuple[tuple[int, int], ...]) -> str:
    return "[" + "".join(f"\\x{{{low:x}}}-\\x{{{high:x}}}" for low, high in ranges) + "]"


@widen.register(Group)
@widen.register(Atomic)
def _group(node: Group | Atomic) -> str:
    return widen(node.inner)


@widen.register
def _repeat(node: Repeat) -> str:
    least = min(node.least, _MOST)
    most = "" if node.most is None or node.most > _MOST else node.most
    return f"(?:{widen(node.inner)}){{{least},{most}}}"


@widen.register
def _sequence(node: Sequence) -> str:
    return "".join(f"(?:{widen(part)})" for part in node.parts)


@widen.register
def _choice(node: Choice) -> str:
    return "|".join(f"(?:{widen(branch)})" for branch in node.branches)
