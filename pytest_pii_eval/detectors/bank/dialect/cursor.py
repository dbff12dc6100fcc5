"""The place in an expression where the parser stands, and the flags that hold there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from pytest_pii_eval.detectors.bank.errors import BadExpression

# Unicode White_Space: what VERBOSE skips. Python's str.isspace has four control characters more.
WHITE_SPACE = frozenset(
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)

# `regex` parses by recursion: deeper nesting than this could exhaust the stack of a caller.
MAX_DEPTH = 100


@dataclass(frozen=True, slots=True)
class Flags:
    r"""The flags at one place of an expression.

    `ascii` is the bank's flag: it narrows `\w \d \s \b` and cannot be switched inside. `unicode` is
    the inline flag `u`: without it case, classes and boundaries are ASCII.
    """

    ignorecase: bool = False
    multiline: bool = False
    dotall: bool = False
    verbose: bool = False
    swap_greed: bool = False
    crlf: bool = False
    unicode: bool = True
    ascii: bool = False


@final
class Cursor:
    """Reads an expression character by character; `""` stands for its end."""

    def __init__(self, source: str, flags: Flags) -> None:
        self.source = source
        self.at = 0
        self.flags = flags
        self.depth = 0

    def peek(self, ahead: int = 0) -> str:
        """Return the character `ahead` of the next one, without moving."""
        at = self.at + ahead
        return self.source[at] if at < len(self.source) else ""

    def take(self) -> str:
        """Return the next character and move behind it."""
        character = self.peek()
        if not character:
            raise BadExpression("the expression ends too early")
        self.at += 1
        return character

    def accept(self, prefix: str) -> bool:
        """Move behind `prefix` if it comes next, and say whether it did."""
        found = self.source.startswith(prefix, self.at)
        if found:
            self.at += len(prefix)
        return found

    def skip(self) -> None:
        """Move behind white space and comments, where VERBOSE makes them void."""
        while self.flags.verbose and self.at < len(self.source):
            if self.source[self.at] == "#":
                end = self.source.find("\n", self.at)
                self.at = len(self.source) if end < 0 else end + 1
            elif self.source[self.at] in WHITE_SPACE:
                self.at += 1
            else:
                return

    def peek_behind_space(self) -> str:
        """Return the character after the next one, past void white space and comments, without moving."""
        start = self.at
        self.at += 1
        self.skip()
        character = self.peek()
        self.at = start
        return character

    def descend(self) -> None:
        """Count one level of nesting; `ascend` ends it."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise BadExpression(f"more than {MAX_DEPTH} levels of nesting")

    def ascend(self) -> None:
        """End a level of nesting."""
        self.depth -= 1
