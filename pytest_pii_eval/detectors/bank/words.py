"""What counts as a word character and as white space, and text with its white space collapsed."""

from __future__ import annotations

import re

import regex

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
_OTHER_SPACE = re.compile(f"[{_SPACES.replace(re.escape(' '), '')}]")
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


def collapse(text: str) -> str:
    """Return `text` with each run of white space made one space."""
    return _RUN.sub(" ", text) if _is_irregular(text) else text


def _is_irregular(text: str) -> bool:
    if "  " in text:
        return True
    if text.isascii():
        return any(space in text for space in "\n\t\r\v\f")
    return _OTHER_SPACE.search(text) is not None


def long_runs(text: str) -> list[tuple[int, int]]:
    """Return start and end of every run of two or more white space characters, in order."""
    return [run.span() for run in _LONG_RUN.finditer(text)]
