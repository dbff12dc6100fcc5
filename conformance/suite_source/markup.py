"""Turns an authored template into a text and the byte spans of its markers; knows no bank and no file."""

from __future__ import annotations

import re
from typing import NamedTuple

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\"}
_TOKEN = re.compile(
    r"\[\[(?:(?P<label>[0-9]):)?(?P<path>[a-z0-9_]+/[a-z0-9_]+/[a-z0-9_]+)\|"
    r"|(?P<close>\]\])(?:\^(?P<closes>[0-9]))?"
    r"|\\(?P<times>[0-9]{2,5})\{(?P<filler>[^{}]+)\}"
    r"|\\(?P<escape>[ntr\\]|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})"
    r"|(?P<bad>\\)"
)


class Mark(NamedTuple):
    """One declared occurrence: its `entity/name/pattern` path and half-open UTF-8 byte offsets."""

    path: str
    start: int
    end: int


class TemplateError(ValueError):
    """A template whose markers or escapes do not add up."""


def unescape(source: str) -> str:
    r"""Return `source` with `\n`, `\t`, `\r`, `\\`, `\uXXXX` and `\UXXXXXXXX` replaced, markers kept."""
    return re.sub(r"\\([ntr\\]|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})", lambda found: _character(found[1]), source)


def render(template: str) -> tuple[str, tuple[Mark, ...]]:
    r"""Return the text of `template` and its marks in order of start, end and path.

    `[[entity/name/pattern|surface]]` declares an occurrence. Markers nest. Where two occurrences cross
    without one holding the other, a digit ties the ends together:
    `[[1:a/b/c|New [[2:d/e/f|York]]^1 Times]]^2`.
    Besides the escapes of `unescape`, `\400{text }` stands for 400 times `text `.
    Raises `TemplateError` for an unbalanced marker, an unknown escape or an empty surface.
    """
    writer = _Writer()
    position = 0
    for token in _TOKEN.finditer(template):
        writer.write(template[position : token.start()])
        writer.take(token)
        position = token.end()
    writer.write(template[position:])
    return writer.finish()


def declared(template: str) -> list[str]:
    """Return the path of each marker that `template` opens."""
    return [token["path"] for token in _TOKEN.finditer(template) if token["path"]]


def _character(escape: str) -> str:
    return _ESCAPES.get(escape) or chr(int(escape[1:], 16))


class _Writer:
    def __init__(self) -> None:
        self._parts: list[str] = []
        self._size = 0
        self._open: list[tuple[str | None, str, int]] = []
        self._marks: list[Mark] = []

    def write(self, text: str) -> None:
        self._parts.append(text)
        self._size += len(text.encode("utf-8"))

    def take(self, token: re.Match[str]) -> None:
        if token["path"]:
            self._open.append((token["label"], token["path"], self._size))
        elif token["close"]:
            self._close(token["closes"])
        elif token["times"]:
            self.write(unescape(token["filler"]) * int(token["times"]))
        elif token["escape"]:
            self.write(_character(token["escape"]))
        else:
            raise TemplateError("unknown escape")

    def finish(self) -> tuple[str, tuple[Mark, ...]]:
        if self._open:
            raise TemplateError("a marker is not closed")
        marks = sorted(self._marks, key=lambda mark: (mark.start, mark.end, mark.path))
        return "".join(self._parts), tuple(marks)

    def _close(self, label: str | None) -> None:
        for index in range(len(self._open) - 1, -1, -1):
            opened, path, start = self._open[index]
            if opened == label:
                del self._open[index]
                break
        else:
            raise TemplateError("a marker is closed that was never opened")
        if start == self._size:
            raise TemplateError("a marker has an empty surface")
        self._marks.append(Mark(path, start, self._size))
