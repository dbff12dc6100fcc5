"""Whether a masked text is its original cut at given ranges, with placeholders there; pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator, Sequence

    from pytest_pii_eval.contracts.spans import Range


def merged(ranges: Iterable[Range]) -> tuple[Range, ...]:
    """Return the union of `ranges`, sorted, with touching ones joined."""
    union: list[Range] = []
    for start, end in sorted(ranges):
        if union and start <= union[-1][1]:
            union[-1] = (union[-1][0], max(end, union[-1][1]))
        else:
            union.append((start, end))
    return tuple(union)


def is_cut_at(original: str, masked: str, ranges: Sequence[Range], placeholder: re.Pattern[str]) -> bool:
    """Whether `masked` is `original` with one or more placeholders in place of each of `ranges`.

    Ranges that touch may have one placeholder together. All ends that a placeholder can have are followed.
    """
    reached, at = {0}, 0
    for start, end in merged(ranges):
        most = sum(start <= one[0] < end for one in ranges)
        starts = _after_text(masked, reached, original[at:start])
        reached, at = _after_placeholders(masked, starts, (placeholder, most)), end
    return len(masked) in _after_text(masked, reached, original[at:])


def _after_text(masked: str, starts: set[int], text: str) -> set[int]:
    return {start + len(text) for start in starts if masked.startswith(text, start)}


def _after_placeholders(masked: str, starts: set[int], most: tuple[re.Pattern[str], int]) -> set[int]:
    """Return where one placeholder, or up to `most` that touch, can end."""
    placeholder, times = most
    found: set[int] = set()
    for _ in range(times):
        starts = {end for start in starts for end in _ends(masked, start, placeholder)}
        found |= starts
    return found


def _ends(masked: str, start: int, placeholder: re.Pattern[str]) -> Iterator[int]:
    longest = placeholder.match(masked, start)
    if longest is not None:
        ends = range(start + 1, longest.end() + 1)
        yield from (end for end in ends if placeholder.fullmatch(masked, start, end))
