"""What counts as a word character and as white space, and text with its white space collapsed."""

from __future__ import annotations

import re

import regex

from pytest_pii_eval.detectors.bank.beyond import beyond_ascii
from pytest_pii_eval.detectors.bank.dialect.cursor import WHITE_SPACE

_WORD = regex.compile(r"\w", regex.VERSION1)


class Words(dict[str, bool]):
    """Says of a character whether Unicode counts it as part of a word, marks and joiners included."""

    def __missing__(self, character: str) -> bool:
        self[character] = known = _WORD.match(character) is not None
        return known


class AsciiWords(dict[str, bool]):
    """Says of a character whether it is an ASCII letter, digit or underscore."""

    def __missing__(self, character: str) -> bool:
        self[character] = known = character.isascii() and (character.isalnum() or character == "_")
        return known


WORDS = Words()
ASCII_WORDS = AsciiWords()
_SPACES = "".join(map(re.escape, sorted(WHITE_SPACE)))
_RUN = re.compile(f"[{_SPACES}]+")
_LONG_RUN = re.compile(f"[{_SPACES}]{{2,}}")
_RUN_OF_SPACES = re.compile(" {2,}")
_ASCII_SPACES = sorted(one for one in WHITE_SPACE if one.isascii() and one != " ")
_WIDE_SPACE = re.compile("[" + "".join(sorted(c for c in WHITE_SPACE if not c.isascii())) + "]")


def has_space(text: str) -> bool:
    """Say whether any white space is in `text`."""
    return _RUN.search(text) is not None


def has_edge_space(text: str) -> bool:
    """Say whether `text` starts or ends with white space."""
    return text[0] in WHITE_SPACE or text[-1] in WHITE_SPACE


def has_wide_space(text: str) -> bool:
    """Say whether white space beyond ASCII is in `text`."""
    return _WIDE_SPACE.search(text) is not None


def collapse(text: str, beyond: str | None = None) -> str:
    """Return `text` with each run of white space made one space; `beyond` is its `beyond_ascii`, if known."""
    spaced = _spaced(text, beyond_ascii(text) if beyond is None else beyond)
    return _RUN_OF_SPACES.sub(" ", spaced) if "  " in spaced else spaced


def _spaced(text: str, beyond: str) -> str:
    """Return `text` with each white space character made a space; one replacement for each kind in it."""
    kinds = [one for one in _ASCII_SPACES if one in text]
    if beyond:
        kinds += set(_WIDE_SPACE.findall(beyond))
    for kind in kinds:
        text = text.replace(kind, " ")
    return text


def long_runs(text: str) -> list[tuple[int, int]]:
    """Return start and end of every run of two or more white space characters, in order."""
    return [run.span() for run in _LONG_RUN.finditer(text)]
