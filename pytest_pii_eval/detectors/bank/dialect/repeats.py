"""Repetition operators behind a part of an expression."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.detectors.bank.dialect.cursor import MAX_DEPTH, WHITE_SPACE
from pytest_pii_eval.detectors.bank.dialect.nodes import Node, Repeat
from pytest_pii_eval.detectors.bank.errors import BadExpression

if TYPE_CHECKING:
    from pytest_pii_eval.detectors.bank.dialect.cursor import Cursor

_SIMPLE: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_MAX_COUNT = 2**31 - 1
_MOST_DIGITS = 10


def parse_repeat(cursor: Cursor, node: Node) -> Node:
    """Return `node` under all repetition operators that follow at `cursor`."""
    cursor.skip()
    stacked = 0
    while cursor.peek() and cursor.peek() in "*+?{":
        stacked += 1
        if cursor.depth + stacked > MAX_DEPTH:
            raise BadExpression(f"more than {MAX_DEPTH} levels of nesting")
        operator = cursor.take()
        least, most = _SIMPLE[operator] if operator != "{" else _counts(cursor)
        lazy = cursor.accept("?")
        node = _repeat(node, least, most, greedy=lazy == cursor.flags.swap_greed)
        cursor.skip()
    return node


def _repeat(node: Node, least: int, most: int | None, *, greedy: bool) -> Node:
    """Return the repetition; stacked operators such as `a++`, which mean one, become one.

    Left as they are, their many ways to match the same text would cost a backtracking engine
    exponential time.
    """
    if isinstance(node, Repeat) and node.greedy and greedy and _is_simple(node.least, node.most, least, most):
        return Repeat(node.inner, node.least * least, None if None in {node.most, most} else 1, greedy=True)
    return Repeat(node, least, most, greedy)


def _is_simple(inner_least: int, inner_most: int | None, least: int, most: int | None) -> bool:
    """Say whether both repetitions are among `?`, `*` and `+`."""
    return {inner_least, least} <= {0, 1} and {inner_most, most} <= {1, None}


def _counts(cursor: Cursor) -> tuple[int, int | None]:
    least = _count(cursor)
    most: int | None = least
    if cursor.accept(","):
        _space(cursor)
        most = None if cursor.peek() == "}" else _count(cursor)
    if not cursor.accept("}"):
        raise BadExpression("a counted repetition without its closing brace")
    if most is not None and most < least:
        raise BadExpression("a counted repetition whose most is less than its least")
    return least, most


def _count(cursor: Cursor) -> int:
    _space(cursor)
    digits = ""
    while cursor.peek() and cursor.peek() in "0123456789":
        digits += cursor.take()
    _space(cursor)
    if not digits or len(digits) > _MOST_DIGITS or int(digits) > _MAX_COUNT:
        raise BadExpression("a counted repetition without a number that can be used")
    return int(digits)


def _space(cursor: Cursor) -> None:
    """Skip white space, which is void between these braces under any flags."""
    while cursor.peek() in WHITE_SPACE:
        cursor.take()
    cursor.skip()
