"""Does an output look like the one that a page shows? docs/contributing.md says what may differ."""

from __future__ import annotations

import re

_RULE = re.compile(r"([=_-])\1{2,}")
_DURATION = re.compile(r"\bin \d+\.\d+s(?: \(\d+:\d\d:\d\d\))?")


def difference(expected: str, actual: str) -> str | None:
    """Return what does not fit, or None: `...` stands for any lines, and inside a line for any characters."""
    lines = [_plain(line) for line in actual.strip("\n").split("\n")]
    # Every place up to which the lines before can have been: `...` leaves many open.
    reached = {0}
    for number, line in enumerate(map(_plain, expected.strip("\n").split("\n")), 1):
        if line == "...":
            reached = set(range(min(reached), len(lines) + 1))
            continue
        told = min(reached)
        reached = {place + 1 for place in reached if place < len(lines) and _fits(line, lines[place])}
        if not reached:
            found = lines[told] if told < len(lines) else "the end"
            return f"line {number} of the page is not there: {line!r}; from line {told + 1} on: {found!r}"
    return None if len(lines) in reached else f"there is more: {lines[max(reached)]!r}"


def _fits(expected: str, actual: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, expected.split("..."))), actual) is not None


def _plain(line: str) -> str:
    """Leave out what differs from run to run and from width to width."""
    return _DURATION.sub("in T", _RULE.sub(r"\1\1\1", line.rstrip()))
