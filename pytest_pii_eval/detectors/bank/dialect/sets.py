"""Sets of code points: the named ones, and their closure over case."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

import regex

from pytest_pii_eval.detectors.bank.dialect.nodes import Negation, Property, Ranges, Set, Union
from pytest_pii_eval.detectors.bank.folding import cased_between, family

_LAST = 0x10FFFF
_LAST_ASCII = 0x7F
_ASCII_SETS = {
    "alnum": ((48, 57), (65, 90), (97, 122)),
    "alpha": ((65, 90), (97, 122)),
    "ascii": ((0, 127),),
    "blank": ((9, 9), (32, 32)),
    "cntrl": ((0, 31), (127, 127)),
    "digit": ((48, 57),),
    "graph": ((33, 126),),
    "lower": ((97, 122),),
    "print": ((32, 126),),
    "punct": ((33, 47), (58, 64), (91, 96), (123, 126)),
    "space": ((9, 13), (32, 32)),
    "upper": ((65, 90),),
    "word": ((48, 57), (65, 90), (95, 95), (97, 122)),
    "xdigit": ((48, 57), (65, 70), (97, 102)),
}
_PERL_NAMES = {"d": "digit", "s": "space", "w": "word"}


def named_ascii(name: str) -> Ranges | None:
    """Return the set of a POSIX class name (`alpha`), or None where there is none of that name."""
    ranges = _ASCII_SETS.get(name)
    return None if ranges is None else Ranges(ranges)


def perl(letter: str, *, narrow: bool) -> Set:
    r"""Return the set of `\d`, `\s` or `\w`, of ASCII only where `narrow`."""
    return Ranges(_ASCII_SETS[_PERL_NAMES[letter]]) if narrow else Property(f"\\{letter}")


def fold_set(inner: Set, *, unicode: bool = True) -> Set:
    """Return the union of the case families of all code points in `inner`, a set without operations."""
    if isinstance(inner, Ranges):
        return Ranges(inner.ranges + _cases_of_ranges(inner.ranges, unicode=unicode))
    if isinstance(inner, Property) and inner.source not in {r"\d", r"\s", r"\w"}:
        extra = _cases_of_property(inner.source)
        return Union((inner, Ranges(extra))) if extra else inner
    return inner  # Closed already: each of its leaves was.


def _cases_of_ranges(ranges: tuple[tuple[int, int], ...], *, unicode: bool) -> tuple[tuple[int, int], ...]:
    points = {
        other
        for low, high in ranges
        for point in cased_between(low, high)
        for other in family(point)
        if not low <= other <= high and (unicode or max(point, other) <= _LAST_ASCII)
    }
    return _as_ranges(points)


@lru_cache(maxsize=256)
def _cases_of_property(source: str) -> tuple[tuple[int, int], ...]:
    cased = cased_between(0, _LAST)
    inside = {ord(c) for c in regex.findall(source, "".join(map(chr, cased)), regex.VERSION1)}
    return _as_ranges({other for point in inside for other in family(point)} - inside)


def _as_ranges(points: set[int]) -> tuple[tuple[int, int], ...]:
    ranges: list[tuple[int, int]] = []
    for point in sorted(points):
        if ranges and ranges[-1][1] == point - 1:
            ranges[-1] = (ranges[-1][0], point)
        else:
            ranges.append((point, point))
    return tuple(ranges)


def negate(inner: Set, *, negated: bool) -> Set:
    """Return `inner`, or all that is not in it where `negated`."""
    return Negation(inner) if negated else inner


def is_known(source: str) -> bool:
    """Say whether `regex` knows the set that the escape `source` names."""
    try:
        regex.compile(source, regex.VERSION1)
    except cast("type[Exception]", regex.error):
        return False
    return True
