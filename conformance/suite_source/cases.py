"""Makes positive and negative cases out of the tables: examples in contexts, and whole texts."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from suite_source.markup import render
from suite_source.tables import Entity, Name, Pattern, TableError, lines, status, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

_POSITIVE = "nerb.enron_conformance_positive_case.v2"
_NEGATIVE = "nerb.enron_conformance_negative_case.v2"
# What breaks a word boundary: the letter in the table, then shape ({} is the surface), tags and reason.
_GLUE = {
    "L": ("x{}", "boundary", "glued_left"),
    "R": ("{}x", "boundary", "glued_right"),
    "D": ("{}7", "boundary", "glued_digit"),
    "U": ("_{}", "boundary punctuation", "glued_underscore"),
    "V": ("{}_old", "boundary punctuation", "glued_underscore"),
    "M": ("{}\u0301", "boundary unicode", "combining_mark"),
    "E": ("{}\u20e3", "boundary unicode", "enclosing_mark"),
    "S": ("{}\ufe0f", "boundary unicode", "variation_selector"),
    "J": ("{}\u200d", "boundary unicode", "joiner"),
    "N": ("{}\u200c", "boundary unicode", "joiner"),
    "C": ("{}\u0443", "boundary unicode", "glued_other_script"),
    "H": ("木{}", "boundary unicode", "glued_other_script"),
}
_CODE = re.compile(r"[a-z][a-z0-9_]*")
_TAGS = frozenset(
    [
        "boundary",
        "casing",
        "html",
        "malformed",
        "overlap",
        "punctuation",
        "signature",
        "unicode",
        "whitespace",
    ]
)
_WITNESSES = 3
_CARRIERS = (
    "{}",
    "see {} there",
    "({})",
    "re: {}\n",
    "“{}”",
    "a\t{}\tb",
    "<td>{}</td>",
    "> {} wrote",
    "…{}…",
)


@dataclass(frozen=True)
class Context:
    """A text with a hole; `room` says which surfaces fit: any, safe (open tails end here), line."""

    room: str
    tags: tuple[str, ...]
    template: str


class Bookkeeper:
    """Hands out case ids, and builds the rows; `entities` is what paths are looked up in."""

    def __init__(self, entities: list[Entity]) -> None:
        self._patterns = {
            f"{entity.id}/{name.id}/{pattern.id}": (name, pattern) for entity, name, pattern in walk(entities)
        }
        self._counts: Counter[str] = Counter()

    def positive(self, theme: str, tags: tuple[str, ...], template: str) -> dict[str, Any]:
        """Return the positive row of a marked template, with its expected records in order.

        The tag `overlap` is added where two of them share text.
        """
        text, marks = render(template)
        source = text.encode("utf-8")
        if not marks:
            raise TableError(f"{theme}: a positive case without a marker")
        overlap = {"overlap"} if any(a.end > b.start for a, b in pairwise(marks)) else set()
        return {
            "schema_version": _POSITIVE,
            "case_id": self._case_id(theme),
            "text": text,
            "tags": _checked(theme, {*tags, *overlap}),
            "expected": [
                self._expected(mark.path, source[mark.start : mark.end].decode("utf-8"), mark.start)
                for mark in marks
            ],
        }

    def negative(self, theme: str, tags: tuple[str, ...], reason: str, template: str) -> dict[str, Any]:
        """Return the negative row of a template without a marker; the tag `negative` is added."""
        text, marks = render(template)
        if marks or not _CODE.fullmatch(reason):
            raise TableError(f"{theme}: a negative case with a marker, or a reason that is no code")
        return {
            "schema_version": _NEGATIVE,
            "case_id": self._case_id(f"not.{theme}"),
            "text": text,
            "tags": sorted({*_checked(theme, set(tags)), "negative"}),
            "reason_code": reason,
        }

    def _case_id(self, theme: str) -> str:
        self._counts[theme] += 1
        return f"{theme}.{self._counts[theme]:03d}"

    def _expected(self, path: str, string: str, start: int) -> dict[str, Any]:
        name, pattern = self._patterns[path]
        entity_id, name_id, pattern_id = path.split("/")
        return {
            "entity_id": entity_id,
            "name_id": name_id,
            "pattern_id": pattern_id,
            "pattern_kind": pattern.kind,
            "canonical_name": name.canonical,
            "string": string,
            "start": start,
            "end": start + len(string.encode("utf-8")),
        }


def read_contexts(source: str) -> list[Context]:
    """Return the contexts of a table of `room | tags | template` lines."""
    contexts = []
    for _, line in lines(source):
        room, tags, template = (part.strip() for part in line.split(" | ", 2))
        contexts.append(Context(room, tuple(tags.split()), template))
    return contexts


class Examples:
    """Rows for the lines that stand beside the patterns; contexts and carriers take turns."""

    def __init__(self, keeper: Bookkeeper, contexts: list[Context], declared: Counter[str]) -> None:
        """Take how often each path is declared by a marker anywhere in the tables."""
        self._keeper = keeper
        self._declared = declared
        self._contexts = contexts
        self._turns: Counter[str] = Counter()

    def rows(self, entities: list[Entity]) -> Iterator[dict[str, Any]]:
        """Yield the rows of `entities` in table order."""
        for entity, name, pattern in walk(entities):
            path = f"{entity.id}/{name.id}/{pattern.id}"
            for mark, rest in [*pattern.examples, *_repeats(pattern, self._declared[path])]:
                yield from self._row(path, pattern, mark, rest)
            if _is_active(entity, name, pattern) and not any(mark in "+*" for mark, _ in pattern.examples):
                raise TableError(f"{entity.id}.{pattern.id}: an active pattern without a witness")

    def _row(self, path: str, pattern: Pattern, mark: str, rest: str) -> Iterator[dict[str, Any]]:
        entity_id, _, pattern_id = path.split("/")
        theme = f"{entity_id}.{pattern_id}"
        if mark == "+":
            context = self._context(pattern)
            surface = f"[[{path}|{rest}]]"
            yield self._keeper.positive(theme, context.tags, context.template.replace("{}", surface))
        elif mark == "*":
            tags, template = rest.split(" | ", 1)
            marked = template.replace("{{", f"[[{path}|").replace("}}", "]]")
            yield self._keeper.positive(theme, tuple(tags.split()), marked)
        elif mark == "-":
            tags, reason, text = rest.split(" | ", 2)
            yield self._keeper.negative(theme, tuple(tags.split()), reason.strip(), text)
        else:
            yield from self._glued(theme, pattern, rest)

    def _glued(self, theme: str, pattern: Pattern, letters: str) -> Iterator[dict[str, Any]]:
        for letter in letters.strip():
            shape, tags, reason = _GLUE[letter]
            carrier = _CARRIERS[self._turn("carrier") % len(_CARRIERS)]
            text = carrier.replace("{}", shape.replace("{}", pattern.value))
            yield self._keeper.negative(theme, tuple(tags.split()), reason, text)

    def _context(self, pattern: Pattern) -> Context:
        room = next((word for word in ("line", "safe") if word in pattern.options), "any")
        allowed = {"any": ("any", "safe", "line"), "safe": ("safe", "line"), "line": ("line",)}[room]
        fitting = [context for context in self._contexts if context.room in allowed]
        return fitting[self._turn(room) % len(fitting)]

    def _turn(self, key: str) -> int:
        self._turns[key] += 1
        return self._turns[key] - 1


def written_positives(keeper: Bookkeeper, source: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of `tags | template` lines; a `[theme]` line names what follows."""
    for theme, line in _themed(source):
        tags, template = line.split(" | ", 1)
        yield keeper.positive(theme, tuple(tags.split()), template.strip())


def written_negatives(keeper: Bookkeeper, source: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of `tags | reason | text` lines; a `[theme]` line names what follows."""
    for theme, line in _themed(source):
        tags, reason, text = line.split(" | ", 2)
        yield keeper.negative(theme, tuple(tags.split()), reason.strip(), text.strip())


def _repeats(pattern: Pattern, declared: int) -> list[tuple[str, str]]:
    """Return surfaces once more, each for a further context, until the pattern has its three witnesses."""
    surfaces = [example for example in pattern.examples if example[0] == "+"]
    witnesses = declared + len(surfaces) + sum(rest.count("{{") for _, rest in pattern.examples)
    return [surfaces[turn % len(surfaces)] for turn in range(_WITNESSES - witnesses)] if surfaces else []


def _themed(source: str) -> Iterator[tuple[str, str]]:
    theme = ""
    for _, line in lines(source):
        if line.startswith("[") and line.endswith("]") and " | " not in line:
            theme = line[1:-1]
        else:
            yield theme, line


def _checked(theme: str, tags: set[str]) -> list[str]:
    if not tags or not tags <= _TAGS:
        raise TableError(f"{theme}: no tag, or one that the contract does not know")
    return sorted(tags)


def _is_active(entity: Entity, name: Name, pattern: Pattern) -> bool:
    return all(status(level.options) == "active" for level in (entity, name, pattern))
