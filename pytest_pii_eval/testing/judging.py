"""What a detector's answer says of a planted identifier: found there, elsewhere, or not at all.

Everything is relative to what the detector itself answers in a short neutral text, so that no opinion about
labels or boundaries is needed; nothing here holds or returns text.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, TypeAlias

from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors.answers import BadAnswer, converted
from pytest_pii_eval.testing.leaks import shows
from pytest_pii_eval.withheld import withheld

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pytest_pii_eval.contracts.offsets import OffsetUnit
    from pytest_pii_eval.testing.asking import Reply
    from pytest_pii_eval.testing.drafts import Identifier, Place

Shape: TypeAlias = frozenset[tuple[int, int, str]]
"""The spans at an identifier: how far start and end are from the planted ones, and the label."""

Facts: TypeAlias = tuple[object, ...]
"""What two equal answers have in common: spans and ranges in any order, without scores."""


def spans_of(text: str, reply: Reply, unit: OffsetUnit) -> tuple[Span, ...] | None:
    """Return the selected spans in code points; None where there is no answer of the right form.

    Spans that do not convert are left out: whether offsets are valid is asked on its own.
    """
    if reply.error is not None or reply.late:
        return None
    try:
        detection = converted(text, reply.value, unit).detection
    except (BadAnswer, UnicodeError):
        return None
    return None if detection.partial else detection.selected


def shape_at(spans: Iterable[Span], place: Place) -> Shape:
    """Return what of `spans` touches the place, under the identifier's own label where it has one."""
    identifier, first, last = place
    return frozenset(
        (start - first, end - last, label)
        for start, end, label, *_ in spans
        if start < last and end > first and identifier.kind in (None, label)
    )


def is_unusable(text: str, reply: Reply, identifiers: Iterable[Identifier]) -> bool:
    """Whether the reply has a fault that a test of its own is about, so that others learn nothing from it.

    That is an exception that shows text, and an answer that is no `Detection` of spans.
    """
    if reply.error is not None:
        return shows(reply.error, text, [identifier.value for identifier in identifiers])
    try:
        converted(text, reply.value if not reply.late else Detection(()), "codepoint")
    except BadAnswer:
        return True
    return False


def missing_at(place: Place, shape: Shape, text: str, reply: Reply, unit: OffsetUnit) -> str | None:
    """Return what is wrong at `place`, where `shape` is due; None where nothing is."""
    return missing_of({place: shape}, text, reply, unit=unit).get(place)


def missing_of(due: Mapping[Place, Shape], text: str, reply: Reply, *, unit: OffsetUnit) -> dict[Place, str]:
    """Return the places where the shape that is due there is not in the reply, and what is wrong."""
    if reply.error is not None:
        return {place: f"{_where(place)}: raised {withheld(reply.error)}" for place in due}
    spans = spans_of(text, reply, unit)
    if spans is None:
        return {place: f"{_where(place)}: the answer is no whole one" for place in due}
    near = _by_start(spans)
    return {
        place: f"{_where(place)}: {_instead(place, shape, spans)}"
        for place, shape in due.items()
        if not shape <= shape_at(near(place), place)
    }


def _by_start(spans: Iterable[Span]) -> Callable[[Place], Iterable[Span]]:
    """Return what picks the spans that may touch a place: a long text has many of both."""
    ordered = sorted(spans, key=lambda span: span.start)
    starts = [span.start for span in ordered]
    longest = max((span.end - span.start for span in ordered), default=0)

    def near(place: Place) -> Iterable[Span]:
        return ordered[bisect_left(starts, place.start - longest) : bisect_left(starts, place.end)]

    return near


def facts_of(value: object) -> Facts:
    """Return what an answer says, in a form where equal answers are equal; also of what is no answer."""
    if not isinstance(value, Detection):
        return (type(value).__name__,)
    selected, candidates, protection, partial = value
    return _sorted(selected), _sorted(candidates), _sorted(protection), bool(partial)


def _sorted(stage: Iterable[tuple[object, ...]] | None) -> object:
    if stage is None:
        return None
    try:
        return tuple(sorted(repr((*one[:3], *one[4:])) for one in stage))
    except TypeError:  # no collection of spans, which is the matter of another test
        return type(stage).__name__


def _where(place: Place) -> str:
    return f"{place.identifier.called} at code points {place.start} to {place.end}"


def _instead(place: Place, shape: Shape, spans: Iterable[Span]) -> str:
    """Say how far the nearest span of a due label is, in code points."""
    labels = {label for _, _, label in shape}
    due_start, due_end, _ = min(shape)
    near = min(
        (span for span in spans if span.type in labels),
        key=lambda span: abs(span.start - place.start),
        default=None,
    )
    if near is None:
        return "not found"
    start, end = near.start - place.start - due_start, near.end - place.end - due_end
    return f"not found; the nearest answer of its label starts {start:+} and ends {end:+} code points off"
