"""The geometry of a funnel: steps that narrow, each as wide as its share of the first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH: Final = 320
_FULL, _STEP, _LABEL, _TOP, _BAND = 312.0, 56, 15, 22, 20


class Step(NamedTuple):
    """One step: its words and count, and the corners of its band; the slope leads to the next step."""

    label: str
    text: str
    label_y: int
    x: float
    y: int
    length: float
    slope: str | None


class Funnel(NamedTuple):
    """The steps from top to bottom."""

    width: int
    height: int
    band: int
    steps: tuple[Step, ...]


def funnel(counts: Sequence[tuple[str, int, str]]) -> Funnel:
    """Return the plot of steps as (words, count, printed count); the first is the whole."""
    whole = max((number for _, number, _ in counts), default=0) or 1
    lengths = [round(_FULL * (number / whole), 1) for _, number, _ in counts]
    steps = tuple(
        Step(
            label,
            text,
            ordinal * _STEP + _LABEL,
            _left(lengths[ordinal]),
            ordinal * _STEP + _TOP,
            lengths[ordinal],
            _slope(lengths, ordinal),
        )
        for ordinal, (label, _, text) in enumerate(counts)
    )
    return Funnel(WIDTH, len(counts) * _STEP - 8, _BAND, steps)


def _left(length: float) -> float:
    return round((WIDTH - length) / 2, 1)


def _slope(lengths: Sequence[float], ordinal: int) -> str | None:
    """Return the points of the slope from the foot of a step to the head of the next."""
    if ordinal + 1 == len(lengths):
        return None
    foot, head = ordinal * _STEP + _TOP + _BAND, (ordinal + 1) * _STEP + _TOP
    here, below = lengths[ordinal], lengths[ordinal + 1]
    corners = (
        (_left(here), foot),
        (round(_left(here) + here, 1), foot),
        (round(_left(below) + below, 1), head),
        (_left(below), head),
    )
    return " ".join(f"{x:g},{y:g}" for x, y in corners)
