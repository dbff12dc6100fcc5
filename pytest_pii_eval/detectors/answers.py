"""From a detector's answer to spans that can be scored: exact offsets in code points, types by label map."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from operator import index
from typing import TYPE_CHECKING, NamedTuple, cast

from pytest_pii_eval.contracts.offsets import points_of_bytes, points_of_utf16
from pytest_pii_eval.contracts.spans import MAX_PREDICTIONS, Detection, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pytest_pii_eval.contracts.offsets import OffsetUnit
    from pytest_pii_eval.contracts.spans import Range

WITHHELD = "(withheld)"
"""Stands for every unmapped label that could be text: no identifier, or made of words of the document."""

_LABEL = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:/-]{0,63}", re.ASCII)
_PART = re.compile(r"[A-Za-z0-9]{3,}", re.ASCII)
_WORDS = re.compile(r"\w+")
_FEW = 3


class BadAnswer(Exception):
    """An answer that is none: the wrong shape or too many spans; `rule` says what, without text."""

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule


class Answer(NamedTuple):
    """One document's answer as it is scored.

    `detection` has valid code point offsets and mapped types; spans of unmapped labels are left out of it.
    `unmapped` counts them by label, for the selected spans alone. `dropped` counts spans whose offsets are no
    half-open range inside the text or do not fall between code points, in the stage that has most of them:
    a span that goes through several stages is one prediction.
    """

    detection: Detection
    unmapped: Mapping[str, int]
    dropped: int


class Interpreter:
    """Reads the answers of one detector against one label map.

    `label_map` turns labels into types by exact name; `types` are the labels that are types themselves and
    serve where `label_map` is None. Where that is None, too, every label is a type, as a bank's entities are.
    """

    def __init__(
        self, unit: OffsetUnit, label_map: Mapping[str, str] | None, types: Iterable[str] | None = ()
    ) -> None:
        self._unit = unit
        self._types = {name: name for name in types or ()} if label_map is None else dict(label_map)
        self.any_type = label_map is None and types is None
        """Whether labels are handed on as they are."""
        self.types = frozenset(self._types.values())
        """The types that its answers can have, unless they can have any."""

    def read(self, text: str, detection: Detection) -> Answer:
        """Return the answer for `text`; raises `BadAnswer` where `detection` is none."""
        placed = converted(text, detection, self._unit)
        unmapped: Counter[str] = Counter()
        selected = self._mapped(
            placed.detection.selected, lambda span: unmapped.update([shown_label(text, span)])
        )
        candidates = placed.detection.candidates
        if candidates is not None:
            candidates = self._mapped(candidates, lambda _: None)
        mapped = placed.detection._replace(selected=selected, candidates=candidates)
        return Answer(mapped, unmapped, placed.dropped)

    def _mapped(self, spans: Iterable[Span], leave_out: Callable[[Span], None]) -> tuple[Span, ...]:
        if self.any_type:
            return tuple(spans)
        kept = []
        for span in spans:
            type_ = self._types.get(span.type)
            if type_ is None:
                leave_out(span)
            else:
                kept.append(span if type_ == span.type else span._replace(type=type_))
        return tuple(kept)


class Converted(NamedTuple):
    """A detection in code points with its own labels, and how many spans and ranges were dropped."""

    detection: Detection
    dropped: int


def converted(text: str, detection: Detection, unit: OffsetUnit) -> Converted:
    """Return `detection` in code points of `text`, exactly; nothing is clamped, rounded or searched for.

    Raises `BadAnswer` where a stage is no collection of spans, or holds more than `MAX_PREDICTIONS`.
    """
    if not isinstance(detection, Detection):
        raise BadAnswer("the answer is no Detection")
    selected = _checked(detection.selected)
    candidates = None if detection.candidates is None else _checked(detection.candidates)
    protection = None if detection.protection is None else _ranges(detection.protection)
    offsets = _Offsets(text, unit, [*selected, *(candidates or ()), *(protection or ())])
    stages = (
        offsets.spans(selected),
        None if candidates is None else offsets.spans(candidates),
        None if protection is None else offsets.ranges(protection),
    )
    given = (selected, candidates, protection)
    dropped = max(len(before or ()) - len(after or ()) for before, after in zip(given, stages, strict=True))
    return Converted(Detection(*stages, bool(detection.partial)), dropped)


class _Offsets:
    """The offsets of one text, from its detector's unit to code points; what does not convert is left out."""

    def __init__(self, text: str, unit: OffsetUnit, spans: Iterable[tuple[object, ...]]) -> None:
        self._length = len(text)
        self._points: Mapping[int, int] | None = None
        if unit != "codepoint" and not text.isascii():
            convert = points_of_bytes if unit == "byte" else points_of_utf16
            wanted = [offset for span in spans for offset in map(_whole, span[:2]) if offset is not None]
            self._points = convert(text, wanted)

    def spans(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        kept = []
        for span in spans:
            place = self._place(span)
            if place is not None:
                same = type(span[0]) is int and type(span[1]) is int and place == span[:2]
                kept.append(span if same else span._replace(start=place[0], end=place[1]))
        return tuple(kept)

    def ranges(self, ranges: Iterable[tuple[object, ...]]) -> tuple[Range, ...]:
        return tuple(place for one in ranges if (place := self._place(one)) is not None)

    def _place(self, span: tuple[object, ...]) -> Range | None:
        start, end = self._point(span[0]), self._point(span[1])
        if start is None or end is None or not 0 <= start < end <= self._length:
            return None
        return start, end

    def _point(self, offset: object) -> int | None:
        number = _whole(offset)
        return number if number is None or self._points is None else self._points.get(number)


def _whole(offset: object) -> int | None:
    """Return an integer offset as int, also one of numpy; None for a float, a bool or anything else."""
    if type(offset) is int:
        return offset
    try:
        return None if isinstance(offset, bool) else index(offset)  # type: ignore[arg-type]  # that is the question
    except Exception:  # noqa: BLE001  # a stranger's __index__ may raise anything
        return None


def _checked(stage: object) -> tuple[Span, ...]:
    return tuple(map(_labelled, _several(stage)))


def _labelled(span: object) -> Span:
    """Return `span` with a plain label: an enumeration's member, or a string of numpy, is one too."""
    if not isinstance(span, Span) or not isinstance(span.type, str):
        raise BadAnswer("a span is no Span or its label is no string")
    return span if type(span.type) is str else span._replace(type=str.__str__(span.type))


def _ranges(stage: object) -> tuple[tuple[object, ...], ...]:
    ranges = _several(stage)
    if not all(isinstance(one, tuple) and len(one) == 2 for one in ranges):  # noqa: PLR2004  # start and end
        raise BadAnswer("a protection range is no pair")
    return cast("tuple[tuple[object, ...], ...]", ranges)


def _several(stage: object) -> tuple[object, ...]:
    if not isinstance(stage, (tuple, list)):
        raise BadAnswer("a stage is no tuple or list")
    if len(stage) > MAX_PREDICTIONS:
        raise BadAnswer(f"a stage holds more than {MAX_PREDICTIONS} spans")
    return tuple(stage)


def shown_label(text: str, span: Span) -> str:
    """Return the label as a report may name it: a label may be text by mistake.

    It has its name only where it is an identifier, no part of it of three characters or more stands in the
    text just as it is written, and it is not made of its own span: what a dictionary calls an entry is often
    the entry's own letters and digits, in another case and with other signs between them.
    """
    label = span.type
    if not _LABEL.fullmatch(label) or any(part in text for part in _PART.findall(label)):
        return WITHHELD
    return WITHHELD if _is_made_of(label, text[span.start : span.end]) else label


def _is_made_of(label: str, surface: str) -> bool:
    """Whether letters and digits of `label` are those of `surface`: all, a word, or a part of four."""
    wanted, found = _squeezed(label), _squeezed(surface)
    if wanted in found or (len(found) >= _FEW and found in wanted):
        return True
    words = {_squeezed(word) for word in _WORDS.findall(surface)}
    parts = {_squeezed(part) for part in _PART.findall(label)}
    return (
        not parts.isdisjoint(words)
        or any(len(part) > _FEW and part in found for part in parts)
        or any(len(word) > _FEW and word in wanted for word in words)
    )


def _squeezed(text: str) -> str:
    """Return letters and digits alone, folded."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", text).casefold()))
