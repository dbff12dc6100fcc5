"""Whether gold may have been counted in another unit than code points: integers that add up, then a hint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from pytest_pii_eval.contracts.offsets import points_of_bytes, points_of_utf16

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from pytest_pii_eval.contracts.spans import GoldSpan, Span

OffsetUnit = Literal["utf16", "byte"]
"""A unit that offsets may have been counted in by mistake."""

UNIT_NAMES: Mapping[OffsetUnit, str] = {"utf16": "UTF-16 units", "byte": "UTF-8 bytes"}


class OffsetFits(NamedTuple):
    """Gold spans of non-ASCII texts that no prediction equals, and what another unit makes of them.

    `utf16` and `byte` count those of the `missed` that do equal a prediction of their type once their
    offsets are read as UTF-16 units or as UTF-8 bytes.
    """

    missed: int = 0
    utf16: int = 0
    byte: int = 0


def offset_fits(text: str, gold: Collection[GoldSpan], found: Iterable[Span]) -> dict[str, OffsetFits]:
    """Return the fits of one document by gold type; empty where its text is ASCII or nothing is missed."""
    if not gold or text.isascii():
        return {}
    spans = {span[:3] for span in found}
    missed = [span for span in gold if span[:3] not in spans]
    if not missed:
        return {}
    types = {span[2] for span in spans}
    # Only a prediction of the type can be hit: where there is none, the text need not be counted again.
    offsets = {offset for span in missed if span[2] in types for offset in span[:2]}
    readings = (points_of_utf16(text, offsets), points_of_bytes(text, offsets)) if offsets else ({}, {})
    fits: dict[str, OffsetFits] = {}
    for start, end, type_, *_ in missed:
        hits = [(points.get(start), points.get(end), type_) in spans for points in readings]
        fits[type_] = added((fits.get(type_, OffsetFits()), OffsetFits(1, *hits)))
    return fits


def added(fits: Iterable[OffsetFits]) -> OffsetFits:
    """Return the sums of the counts."""
    missed = utf16 = byte = 0
    for one in fits:
        missed += one.missed
        utf16 += one.utf16
        byte += one.byte
    return OffsetFits(missed, utf16, byte)


def offset_hint(fits: OffsetFits) -> OffsetUnit | None:
    """Return the one unit in which every missed span fits, or None: one span that fits none rules it out."""
    units: list[OffsetUnit] = []
    if fits.missed and fits.utf16 == fits.missed:
        units.append("utf16")
    if fits.missed and fits.byte == fits.missed:
        units.append("byte")
    return units[0] if len(units) == 1 else None
