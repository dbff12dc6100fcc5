"""The geometry of horizontal bars with a label, printed counts and a floor; coordinates in CSS pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.reports.html.fitting import fitted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pii_eval.reports.html.values import Tone

WIDTH: Final = 320
LEFT, SPAN = 2.0, 316.0
_ROW, _LABEL, _BAR, _TICKS = 42, 14, 20, 24
_COLUMNS: Final = 44


class BarRow(NamedTuple):
    """One bar to draw: `share` of the full width, null where there is no value; `floor` a share as well."""

    label: str
    text: str
    share: float | None
    floor: float | None = None
    tone: Tone = "plain"


class Bar(NamedTuple):
    """One bar as drawn; `length` null means no value, `floor` is where the marker stands."""

    label: str
    text: str
    label_y: int
    bar_y: int
    length: float | None
    floor: float | None
    tone: Tone


class Tick(NamedTuple):
    """A mark of the scale."""

    x: float
    text: str
    anchor: str


class Bars(NamedTuple):
    """A plot of bars from left to right."""

    width: int
    height: int
    left: float
    span: float
    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]
    floors: bool


def bars(rows: Sequence[BarRow], *, ticks: tuple[str, str, str] | None = ("0", "0.5", "1")) -> Bars:
    """Return the plot of `rows`; `ticks` name the left end, the middle and the right end of the scale."""
    drawn = tuple(_bar(row, ordinal) for ordinal, row in enumerate(rows))
    anchors = ("start", "middle", "end")
    marks = tuple(
        Tick(round(LEFT + SPAN * ordinal / 2, 1), text, anchors[ordinal])
        for ordinal, text in enumerate(ticks or ())
    )
    height = len(rows) * _ROW + (_TICKS if ticks else 0)
    return Bars(WIDTH, height, LEFT, SPAN, drawn, marks, any(row.floor is not None for row in rows))


def _bar(row: BarRow, ordinal: int) -> Bar:
    top = ordinal * _ROW
    length = None if row.share is None else round(SPAN * _bounded(row.share), 1)
    floor = None if row.floor is None else round(LEFT + SPAN * _bounded(row.floor), 1)
    label = fitted(row.label, max(8, _COLUMNS - len(row.text)))
    return Bar(label, row.text, top + _LABEL, top + _BAR, length, floor, row.tone)


def _bounded(share: float) -> float:
    return min(max(share, 0.0), 1.0)
