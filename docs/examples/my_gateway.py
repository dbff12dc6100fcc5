"""A gateway to hold to docs/redactor-contract.md: it masks mail addresses and telephone numbers."""

from __future__ import annotations

import re
from typing import NamedTuple

_FOUND = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]*\w|\+\d[\d ()-]{6,}\d")
_MASK = re.compile(r"<ID_(\d+)>")


class Result(NamedTuple):
    """What is left of a text, what was taken out, and what brings it back."""

    text: str
    ranges: list[tuple[int, int]]
    key: tuple[str, ...]


class Gateway:
    """Replaces each find by a numbered mark."""

    def redact(self, text: str) -> Result:
        """Mask a text."""
        finds = list(_FOUND.finditer(text))
        marks = iter(range(1, len(finds) + 1))
        masked = _FOUND.sub(lambda _: f"<ID_{next(marks)}>", text)
        return Result(masked, [find.span() for find in finds], tuple(find[0] for find in finds))

    def restore(self, masked: str, key: tuple[str, ...]) -> str:
        """Put back what was taken out."""
        return _MASK.sub(lambda mark: key[int(mark[1]) - 1], masked)
