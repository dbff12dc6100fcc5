"""Tokens laid out as a text: where each one stands, in code points; what the tags say lives in `tags`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_pii_eval.corpora.draft import UnfitRow
from pytest_pii_eval.corpora.fitting import Given

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_pii_eval.contracts.spans import Range
    from pytest_pii_eval.corpora.tags import Chunk


class Layout(NamedTuple):
    """A text made of tokens, and the range of each in it: code points, half-open, no blank behind."""

    text: str
    ranges: tuple[Range, ...]


def laid_out(tokens: Sequence[str], trailing: Sequence[bool]) -> Layout:
    """Return the tokens one after the other, a blank after each whose `trailing` is true.

    Raises `UnfitRow` (`bad_tag`) where the two differ in length.
    """
    if len(tokens) != len(trailing):
        raise UnfitRow("bad_tag")
    at, ranges, pieces = 0, [], []
    for token, blank in zip(tokens, trailing, strict=True):
        piece = token + " " if blank else token
        ranges.append((at, at + len(token)))
        pieces.append(piece)
        at += len(piece)
    return Layout("".join(pieces), tuple(ranges))


def joined(tokens: Sequence[str]) -> Layout:
    """Return the tokens with one blank between each two: for corpora that lost their own white space."""
    return laid_out(tokens, [True] * (len(tokens) - 1) + [False] * bool(tokens))


def standing(layout: Layout, chunks: Iterable[Chunk]) -> list[Given]:
    """Return where the chunks stand in the text: from their first token to the end of their last."""
    ranges = layout.ranges
    return [Given(ranges[first][0], ranges[end - 1][1], label) for first, end, label in chunks]


def texts(value: object) -> list[str]:
    """Return `value`, a list of text; raises `UnfitRow` where it is none."""
    if type(value) is not list or not all(type(one) is str for one in value):
        raise UnfitRow("text_not_string")
    return value


def flags(value: object) -> list[bool]:
    """Return `value`, a list of true and false; raises `UnfitRow` where it is none."""
    if type(value) is not list or not all(type(one) is bool for one in value):
        raise UnfitRow("row_not_readable")
    return value
