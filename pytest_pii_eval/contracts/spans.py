"""The spans of a document: what a detector answers with and what the gold says; nothing here scores."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

Identity: TypeAlias = tuple[str, str, str]
"""`(entity_id, name_id, pattern_id)` of a bank; the first two are the canonical identity."""

Range: TypeAlias = tuple[int, int]
"""`(start, end)` in Unicode code points, half-open."""


MAX_PREDICTIONS = 100_000
"""Spans or ranges that one stage of one document's answer may hold."""

FAILURE_PATTERN = r"^[A-Za-z_][A-Za-z0-9_ .:<>-]{0,159}$"
"""Why a document has no answer: words of ours, or type and place of an exception."""


class Span(NamedTuple):
    """One prediction: code points `start` to `end`, half-open, and the type after label mapping.

    `identity` is the bank's pattern behind it, or `None` for detectors without a bank.
    """

    start: int
    end: int
    type: str
    score: float | None = None
    identity: Identity | None = None


class GoldSpan(NamedTuple):
    """One gold span: code points `start` to `end`, half-open, its type and its frozen catalog state.

    `identity` is the pattern that a separate review qualified it under; `None` says explicitly
    uncataloged. `group` is equal for spans of one document that have equal text and type, and `None`
    for a span that repeats nothing; it is an opaque number and never part of evidence.
    """

    start: int
    end: int
    type: str
    identity: Identity | None = None
    group: int | None = None


class Detection(NamedTuple):
    """What a detector answered for one document.

    `selected` are its final predictions, `candidates` the mapped ones before overlap and score policy
    (`None`: not exposed), `protection` the ranges that redaction would remove (`None`: not exposed).
    `partial` says that the answer was cut off: it is then scored as no answer at all.
    """

    selected: tuple[Span, ...]
    candidates: tuple[Span, ...] | None = None
    protection: tuple[Range, ...] | None = None
    partial: bool = False


def valid_spans(spans: Iterable[Span], length: int) -> tuple[tuple[Span, ...], int]:
    """Return the spans inside a text of `length` code points, and how many were dropped.

    A span is dropped, never clamped, unless `0 <= start < end <= length`.
    """
    given = tuple(spans)
    kept = tuple(span for span in given if 0 <= span.start < span.end <= length)
    return kept, len(given) - len(kept)


def grouped(text: str, gold: Iterable[GoldSpan]) -> tuple[GoldSpan, ...]:
    """Return `gold` with `group` set on the spans whose text and type occur more than once in it."""
    spans = tuple(gold)
    members: dict[tuple[str, str], list[int]] = {}
    for index, span in enumerate(spans):
        members.setdefault((text[span.start : span.end], span.type), []).append(index)
    if len(members) == len(spans):
        return tuple(span if span.group is None else span._replace(group=None) for span in spans)
    numbers = count()
    groups: dict[int, int] = {}
    for indexes in members.values():
        if len(indexes) > 1:
            groups |= dict.fromkeys(indexes, next(numbers))
    return tuple(span._replace(group=groups.get(index)) for index, span in enumerate(spans))
