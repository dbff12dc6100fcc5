"""One error in its text: the span marked, some text on both sides, and nothing that an eye would obey."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from pytest_pii_eval.reports.dump.model import Context, Part
from pytest_pii_eval.reports.words import inert, written_out

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pii_eval.reports.dump.model import Mark, Occurrence

    Predicted = tuple[int, int, str]

_SIDE: Final = 60
_LONGEST: Final = 160
_PREDICTIONS: Final = 8
_NAMED: Final = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def visible(text: str) -> str:
    r"""Return `text` with letters, marks, numbers, punctuation and symbols as they are, and the rest escaped.

    Control, format (bidirectional ones among them), private, unassigned and separator characters other than
    the plain space become `\n`, `\r`, `\t` or `\u{...}`.
    """
    return written_out(text, _NAMED)


def shortened(text: str) -> str:
    """Return `text` made visible; of a long one the middle is left out, and told by its length."""
    if len(text) <= _LONGEST:
        return visible(text)
    half = _LONGEST // 2
    return f"{visible(text[:half])} […{len(text) - 2 * half:,} characters…] {visible(text[-half:])}"


def context_of(document: str, text: str, found: Occurrence, selected: Sequence[Predicted]) -> Context:
    """Return an error in its text; `selected` are all predictions of the document that were scored."""
    low, high = max(0, found.start - _SIDE), min(len(text), found.end + _SIDE)
    near = [] if found.state == "extra" else _overlapping(found, selected)
    parts = list(_parts(text, (low, high), found, near))
    if low:
        parts.insert(0, Part("…", ""))
    if high < len(text):
        parts.append(Part("…", ""))
    return Context(document, found.start, found.end, tuple(parts), tuple(_told(near)))


def _told(near: Sequence[Predicted]) -> Iterator[str]:
    yield from (f"{inert(type_)} {start}-{end}" for start, end, type_ in near[:_PREDICTIONS])
    if len(near) > _PREDICTIONS:
        yield f"and {len(near) - _PREDICTIONS:,} more"


def _overlapping(found: Occurrence, selected: Sequence[Predicted]) -> list[Predicted]:
    """Return the predictions that overlap an error: those of its own type first, as they decide its state."""
    near = {(start, end, type_) for start, end, type_ in selected if start < found.end and found.start < end}
    return sorted(near, key=lambda one: (one[2] != found.type, one))


def _parts(
    text: str, window: tuple[int, int], found: Occurrence, near: Sequence[Predicted]
) -> Iterator[Part]:
    low, high = window
    gold = [] if found.state == "extra" else [(found.start, found.end)]
    predicted = [(found.start, found.end)] if found.state == "extra" else [one[:2] for one in near]
    edges = {low, high, *(min(max(edge, low), high) for span in (*gold, *predicted) for edge in span)}
    start = low
    for at, end in pairwise(sorted(edges)):
        mark = _mark(at, gold, predicted)
        if end == high or _mark(end, gold, predicted) != mark:
            yield Part(shortened(text[start:end]), mark)
            start = end


def _mark(at: int, gold: Sequence[tuple[int, int]], predicted: Sequence[tuple[int, int]]) -> Mark:
    is_gold = any(start <= at < end for start, end in gold)
    if any(start <= at < end for start, end in predicted):
        return "both" if is_gold else "predicted"
    return "gold" if is_gold else ""
