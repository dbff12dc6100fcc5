"""The spans that a scan has picked so far, and the limit of their number."""

from __future__ import annotations

from functools import partial
from typing import final

from pytest_pii_eval.contracts.patterns import Match
from pytest_pii_eval.detectors.bank.errors import ScanFailure

# `Match._make` without its Python: a scan may find a hundred thousand.
_match = partial(tuple.__new__, Match)


@final
class Collected:
    """Spans in code points; adding more than `limit` raises `ScanFailure`."""

    __slots__ = ("_limit", "_spans")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._spans: list[tuple[int, int, int]] = []

    def add(self, start: int, end: int, index: int) -> None:
        """Keep one span."""
        if len(self._spans) >= self._limit:
            raise ScanFailure("match_limit", f"{self._limit} matches a document")
        self._spans.append((start, end, index))

    def records(self, text: str) -> list[Match]:
        """Return the spans of `text` as records in UTF-8 bytes, sorted."""
        spans = self._spans
        if spans and not text.isascii():
            offset = _byte_offsets(text, spans)
            spans = [(offset[start], offset[end], number) for start, end, number in spans]
        return list(map(_match, sorted(spans)))

    def moved(self, start_of: list[int], end_of: list[int]) -> Collected:
        """Return the same spans with each start and each end replaced by its place in another text."""
        other = Collected(self._limit)
        other._spans = [(start_of[start], end_of[end], index) for start, end, index in self._spans]
        return other


def _byte_offsets(text: str, spans: list[tuple[int, int, int]]) -> dict[int, int]:
    """Return the byte offset of every start and end, measuring each stretch of `text` once."""
    points = {span[0] for span in spans}
    points.update([span[1] for span in spans])
    offsets: dict[int, int] = {}
    place = offset = 0
    for point in sorted(points):
        offset += len(text[place:point].encode())
        offsets[point] = offset
        place = point
    return offsets
