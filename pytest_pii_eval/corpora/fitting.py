"""Whether the spans of a row fit its text: range, unit, value; what does not fit is refused, never mended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from pytest_pii_eval.contracts.offsets import points_of_bytes, points_of_utf16
from pytest_pii_eval.contracts.quality_model import MAX_GOLD, MAX_TEXT_BYTES
from pytest_pii_eval.corpora.draft import UnfitRow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_pii_eval.contracts.offsets import OffsetUnit
    from pytest_pii_eval.corpora.draft import Labelled, Reason


class Given(NamedTuple):
    """A span as a row has it: offsets in the corpus's unit, and the value that it says stands there.

    `value` None: the row does not say. A whole number is compared by its digits: some exports lose the
    difference between 17 and "17".
    """

    start: object
    end: object
    label: object
    value: object = None


Quadruple: TypeAlias = tuple[object, object, object, object]
"""What `Given` is without its names."""

_Typed: TypeAlias = tuple[int, int, str, object]

# What a unit counts: the encoding, and how many of its bytes are one.
_ENCODINGS: Final[Mapping[OffsetUnit, tuple[str, int]]] = {
    "byte": ("utf-8", 1),
    "utf16": ("utf-16-le", 2),
    "codepoint": ("utf-32-le", 4),
}


class _Measured(NamedTuple):
    """A text and how it is measured; `points` maps offsets in `unit` to code points, None: they are."""

    text: str
    unit: OffsetUnit
    points: Mapping[int, int] | None


def fitted(text: object, given: Sequence[Quadruple], unit: OffsetUnit = "codepoint") -> tuple[Labelled, ...]:
    """Return the spans of `text` in code points, in the order given; raises `UnfitRow`.

    Every offset is an integer (no bool, no float), `0 <= start < end <= length` in `unit`, no offset lies
    inside a character, no two spans are equal, and a value equals the text between its offsets exactly.
    """
    checked = checked_text(text)
    spans = _plain(checked, _bounded(given)) if unit == "codepoint" else None
    return _fitted(checked, [_typed(one) for one in given], unit) if spans is None else spans


def _plain(text: str, given: Sequence[Quadruple]) -> tuple[Labelled, ...] | None:
    """Return the spans of a row without flaws in one pass; None where a look at each rule is due."""
    length = len(text)
    spans = []
    for start, end, label, value in given:
        if not (type(start) is int and type(end) is int and type(label) is str and label):
            return None
        if not 0 <= start < end <= length:
            return None
        if value is not None and text[start:end] != value and not _equal(text[start:end], value):
            return None
        spans.append((start, end, label))
    return tuple(spans) if len(set(spans)) == len(spans) else None


def _fitted(text: str, given: Sequence[_Typed], unit: OffsetUnit) -> tuple[Labelled, ...]:
    measured = _Measured(text, unit, _points(text, given, unit))
    spans = tuple([_span(measured, one) for one in given])
    if len(set(spans)) != len(spans):
        raise UnfitRow("repeated_span")
    return spans


def checked_text(text: object) -> str:
    """Return `text`; raises `UnfitRow` where it is no text of a document."""
    if type(text) is not str:
        raise UnfitRow("text_not_string")
    try:
        size = len(text) if text.isascii() else len(text.encode("utf-8"))
    except UnicodeEncodeError:
        raise UnfitRow("lone_surrogate") from None
    if size > MAX_TEXT_BYTES:
        raise UnfitRow("text_too_long")
    return text


def _bounded(given: Sequence[Quadruple]) -> Sequence[Quadruple]:
    if len(given) > MAX_GOLD:
        raise UnfitRow("too_many_spans")
    return given


def _typed(one: Quadruple) -> _Typed:
    start, end, label, value = one
    if type(start) is not int or type(end) is not int:
        raise UnfitRow("offset_not_integer")
    if type(label) is not str or not label:
        raise UnfitRow("spans_not_readable")
    return start, end, label, value


def _points(text: str, given: Sequence[_Typed], unit: OffsetUnit) -> Mapping[int, int] | None:
    """Return the map from offsets to code points, or None where they are code points already."""
    if unit == "codepoint":
        return None
    offsets = [offset for start, end, _, _ in given for offset in (start, end)]
    return points_of_bytes(text, offsets) if unit == "byte" else points_of_utf16(text, offsets)


def _span(measured: _Measured, one: _Typed) -> Labelled:
    text, _, points = measured
    start, end, label, value = one
    if points is not None:
        if start not in points or end not in points:
            raise UnfitRow(_why_nowhere(measured, start, end))
        start, end = points[start], points[end]
    if not 0 <= start < end <= len(text):
        raise UnfitRow("empty_span" if start == end else "offset_outside_text")
    if value is not None and not _equal(text[start:end], value):
        raise UnfitRow(_why_different(text, one))
    return start, end, label


def _why_nowhere(measured: _Measured, start: int, end: int) -> Reason:
    encoding, width = _ENCODINGS[measured.unit]
    size = len(measured.text.encode(encoding)) // width
    return "offset_inside_character" if 0 <= start <= end <= size else "offset_outside_text"


def _why_different(text: str, one: _Typed) -> Reason:
    """Tell apart a value that stands elsewhere from one that stands there in another unit."""
    if text.isascii():
        return "value_differs"
    start, end, _, value = one
    for encoding, width in _ENCODINGS.values():
        payload = text.encode(encoding)
        try:
            there = payload[start * width : end * width].decode(encoding)
        except UnicodeDecodeError:
            continue
        if _equal(there, value):
            return "offsets_in_another_unit"
    return "value_differs"


def _equal(surface: str, value: object) -> bool:
    return surface == (str(value) if type(value) is int else value)
