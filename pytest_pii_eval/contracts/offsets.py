"""Offsets from bytes and UTF-16 code units to code points, exactly; nothing is rounded to a boundary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

OffsetUnit = Literal["codepoint", "byte", "utf16"]
"""What offsets are counted in: Unicode code points, bytes of UTF-8, or UTF-16 code units."""

OFFSET_UNITS: tuple[OffsetUnit, ...] = ("codepoint", "byte", "utf16")


def points_of_bytes(text: str, offsets: Iterable[int]) -> dict[int, int]:
    """Map UTF-8 byte offsets of `text` to code point offsets; offsets inside a code point are left out.

    Linear in the text once, whatever the number of offsets.
    """
    wanted = sorted(set(offsets))
    if text.isascii():
        return {offset: offset for offset in wanted if 0 <= offset <= len(text)}
    payload = text.encode("utf-8")
    points: dict[int, int] = {}
    at_byte = at_point = 0
    for offset in wanted:
        if not at_byte <= offset <= len(payload) or _inside_code_point(payload, offset):
            continue
        at_point += len(payload[at_byte:offset].decode("utf-8"))
        at_byte = offset
        points[offset] = at_point
    return points


def points_of_utf16(text: str, offsets: Iterable[int]) -> dict[int, int]:
    """Map UTF-16 code unit offsets of `text` to code point offsets; those inside a pair are left out.

    Linear in the text once, whatever the number of offsets. Raises `UnicodeEncodeError` for lone surrogates.
    """
    wanted = sorted(set(offsets))
    if text.isascii():
        return {offset: offset for offset in wanted if 0 <= offset <= len(text)}
    payload = text.encode("utf-16-le")
    points: dict[int, int] = {}
    at_unit = at_point = 0
    for offset in wanted:
        if not at_unit <= offset <= len(payload) // 2 or _inside_pair(payload, offset):
            continue
        at_point += len(payload[2 * at_unit : 2 * offset].decode("utf-16-le"))
        at_unit = offset
        points[offset] = at_point
    return points


def _inside_pair(payload: bytes, offset: int) -> bool:
    """Whether the unit at `offset` is a low surrogate: its pair begins before it."""
    return 2 * offset < len(payload) and payload[2 * offset + 1] & 0xFC == 0xDC  # noqa: PLR2004  # UTF-16's own mark


def _inside_code_point(payload: bytes, offset: int) -> bool:
    return offset < len(payload) and payload[offset] & 0xC0 == 0x80  # noqa: PLR2004  # UTF-8's own mark
