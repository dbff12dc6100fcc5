"""A set of ids that remembers where each was first seen, in bounded memory whatever their number."""

from __future__ import annotations

import os
from hashlib import blake2b
from heapq import nsmallest
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, final

from pytest_pii_eval.contracts.entries import Entries

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pii_eval.contracts.runs import Runs

KEPT: Final = 1 << 14
"""Ids in memory, unless somebody wants another number: half a megabyte, and two while they are sorted."""

_DIGEST: Final = 16
_FILE: Final = 3
_LINE: Final = 4
_ENTRY: Final = _DIGEST + _FILE + _LINE

_digest: Final = itemgetter(slice(_DIGEST))

_KEY: Final = os.urandom(32)
# What lies on disk says nothing without it, and it is never written.

Place: TypeAlias = tuple[str, int]
"""`(file, line)`: a name safe to print, and a line counted from 1."""


class Lacking(NamedTuple):
    """How many ids another set lacks, and the earliest of their places."""

    ids: int
    first: Place | None


@final
class Places:
    """Ids by the place of their first mention.

    An id is kept as 128 bits of its BLAKE2b hash, under a key of this process, so two ids are taken for one
    with a probability of about 10^-26 among two million. Of them `kept` are in memory (all: None). Where
    there are more, they lie in sorted runs in a private temporary file, and merging those gives an answer.
    Ids are added in the order of their places: files by name, and lines from the first.
    """

    def __init__(self, kept: int | None = KEPT) -> None:
        self._kept = kept
        self._entries = Entries(_ENTRY)
        self._waiting: list[bytes] = []
        self._runs: Runs | None = None
        self._number = 0
        self._files: dict[str, int] = {}
        self._told: tuple[Place, Place] | None = None

    def __len__(self) -> int:
        """Return the number of ids; one that is repeated counts again where `add` could not tell."""
        return self._number

    def __iter__(self) -> Iterator[tuple[bytes, Place]]:
        """Yield the hash of each id with its place, by hash and place."""
        names = list(self._files)
        for entry in self._in_order():
            yield entry[:_DIGEST], _place(entry, names)

    def add(self, name: str, place: Place) -> Place | None:
        """Add `name`; return the place of its first mention where it was added before, else `None`.

        Where not all ids are in memory it returns `None` for both, and `repeated` tells. Raises `Fault`
        where the disk refuses.
        """
        digest = _hash(name)
        file, line = place
        number = self._files.setdefault(file, len(self._files))
        entry = digest + number.to_bytes(_FILE, "big") + line.to_bytes(_LINE, "big")
        if self._runs is None:
            bucket, at = self._entries.find(digest)
            if at >= 0:
                first = _place(bytes(bucket[at : at + _ENTRY]), list(self._files))
                self._told = _earlier(self._told, (first, place))
                return first
            self._entries.append(bucket, entry)
        else:
            self._waiting.append(entry)
        self._number += 1
        if self._kept is not None and len(self._entries) + len(self._waiting) >= self._kept:
            self._write()
        return None

    def repeated(self) -> tuple[Place, Place] | None:
        """Return the first mention of an id and its repetition, the earliest by place, or None."""
        if self._runs is None:
            return self._told
        found, names = self._told, list(self._files)
        for _, entries in groupby(self._in_order(), key=_digest):
            head = list(islice(entries, 2))
            if len(head) > 1:
                every = (_place(entry, names) for entry in chain(head, entries))
                found = _earlier(found, nsmallest(2, every))
        return found

    def __contains__(self, name: str) -> bool:
        return self.holds(_hash(name))

    def holds(self, digest: bytes) -> bool:
        """Tell whether the id with this hash, as iteration yields it, was added."""
        if self._runs is None:
            return self._entries.find(digest)[1] >= 0
        return self._runs.holds(digest) or any(entry.startswith(digest) for entry in self._waiting)

    def lacking(self, other: Places) -> Lacking:
        """Return how many ids are not among those of `other`, and the earliest of their places."""
        theirs = map(_digest, other._in_order())
        their, ids, first, names = next(theirs, None), 0, None, list(self._files)
        for entry in self._in_order():
            digest = entry[:_DIGEST]
            while their is not None and their < digest:
                their = next(theirs, None)
            if their != digest:
                place = _place(entry, names)
                ids, first = ids + 1, place if first is None else min(first, place)
        return Lacking(ids, first)

    def _in_order(self) -> Iterator[bytes]:
        """Yield the entries by hash, then by file and line."""
        if self._runs is None:
            return iter(sorted(bytes(bucket[at : at + _ENTRY]) for bucket, at in self._entries))
        return self._runs.merged(sorted(self._waiting))

    def _write(self) -> None:
        from pytest_pii_eval.contracts.runs import Runs  # noqa: PLC0415  # few suites are that large

        entries = list(self._in_order()) if self._runs is None else sorted(self._waiting)
        runs = self._runs or Runs(_ENTRY, len(entries))
        runs.append(entries)
        self._runs = runs
        self._entries, self._waiting = Entries(_ENTRY), []


def _hash(name: str) -> bytes:
    return blake2b(name.encode("utf-8"), digest_size=_DIGEST, key=_KEY).digest()


def _place(entry: bytes, names: list[str]) -> Place:
    file = int.from_bytes(entry[_DIGEST : _DIGEST + _FILE], "big")
    return names[file], int.from_bytes(entry[_DIGEST + _FILE :], "big")


def _earlier(one: tuple[Place, Place] | None, other: Sequence[Place]) -> tuple[Place, Place]:
    """Return the first mention and its repetition of which the repetition comes first by place."""
    return (other[0], other[1]) if one is None or other[1] < one[1] else one
