"""Documents laid end to end on one line, so that a chunk of them is counted in one pass.

Every document keeps a stretch of its own: spans of two documents can neither overlap nor be equal
there. They may touch, which no count looks at. Positions are code points of the line, half-open.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pytest_pii_eval.contracts.spans import Detection, Identity, Range, Span
from pytest_pii_eval.scoring.ranges import by_start, size, union

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from pytest_pii_eval.scoring.documents import Document
    from pytest_pii_eval.scoring.ranges import Ranges

PlacedGold: TypeAlias = tuple[int, int, str, Identity | None, int | None, int]
"""Start, end, type, catalog identity, group, and the index of the document in the chunk."""

Placed: TypeAlias = tuple[int, int, str, Identity | None, int]
"""Start, end, type, identity of a prediction, and the index of the document in the chunk."""

Mention: TypeAlias = tuple[int, str, int | None]

_SILENT = Detection(selected=(), candidates=(), protection=())
"""Stands for a failed answer: nothing found, nothing masked, on every output."""


_OUTSIDE = "a span is empty or lies outside its text"


class Masks(NamedTuple):
    """What one optional output masks, and the documents whose detector did not expose it."""

    ranges: Ranges
    without: set[int]


class Line(NamedTuple):
    """One chunk: gold spans in scope and selected predictions, sorted by start, and the other outputs."""

    stretches: list[Range]
    golds: list[PlacedGold]
    selected: list[Placed]
    protection: Masks
    candidates: Masks


class Ground(NamedTuple):
    """The gold side of some documents: spans sorted by start, their union, and stretches without any.

    `sizes` sums the characters of each type's spans, also where they overlap. `crowd` holds the spans
    that overlap another one; only there is a union less than a sum. `repeats` holds one key for each
    repeated identifier.
    """

    documents: int
    spans: list[PlacedGold]
    ranges: Ranges
    characters: int
    sizes: dict[str, int]
    crowd: list[PlacedGold]
    repeats: set[Mention]
    bare: list[Range]


def lay(documents: Sequence[Document], types: frozenset[str]) -> Line:
    """Lay `documents` end to end; raise `ValueError` for a span that is empty or outside its text."""
    answers = [_SILENT if one[2] is None or one[2][3] else one[2] for one in documents]
    lengths = [document[0] for document in documents]
    bases = [*accumulate(lengths, initial=0)][:-1]
    golds = [
        (base + start, base + end, type_, identity, group, index)
        for index, (base, length, document) in enumerate(zip(bases, lengths, documents, strict=True))
        for start, end, type_, identity, group in document[1]
        if 0 <= start < end <= length
    ]
    selected = [
        (base + start, base + end, type_, identity, index)
        for index, (base, length, answer) in enumerate(zip(bases, lengths, answers, strict=True))
        for start, end, type_, _, identity in answer[0]
        if 0 <= start < end <= length
    ]
    given = sum([len(document[1]) for document in documents]) + sum([len(answer[0]) for answer in answers])
    if len(golds) + len(selected) != given:
        raise ValueError(_OUTSIDE)
    stretches = [(base, base + length) for base, length in zip(bases, lengths, strict=True)]
    golds = [gold for gold in golds if gold[2] in types]
    golds.sort(key=by_start)
    selected.sort(key=by_start)
    protection = _masks([answer[2] for answer in answers], stretches)
    candidates = _masks([answer[1] for answer in answers], stretches)
    return Line(stretches, golds, selected, protection, candidates)


def ground(line: Line, without: Collection[int] = ()) -> Ground:
    """Return the gold side of the documents of `line` whose index is not in `without`."""
    spans = [gold for gold in line.golds if gold[5] not in without] if without else line.golds
    ranges = union(spans)
    characters = size(ranges)
    sizes: dict[str, int] = defaultdict(int)
    for span in spans:
        sizes[span[2]] += span[1] - span[0]
    apart = characters == sum(sizes.values())
    skipped = {span[5] for span in spans}.union(without)
    bare = [stretch for index, stretch in enumerate(line.stretches) if index not in skipped]
    documents = len(line.stretches) - len(without)
    crowd = [] if apart else _crowd(spans)
    return Ground(documents, spans, ranges, characters, sizes, crowd, _repeats(spans), bare)


def _masks(answers: Sequence[Sequence[Span | Range] | None], stretches: Sequence[Range]) -> Masks:
    without = {index for index, spans in enumerate(answers) if spans is None}
    if len(without) == len(answers):
        return Masks(([], []), without)
    placed = [
        (base + span[0], base + span[1])
        for (base, limit), spans in zip(stretches, answers, strict=True)
        for span in spans or ()
        if 0 <= span[0] < span[1] <= limit - base
    ]
    if len(placed) != sum([len(spans) for spans in answers if spans is not None]):
        raise ValueError(_OUTSIDE)
    return Masks(union(sorted(placed)), without)


def _crowd(spans: Sequence[PlacedGold]) -> list[PlacedGold]:
    crowd: list[PlacedGold] = []
    first: PlacedGold | None = None
    reach = -1
    for span in spans:
        if span[0] >= reach:
            first, reach = span, span[1]
            continue
        if first is not None:
            crowd.append(first)
            first = None
        crowd.append(span)
        reach = max(reach, span[1])
    return crowd


def mention(span: PlacedGold) -> Mention:
    """Return what the mentions of one identifier share: document, type and group."""
    return span[5], span[2], span[4]


def _repeats(spans: Iterable[PlacedGold]) -> set[Mention]:
    mentions = Counter([mention(span) for span in spans if span[4] is not None])
    return {key for key, number in mentions.items() if number > 1}


def by_type(spans: Iterable[PlacedGold]) -> dict[str, list[PlacedGold]]:
    """Return the spans of each type, in the order given."""
    groups: dict[str, list[PlacedGold]] = {}
    for span in spans:
        groups.setdefault(span[2], []).append(span)
    return groups
