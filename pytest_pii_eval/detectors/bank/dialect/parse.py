"""The parser: an expression and its flags in, a syntax tree out."""

from __future__ import annotations

from typing import final

from pytest_pii_eval.detectors.bank.dialect.classes import parse_class
from pytest_pii_eval.detectors.bank.dialect.cursor import Cursor, Flags
from pytest_pii_eval.detectors.bank.dialect.escapes import parse_character, parse_place, parse_set_escape
from pytest_pii_eval.detectors.bank.dialect.groups import GroupNames, parse_flags
from pytest_pii_eval.detectors.bank.dialect.nodes import (
    Assertion,
    At,
    Atomic,
    Character,
    Choice,
    Class,
    Group,
    Look,
    Negation,
    Node,
    Ranges,
    Reference,
    Sequence,
    Set,
)
from pytest_pii_eval.detectors.bank.dialect.repeats import parse_repeat
from pytest_pii_eval.detectors.bank.dialect.sets import fold_set
from pytest_pii_eval.detectors.bank.errors import BadExpression

_LOOKS = {"?=": (False, False), "?!": (False, True), "?<=": (True, False), "?<!": (True, True)}
_FLAG_ARGUMENT = {
    "ASCII": "ascii",
    "IGNORECASE": "ignorecase",
    "MULTILINE": "multiline",
    "DOTALL": "dotall",
    "VERBOSE": "verbose",
}


def parse(expression: str, flags: frozenset[str] = frozenset()) -> Node:
    """Return the syntax tree of `expression` under the flags of a bank; raises `BadExpression`."""
    named = {_FLAG_ARGUMENT[flag]: True for flag in flags}
    return _Parser(Cursor(expression, Flags(**named))).whole()


@final
class _Parser:
    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor
        self.groups = GroupNames()

    def whole(self) -> Node:
        node = self.choice()
        if self.cursor.peek():
            raise BadExpression("a closing parenthesis without its opening one")
        return node

    def choice(self) -> Node:
        """Read branches up to the end of the group; flags set inside hold up to there, too."""
        outer = self.cursor.flags
        branches = [self.sequence()]
        while self.cursor.accept("|"):
            branches.append(self.sequence())
        self.cursor.flags = outer
        return branches[0] if len(branches) == 1 else Choice(tuple(branches))

    def sequence(self) -> Node:
        cursor = self.cursor
        parts: list[Node] = []
        cursor.skip()
        while cursor.peek() not in {"", "|", ")"}:
            node = self.atom()
            if node is not None:
                parts.append(parse_repeat(cursor, node))
            elif cursor.peek() and cursor.peek() in "*+?{":
                raise BadExpression("a repetition of nothing")
            cursor.skip()
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def atom(self) -> Node | None:
        """Read one part; None for flags that only change what follows."""
        cursor = self.cursor
        character = cursor.peek()
        if character == "[":
            return Class(parse_class(cursor))
        cursor.take()
        if character == "(":
            return self.group()
        if character == "\\":
            return self.escape()
        if character in "*+?{":
            raise BadExpression("a repetition of nothing")
        if character == ".":
            return Class(self.dot())
        if character in "^$":
            return Assertion(self.line_end() if character == "$" else self.line_start())
        return self.character(ord(character))

    def character(self, point: int) -> Node:
        flags = self.cursor.flags
        if flags.ignorecase and not flags.unicode:
            return Class(fold_set(Ranges(((point, point),)), unicode=False))
        return Character(point, fold=flags.ignorecase)

    def dot(self) -> Set:
        flags = self.cursor.flags
        if not flags.unicode:
            raise BadExpression("a dot that would match broken UTF-8")
        if flags.dotall:
            return Ranges(((0, 0x10FFFF),))
        return Negation(Ranges(((10, 10), (13, 13)) if flags.crlf else ((10, 10),)))

    def line_start(self) -> At:
        flags = self.cursor.flags
        if not flags.multiline:
            return At.TEXT_START
        return At.LINE_START_CRLF if flags.crlf else At.LINE_START

    def line_end(self) -> At:
        flags = self.cursor.flags
        if not flags.multiline:
            return At.TEXT_END
        return At.LINE_END_CRLF if flags.crlf else At.LINE_END

    def escape(self) -> Node:
        cursor = self.cursor
        named = parse_set_escape(cursor)
        if named is not None:
            return Class(named)
        place = parse_place(cursor)
        if place is not None:
            return Assertion(place)
        number = self.groups.reference(cursor)
        if number is not None:
            return Reference(number, cursor.flags.ignorecase)
        return self.character(parse_character(cursor))

    def group(self) -> Node | None:
        cursor = self.cursor
        cursor.skip()
        for prefix, (behind, negated) in _LOOKS.items():
            if cursor.accept(prefix):
                return Look(self.inside(), behind=behind, negated=negated)
        if cursor.accept("?>"):
            return Atomic(self.inside())
        if cursor.accept("?P="):
            return Reference(self.groups.by_name(cursor, ")"), cursor.flags.ignorecase)
        if cursor.accept("?P<") or cursor.accept("?<"):
            return self.capture(named=True)
        if cursor.accept("?"):
            return self.flags_or_group()
        return self.capture(named=False)

    def capture(self, *, named: bool) -> Node:
        number = self.groups.open(self.cursor, named=named)
        inner = self.inside()
        self.groups.close(number)
        return Group(number, inner)

    def flags_or_group(self) -> Node | None:
        cursor = self.cursor
        outer = cursor.flags
        cursor.flags, end = parse_flags(cursor)
        if end == ")":
            return None
        node = self.inside()
        cursor.flags = outer
        return node

    def inside(self) -> Node:
        self.cursor.descend()
        node = self.choice()
        if not self.cursor.accept(")"):
            raise BadExpression("a group without its closing parenthesis")
        self.cursor.ascend()
        return node
