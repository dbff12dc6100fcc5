"""The syntax tree of an expression, with flags already worked into its nodes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class Character:
    """One code point; `fold` says that every code point of its case family matches, too."""

    point: int
    fold: bool = False


@dataclass(frozen=True, slots=True)
class Ranges:
    """Code points by inclusive ranges."""

    ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Property:
    r"""A set that `regex` knows by an escape of its own, such as `\w` or `\p{sc=Greek}`."""

    source: str


@dataclass(frozen=True, slots=True)
class Union:
    """Code points in any of `items`."""

    items: tuple[Set, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """Two sets combined by `operator`: `&&`, `--` or `~~`."""

    operator: str
    left: Set
    right: Set


@dataclass(frozen=True, slots=True)
class Negation:
    """Code points that are not in `inner`."""

    inner: Set


Set = Ranges | Property | Union | Operation | Negation


@dataclass(frozen=True, slots=True)
class Class:
    """One code point out of a set."""

    inner: Set


class At(Enum):
    """A place between two code points; the value is the test of it in the words of `regex`."""

    TEXT_START = r"\A"
    TEXT_END = r"\Z"
    LINE_START = r"(?m:^)"
    LINE_END = r"(?m:$)"
    LINE_START_CRLF = r"(?:\A|(?<=\n)|(?<=\r)(?!\n))"
    LINE_END_CRLF = r"(?:\Z|(?=\r)|(?<!\r)(?=\n))"
    WORD_BOUNDARY = r"\b"
    NOT_WORD_BOUNDARY = r"\B"
    WORD_START = r"(?<!\w)(?=\w)"
    WORD_END = r"(?<=\w)(?!\w)"
    NO_WORD_BEFORE = r"(?<!\w)"
    NO_WORD_AFTER = r"(?!\w)"
    ASCII_WORD_BOUNDARY = r"(?:(?<=[0-9A-Za-z_])(?![0-9A-Za-z_])|(?<![0-9A-Za-z_])(?=[0-9A-Za-z_]))"
    NOT_ASCII_WORD_BOUNDARY = r"(?:(?<=[0-9A-Za-z_])(?=[0-9A-Za-z_])|(?<![0-9A-Za-z_])(?![0-9A-Za-z_]))"
    ASCII_WORD_START = r"(?<![0-9A-Za-z_])(?=[0-9A-Za-z_])"
    ASCII_WORD_END = r"(?<=[0-9A-Za-z_])(?![0-9A-Za-z_])"
    NO_ASCII_WORD_BEFORE = r"(?<![0-9A-Za-z_])"
    NO_ASCII_WORD_AFTER = r"(?![0-9A-Za-z_])"


@dataclass(frozen=True, slots=True)
class Assertion:
    """A place that must hold; matches nothing itself."""

    at: At


@dataclass(frozen=True, slots=True)
class Group:
    """A capturing group, counted from 1 in the order of its opening."""

    number: int
    inner: Node


@dataclass(frozen=True, slots=True)
class Reference:
    """What the group `number` matched last, once more; `fold` compares without case."""

    number: int
    fold: bool


@dataclass(frozen=True, slots=True)
class Repeat:
    """`inner` from `least` to `most` times (`None`: no limit), as often as possible where `greedy`."""

    inner: Node
    least: int
    most: int | None
    greedy: bool


@dataclass(frozen=True, slots=True)
class Sequence:
    """All `parts` one after another; none at all is the empty expression."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """The first of `branches` with which the whole matches."""

    branches: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Look:
    """Look-around: `inner` matches (or not, if `negated`) from here on, or up to here where `behind`."""

    inner: Node
    behind: bool
    negated: bool


@dataclass(frozen=True, slots=True)
class Atomic:
    """`inner` by its first way to match only."""

    inner: Node


Node = Character | Class | Assertion | Group | Reference | Repeat | Sequence | Choice | Look | Atomic
