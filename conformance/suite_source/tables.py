"""Reads the bank tables: entities, names, patterns, and the examples that stand beside each pattern."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from suite_source.markup import unescape

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

STATUSES = ("draft", "active", "inactive", "deprecated")
FLAGS = ("ASCII", "IGNORECASE", "MULTILINE", "DOTALL", "VERBOSE")


@dataclass
class Pattern:
    """One pattern line: `options` are its words, `examples` the marked lines below it."""

    id: str
    kind: str
    priority: int
    options: frozenset[str]
    value: str
    examples: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Name:
    """One name line and its patterns."""

    id: str
    canonical: str
    description: str
    options: frozenset[str]
    patterns: list[Pattern] = field(default_factory=list)


@dataclass
class Entity:
    """One entity line and its names."""

    id: str
    description: str
    options: frozenset[str]
    names: list[Name] = field(default_factory=list)


class TableError(ValueError):
    """A line of a table that cannot be read; says which."""


def lines(source: str) -> Iterator[tuple[int, str]]:
    """Yield number and content of each line that is neither empty nor a comment, right-stripped."""
    for number, line in enumerate(source.split("\n"), start=1):
        if line.strip() and not line.startswith("#"):
            yield number, line.rstrip()


def read_bank(sources: Iterable[tuple[str, str]]) -> list[Entity]:
    """Return the entities of `(file name, table text)` pairs, in order."""
    entities: list[Entity] = []
    for file, source in sources:
        for number, line in lines(source):
            try:
                _take(entities, line)
            except (IndexError, ValueError) as error:
                raise TableError(f"{file}:{number}: unreadable line") from error
    return entities


def walk(entities: Iterable[Entity]) -> Iterator[tuple[Entity, Name, Pattern]]:
    """Yield every pattern together with the name and the entity that hold it."""
    for entity in entities:
        for name in entity.names:
            for pattern in name.patterns:
                yield entity, name, pattern


def status(options: frozenset[str]) -> str:
    """Return the status word among `options`, `active` where none stands."""
    return next((word for word in STATUSES if word in options), "active")


def flags(options: frozenset[str]) -> list[str]:
    """Return the regex flags among `options` in the format's order."""
    return [flag for flag in FLAGS if flag in options]


def _take(entities: list[Entity], line: str) -> None:
    word, _, rest = line.strip().partition(" ")
    if word == "entity":
        head, description = _split(rest, 2)
        identity, *options = head.split()
        entities.append(Entity(identity, description, frozenset(options)))
    elif word == "name":
        head, canonical, description = _split(rest, 3)
        identity, *options = head.split()
        entities[-1].names.append(Name(identity, unescape(canonical), description, frozenset(options)))
    elif word in {"literal", "regex"}:
        head, value = _split(rest, 2)
        identity, priority, *options = head.split()
        value = unescape(value) if word == "literal" else value
        entities[-1].names[-1].patterns.append(
            Pattern(identity, word, int(priority), frozenset(options), value)
        )
    elif word == ".":
        entities[-1].names[-1].patterns[-1].value += "\n" + rest
    elif word in {"+", "*", "-", "~"}:
        entities[-1].names[-1].patterns[-1].examples.append((word, rest))
    else:
        raise ValueError


def _split(rest: str, count: int) -> list[str]:
    fields = [part.strip() for part in rest.split(" | ", count - 1)]
    if len(fields) != count:
        raise ValueError
    return fields
