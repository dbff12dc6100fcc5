"""Which ranges of a text its masked form no longer shows: found exactly, or refused where not certain."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Sequence

    from pytest_pii_eval.contracts.spans import Range


class AlignmentRefused(Exception):
    """No single set of removed ranges explains a masked text; `reason` says why, without text."""

    reason = "alignment_refused"

    def __init__(self) -> None:
        super().__init__(self.reason)


class NotAMasking(AlignmentRefused):
    """The masked text is not the original with ranges replaced by placeholders."""

    reason = "not_a_masking"


class AmbiguousAlignment(AlignmentRefused):
    """Several sets of removed ranges give the same masked text."""

    reason = "ambiguous_alignment"


class Removed(NamedTuple):
    """Code points `start` to `end` of the original, half-open and never empty, and what stands for them.

    Several placeholders that touch share one range: where one ends and the next begins is not known.
    """

    start: int
    end: int
    placeholders: tuple[str, ...]


def align(
    original: str, masked: str, placeholder: re.Pattern[str], *, in_place: bool = False
) -> tuple[Removed, ...]:
    """Return the ranges of `original` that are replaced in `masked`, in order.

    Each match of `placeholder` in `masked` stands for one or more removed characters, or is kept text that
    only looks like it; in a run of one character (`****`) each single one may be kept text. Everything else
    is kept text. A range is returned only where all readings agree on the removed characters: raises
    `AmbiguousAlignment` where they do not, `NotAMasking` where there is no reading.

    `in_place` states that the product puts one character in the place of each: texts of equal length whose
    placeholders are all runs are then read character for character, if the kept text is in its place.
    """
    kept, groups = _pieces(masked, placeholder)
    if not groups:
        if original != masked:
            raise NotAMasking
        return ()
    ranges = _by_position(original, kept, groups) if in_place else []
    ranges = ranges or _by_kept_text(original, kept, groups)
    removed = tuple(Removed(*range_, group) for range_, group in zip(ranges, groups, strict=True))
    if any(_may_be_kept(original[start:end], group) for start, end, group in removed):
        raise AmbiguousAlignment
    return removed


def _pieces(masked: str, placeholder: re.Pattern[str]) -> tuple[list[str], list[tuple[str, ...]]]:
    """Return the text before, between and after the groups of touching placeholders, and the groups."""
    matches = [match for match in placeholder.finditer(masked) if match.group()]
    if not matches:
        return [masked], []
    starts = [0, *(at for at, (one, two) in enumerate(pairwise(matches), 1) if one.end() < two.start())]
    runs = [matches[start:end] for start, end in pairwise([*starts, len(matches)])]
    ends = [0, *(run[-1].end() for run in runs)]
    nexts = [*(run[0].start() for run in runs), len(masked)]
    kept = [masked[end:start] for end, start in zip(ends, nexts, strict=True)]
    return kept, [tuple(match.group() for match in run) for run in runs]


def _by_position(original: str, kept: list[str], groups: list[tuple[str, ...]]) -> list[Range]:
    """Return the ranges where each placeholder stands for as many characters as it has; empty if none can."""
    if not all(_is_run(one) for group in groups for one in group):
        return []
    sizes = [sum(map(len, group)) for group in groups]
    if sum(sizes) + sum(map(len, kept)) != len(original):
        return []
    ranges: list[Range] = []
    at = 0
    for piece, size in zip(kept, [*sizes, 0], strict=True):
        if not original.startswith(piece, at):
            return []
        at += len(piece)
        ranges.append((at, at + size))
        at += size
    return ranges[:-1]


def _by_kept_text(original: str, kept: list[str], groups: list[tuple[str, ...]]) -> list[Range]:
    """Return the ranges between the kept pieces where these can lie in one way only.

    Taking each piece as early as it can be gives the least offsets of all readings, as late the greatest.
    """
    least = _earliest(original, kept, [len(group) for group in groups])
    length = len(original)
    backwards = [piece[::-1] for piece in reversed(kept)]
    mirrored = _earliest(original[::-1], backwards, [len(group) for group in reversed(groups)])
    if least != [(length - end, length - start) for start, end in reversed(mirrored)]:
        raise AmbiguousAlignment
    return least


def _earliest(original: str, kept: Sequence[str], widths: Sequence[int]) -> list[Range]:
    """Return the ranges with each kept piece as early as possible; each is at least as wide as told."""
    first, *inner, last = kept
    end = len(original) - len(last)
    if not (original.startswith(first) and original.endswith(last)):
        raise NotAMasking
    ranges: list[Range] = []
    at = len(first)
    for piece, width in zip(inner, widths, strict=False):
        found = original.find(piece, at + width, max(end, 0))
        if found < 0:
            raise NotAMasking
        ranges.append((at, found))
        at = found + len(piece)
    if end - at < widths[-1]:
        raise NotAMasking
    return [*ranges, (at, end)]


def _may_be_kept(text: str, group: tuple[str, ...]) -> bool:
    """Whether a placeholder of `group`, which stands for `text`, can be kept text instead.

    One such placeholder, or one character of a run, is enough: were several kept, all but one of them could
    as well be read as replaced by themselves.
    """
    pieces = [one[0] if _is_run(one) else one for one in group]
    present = {piece for piece in set(pieces) if piece in text}
    return any(
        _fits(text, piece, before + left, len(group) - 1 - before + right)
        for before, (piece, one) in enumerate(zip(pieces, group, strict=True))
        if piece in present
        for left, right in _rests(len(one) if _is_run(one) else 1)
    )


def _rests(length: int) -> Iterable[tuple[int, int]]:
    """Return whether a run of `length` leaves something left and right of the one character that is kept."""
    one_side = ((0, 1), (1, 0))
    return {1: ((0, 0),), 2: one_side}.get(length, (*one_side, (1, 1)))


def _fits(text: str, piece: str, left: int, right: int) -> bool:
    """Whether `piece` is in `text` with `left` characters or more before it and `right` or more behind.

    Nothing may be there where the number is 0: no placeholder is left to stand for it.
    """
    if left and right:
        return text.find(piece, left, len(text) - right) >= 0
    rest = len(text) - len(piece)
    if left:
        return rest >= left and text.endswith(piece)
    return text.startswith(piece) and (rest >= right if right else rest == 0)


def _is_run(placeholder: str) -> bool:
    return placeholder == placeholder[0] * len(placeholder)
