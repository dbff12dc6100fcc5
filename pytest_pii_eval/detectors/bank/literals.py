"""All literals of a bank in one automaton over one view of the text; its hits are tested afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, final

from ahocorasick_rs import AhoCorasick, Implementation, MatchKind

from pytest_pii_eval.detectors.bank.beyond import beyond_ascii
from pytest_pii_eval.detectors.bank.folding import family, fold
from pytest_pii_eval.detectors.bank.views import Shift, view_of
from pytest_pii_eval.detectors.bank.words import (
    ASCII_WORDS,
    WORDS,
    collapse,
    has_edge_space,
    has_space,
    has_wide_space,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_pii_eval.contracts.patterns import ActivePattern

# A hit of the automaton is a candidate only if this holds of the text between its ends.
Test = Callable[[str], bool]


# (entity, start, rank, end, pattern), places in code points: sorted, these stand in the order of the pick.
Candidate = tuple[int, int, int, int, int]

_FIRST_WINDOW = 2_048
_LARGEST_WINDOW = 65_536
_SMALLEST_WINDOW = 64
_HITS_OF_A_WINDOW = 16_384
_LARGEST_TABLE = 32 * 1024 * 1024  # bytes
# A full table scans twice as fast. It takes as long to build as it saves in so many characters a byte.
_CHARACTERS_A_BYTE = 0.5


class Placed(NamedTuple):
    """A pattern with the number of its entity, its rank among that entity's patterns and its own number."""

    entity: int
    rank: int
    number: int
    pattern: ActivePattern


class _Entry(NamedTuple):
    entity: int
    rank: int
    number: int
    left: dict[str, bool] | None
    right: dict[str, bool] | None
    test: Test | None


def ignores_case(pattern: ActivePattern) -> bool:
    """Say whether the literal matches in any case; a flag of the bank or entity is enough."""
    return not pattern.case_sensitive or "IGNORECASE" in pattern.flags


def is_flexible(pattern: ActivePattern) -> bool:
    """Say whether the literal has white space that may be any run of white space."""
    return pattern.normalize_whitespace and has_space(pattern.value)


@final
class Literals:
    """The literals of a bank that the automaton can find; `unusual` holds the others.

    A literal with white space at an edge is unusual where white space is collapsed: one run of it may
    hold several matches.
    """

    def __init__(self, placed: Iterable[Placed]) -> None:
        every = list(placed)
        self._collapsed = any(is_flexible(one.pattern) for one in every)
        self._folded = any(ignores_case(one.pattern) for one in every)
        self.unusual = [one for one in every if self._collapsed and has_edge_space(one.pattern.value)]
        unusual = {one.number for one in self.unusual}
        keys: dict[str, list[_Entry]] = {}
        for one in every:
            if one.number not in unusual:
                keys.setdefault(self._view(one.pattern.value), []).append(self._entry(one))
        self._entries = [tuple(entries) for entries in keys.values()]
        self._longest = max(map(len, keys), default=0)
        self._automaton = _automaton(keys, Implementation.ContiguousNFA) if keys else None
        self._table = _table_size(keys)
        self._keys = list(keys) if self._table <= _LARGEST_TABLE else None
        self._scanned = 0

    def _view(self, value: str) -> str:
        return view_of(value, collapsed=self._collapsed, folded=self._folded)

    def _entry(self, one: Placed) -> _Entry:
        pattern = one.pattern
        words: dict[str, bool] = ASCII_WORDS if "ASCII" in pattern.flags else WORDS
        return _Entry(
            one.entity,
            one.rank,
            one.number,
            words if pattern.left_boundary == "word" else None,
            words if pattern.right_boundary == "word" else None,
            self._test(pattern),
        )

    def _test(self, pattern: ActivePattern) -> Test | None:
        """Return what the view hides of the difference between the literal and a hit, if anything."""
        value = pattern.value
        cased = self._folded and not ignores_case(pattern) and any(len(family(ord(c))) > 1 for c in value)
        rigid = self._collapsed and not is_flexible(pattern) and has_space(value)
        narrow = is_flexible(pattern) and "ASCII" in pattern.flags
        test: Test | None = None
        if rigid:
            test = _is_folded(fold(value)) if ignores_case(pattern) else value.__eq__
        elif cased:
            test = _is_collapsed(collapse(value)) if is_flexible(pattern) else value.__eq__
        return _is_narrow(test) if narrow else test

    def candidates(self, text: str) -> Iterator[list[Candidate]]:
        """Return the candidates of `text` in sorted parts, each part behind the one before.

        Parts keep the memory of a scan bounded, however many literals overlap.
        """
        automaton = self._automaton_for(len(text))
        if automaton is None:
            return iter(())
        beyond = beyond_ascii(text)
        collapsed = collapse(text, beyond) if self._collapsed else text
        view = fold(collapsed, beyond) if self._folded else collapsed
        shift = Shift(text) if len(text) != len(collapsed) else None
        padded = text + "\0"  # No word character: index -1 and the length stand for the ends of the text.
        if len(view) > _FIRST_WINDOW:
            return (self._tested(padded, shift, hits) for hits in self._windows(view, automaton))
        hits = automaton.find_matches_as_indexes(view, overlapping=True)
        return iter((self._tested(padded, shift, hits),) if hits else ())

    def _automaton_for(self, length: int) -> AhoCorasick | None:
        """Return what scans the next `length` characters: a full table once it pays, where there is room."""
        self._scanned += length
        if self._keys and self._scanned > self._table * _CHARACTERS_A_BYTE:
            self._automaton = _automaton(self._keys, Implementation.DFA)
            self._keys = None
        return self._automaton

    def _windows(self, view: str, automaton: AhoCorasick) -> Iterator[list[tuple[int, int, int]]]:
        start, size = 0, _FIRST_WINDOW
        while start < len(view):
            end = start + size
            hits = automaton.find_matches_as_indexes(view[start : end + self._longest - 1], overlapping=True)
            yield [(key, start + low, start + high) for key, low, high in hits if low < size]
            start, size = end, _next_size(size, len(hits), self._longest)

    def _tested(self, padded: str, shift: Shift | None, hits: list[tuple[int, int, int]]) -> list[Candidate]:
        """Return the hits that are candidates, with places of the text; the pick needs them tested before."""
        if shift is not None:
            hits = [(key, shift(low), shift(high - 1) + 1) for key, low, high in hits]
        found: list[Candidate] = []
        entries = self._entries
        for key, start, end in hits:
            for entity, rank, number, left, right, test in entries[key]:
                if left is not None and left[padded[start - 1]] is left[padded[start]]:
                    continue
                if right is not None and right[padded[end - 1]] is right[padded[end]]:
                    continue
                if test is None or test(padded[start:end]):
                    found.append((entity, start, rank, end, number))
        found.sort()
        return found


def _automaton(keys: Iterable[str], implementation: Implementation) -> AhoCorasick:
    return AhoCorasick(
        keys, matchkind=MatchKind.Standard, store_patterns=False, implementation=implementation
    )


def _table_size(keys: Iterable[str]) -> int:
    """Return the bytes that a full table over `keys` takes at most."""
    encoded = [key.encode() for key in keys]
    return sum(map(len, encoded)) * (4 << len(set(b"".join(encoded))).bit_length())


def _next_size(size: int, hits: int, longest: int) -> int:
    """Return the next window: up to four times as large, or smaller where hits are crowded."""
    largest = max(_LARGEST_WINDOW, 4 * longest)
    return max(min(size * 4, size * _HITS_OF_A_WINDOW // max(hits, 1), largest), _SMALLEST_WINDOW)


def _is_folded(folded: str) -> Test:
    return lambda found: fold(found) == folded


def _is_collapsed(collapsed: str) -> Test:
    return lambda found: collapse(found) == collapsed


def _is_narrow(test: Test | None) -> Test:
    return lambda found: not has_wide_space(found) and (test is None or test(found))
