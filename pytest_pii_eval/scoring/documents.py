"""What the scorer takes: the scope of a slice, and one document without its text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pytest_pii_eval.contracts.spans import Detection, GoldSpan


class Scope(NamedTuple):
    """The types of a slice, and those of them whose leak is of high severity."""

    types: frozenset[str]
    high_severity: frozenset[str] = frozenset()


class Document(NamedTuple):
    """One document: its `length` in code points, its gold spans and what was detected in it.

    All spans lie inside the text and none is empty (`0 <= start < end <= length`); they may nest,
    overlap, touch and repeat. `detection` is `None` where the detector failed or timed out.
    `unmapped` counts predictions whose label is not in the label map, `dropped` those with invalid
    offsets; neither is part of the detection.
    """

    length: int
    gold: tuple[GoldSpan, ...]
    detection: Detection | None
    unmapped: int = 0
    dropped: int = 0
