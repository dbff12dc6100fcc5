"""Expressions: compiled once, searched under what is left of a document's time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple, cast, final

import regex

from pytest_pii_eval.detectors.bank.dialect.cursor import WHITE_SPACE
from pytest_pii_eval.detectors.bank.dialect.emit import emit
from pytest_pii_eval.detectors.bank.dialect.nodes import (
    Assertion,
    At,
    Character,
    Class,
    Node,
    Property,
    Ranges,
    Repeat,
    Sequence,
    Set,
)
from pytest_pii_eval.detectors.bank.dialect.parse import parse
from pytest_pii_eval.detectors.bank.dialect.size import written_out
from pytest_pii_eval.detectors.bank.dialect.width import least_width, most_steps
from pytest_pii_eval.detectors.bank.errors import BadExpression, ScanFailure

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pii_eval.contracts.patterns import ActivePattern

# Below this many steps a search cannot take long, and asking for a time limit would triple its cost.
_FREE_STEPS = 1_000_000
# `regex` takes some 300 bytes for each, and a few characters of nested counts can ask for billions.
_MOST_WRITTEN_OUT = 350_000
_ASCII_SPACE: Set = Ranges(((9, 13), (32, 32)))


class Expression(NamedTuple):
    """A compiled expression: its `search`, a bound of its steps at one place, and its tree."""

    search: Callable[..., regex.Match[str] | None]
    steps: float
    node: Node


def compile_expression(pattern: ActivePattern) -> Expression:
    """Return `pattern`, a regex or a literal, as an expression; raises `BadExpression`."""
    node = parse(pattern.value, pattern.flags) if pattern.kind == "regex" else literal_node(pattern)
    if written_out(node) > _MOST_WRITTEN_OUT:
        raise BadExpression(f"its counted repetitions write out to more than {_MOST_WRITTEN_OUT:,} steps")
    if least_width(node) == 0:
        raise BadExpression("the expression can match the empty string")
    try:
        compiled = regex.compile(_source(node), regex.VERSION1, cache_pattern=False)
    except (cast("type[Exception]", regex.error), OverflowError, MemoryError, RecursionError):
        raise BadExpression("the expression does not compile") from None
    return Expression(compiled.search, most_steps(node), node)


def _source(node: Node) -> str:
    """Return the source of `node`, its groups capturing only where a reference needs them."""
    source = emit(node)
    return source if "(?P=" in source else regex.sub(r"\(\?P<g\d+>", "(?:", source)


def literal_node(pattern: ActivePattern) -> Node:
    """Return the tree of a literal: its characters, with boundaries and flexible white space as declared."""
    ascii_only = "ASCII" in pattern.flags
    fold = "IGNORECASE" in pattern.flags or not pattern.case_sensitive
    boundary = Assertion(At.ASCII_WORD_BOUNDARY if ascii_only else At.WORD_BOUNDARY)
    space = Repeat(Class(_ASCII_SPACE if ascii_only else Property(r"\s")), 1, None, greedy=True)
    parts: list[Node] = [boundary] if pattern.left_boundary == "word" else []
    for character in pattern.value:
        if not pattern.normalize_whitespace or character not in WHITE_SPACE:
            parts.append(Character(ord(character), fold))
        elif not parts or parts[-1] is not space:
            parts.append(space)
    return Sequence((*parts, boundary) if pattern.right_boundary == "word" else tuple(parts))


@final
class Clock:
    """What is left of the time for one document."""

    __slots__ = ("_end", "_limit")

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._end = time.monotonic() + limit

    def left(self) -> float:
        """Return the seconds that are left; raises `ScanFailure` where none are."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise self.failure()
        return left

    def failure(self) -> ScanFailure:
        """Return the failure of a scan that took too long."""
        return ScanFailure("time_limit", f"{self._limit:g} seconds a document")


def first_match(expression: Expression, text: str, start: int, clock: Clock) -> tuple[int, int] | None:
    """Return the span of the first match at or behind `start`, in code points; raises `ScanFailure`."""
    if expression.steps * len(text) <= _FREE_STEPS:
        match = expression.search(text, start)
    else:
        try:
            match = expression.search(text, start, timeout=clock.left())
        except TimeoutError:
            raise clock.failure() from None
    return None if match is None else match.span()
