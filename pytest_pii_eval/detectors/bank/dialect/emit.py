"""A syntax tree written out as an expression for the `regex` module, in its version 1 syntax, no flags."""

from __future__ import annotations

from functools import singledispatch

from pytest_pii_eval.detectors.bank.dialect.emit_set import point_source, set_source
from pytest_pii_eval.detectors.bank.dialect.nodes import (
    Assertion,
    Atomic,
    Character,
    Choice,
    Class,
    Group,
    Look,
    Node,
    Reference,
    Repeat,
    Sequence,
)
from pytest_pii_eval.detectors.bank.folding import family

# Letters of two cases by any measure: the module searches for runs of these much faster than for classes.
_PLAIN_PAIRS = frozenset((ord(letter.upper()), ord(letter)) for letter in "abcdefghjlmnopqrtuvwxyz")


@singledispatch
def emit(node: Node) -> str:
    """Return the source of `node`; it can stand in any sequence, but needs a group under a repetition."""
    raise TypeError(type(node).__name__)


@emit.register
def _character(node: Character) -> str:
    points = family(node.point) if node.fold else (node.point,)
    if len(points) == 1:
        return point_source(node.point)
    if points in _PLAIN_PAIRS:
        return f"(?i-f:{chr(points[1])})"
    return f"[{''.join(map(point_source, points))}]"


@emit.register
def _class(node: Class) -> str:
    return set_source(node.inner)


@emit.register
def _assertion(node: Assertion) -> str:
    return node.at.value


@emit.register
def _group(node: Group) -> str:
    return f"(?P<g{node.number}>{emit(node.inner)})"


@emit.register
def _reference(node: Reference) -> str:
    # Without `-f` the module compares by full folding, in which one character can match two.
    return f"(?i-f:(?P=g{node.number}))" if node.fold else f"(?P=g{node.number})"


@emit.register
def _repeat(node: Repeat) -> str:
    inner = emit(node.inner)
    if not isinstance(node.inner, Character | Class):
        inner = f"(?:{inner})"
    return inner + _counts(node.least, node.most) + ("" if node.greedy else "?")


def _counts(least: int, most: int | None) -> str:
    simple = {(0, None): "*", (1, None): "+", (0, 1): "?"}.get((least, most))
    if simple is not None:
        return simple
    return f"{{{least}}}" if least == most else f"{{{least},{'' if most is None else most}}}"


@emit.register
def _sequence(node: Sequence) -> str:
    return "".join(f"(?:{emit(part)})" if isinstance(part, Choice) else emit(part) for part in node.parts)


@emit.register
def _choice(node: Choice) -> str:
    return "|".join(map(emit, node.branches))


@emit.register
def _look(node: Look) -> str:
    mark = ("<" if node.behind else "") + ("!" if node.negated else "=")
    return f"(?{mark}{emit(node.inner)})"


@emit.register
def _atomic(node: Atomic) -> str:
    return f"(?>{emit(node.inner)})"
