"""What can be said of an expression by its tree: the least it matches, the most work an attempt takes."""

from __future__ import annotations

import math
from functools import singledispatch

from pytest_pii_eval.detectors.bank.dialect.nodes import (
    Atomic,
    Character,
    Choice,
    Class,
    Group,
    Node,
    Reference,
    Repeat,
    Sequence,
)


def least_width(node: Node) -> int:
    """Return a lower bound of the code points that a match of `node` covers."""
    return _width(node, {})


@singledispatch
def _width(_node: Node, _groups: dict[int, int]) -> int:
    return 0  # Assertions and look-around.


@_width.register(Character)
@_width.register(Class)
def _one(_node: Character | Class, _groups: dict[int, int]) -> int:
    return 1


@_width.register
def _group(node: Group, groups: dict[int, int]) -> int:
    groups[node.number] = _width(node.inner, groups)
    return groups[node.number]


@_width.register
def _reference(node: Reference, groups: dict[int, int]) -> int:
    return groups.get(node.number, 0)


@_width.register
def _repeat(node: Repeat, groups: dict[int, int]) -> int:
    return node.least * _width(node.inner, groups)


@_width.register
def _sequence(node: Sequence, groups: dict[int, int]) -> int:
    return sum(_width(part, groups) for part in node.parts)


@_width.register
def _choice(node: Choice, groups: dict[int, int]) -> int:
    return min(_width(branch, groups) for branch in node.branches)


@_width.register
def _atomic(node: Atomic, groups: dict[int, int]) -> int:
    return _width(node.inner, groups)


@singledispatch
def most_steps(_node: Node) -> float:
    """Return an upper bound of the steps that a backtracking attempt at one place takes; mostly infinite."""
    return math.inf  # Look-around, references, assertions with tests of their own.


@most_steps.register(Character)
@most_steps.register(Class)
def _step(_node: Character | Class) -> float:
    return 1


@most_steps.register
def _group_steps(node: Group) -> float:
    return most_steps(node.inner)


@most_steps.register
def _repeat_steps(node: Repeat) -> float:
    if node.least == node.most and isinstance(node.inner, Character | Class):
        return max(1, node.least)
    return math.inf


@most_steps.register
def _sequence_steps(node: Sequence) -> float:
    return sum(map(most_steps, node.parts))
