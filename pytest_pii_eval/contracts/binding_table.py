"""Rows of catalog bindings in memory: hash of the span, line, number and mark, in 25 bytes a row."""

from __future__ import annotations

from hashlib import blake2b
from struct import Struct
from typing import TYPE_CHECKING, Final, NamedTuple, final

if TYPE_CHECKING:
    from collections.abc import Iterator

_DIGEST: Final = 16
_REST: Final = Struct("<II?")
_ENTRY: Final = _DIGEST + _REST.size
_MARK: Final = _ENTRY - 1
_BUCKET: Final = 48 * _ENTRY
"""Mean size of a bucket at which their number doubles: long enough to spread what a bucket costs."""


class Bound(NamedTuple):
    """What is kept of a row: its line from 1, the number of its identity, and whether a gold span took it."""

    line: int
    identity: int
    taken: bool


@final
class BindingTable:
    """Rows by document id and range.

    Of these 128 bits of their BLAKE2b hash are kept, so two spans are taken for one with a probability of
    about 10^-26 among two million.
    """

    __slots__ = ("_buckets", "_number")

    def __init__(self) -> None:
        self._buckets = [bytearray()]
        self._number = 0

    def __len__(self) -> int:
        return self._number

    def __iter__(self) -> Iterator[Bound]:
        """Yield what is kept of each row, in no particular order."""
        for bucket in self._buckets:
            for at in range(0, len(bucket), _ENTRY):
                yield _bound(bucket, at)

    def add(self, span: tuple[str, int, int], line: int, identity: int) -> Bound | None:
        """Add a row; return None, or the row of this span that was there before."""
        digest = _digest(span)
        bucket = self._bucket(digest)
        at = _find(bucket, digest)
        if at >= 0:
            return _bound(bucket, at)
        bucket += digest + _REST.pack(line, identity, False)
        self._number += 1
        if self._number * _ENTRY > _BUCKET * len(self._buckets):
            self._double()
        return None

    def take(self, span: tuple[str, int, int]) -> Bound | None:
        """Mark the row of `span` as taken and return it as it was before, or None where there is none."""
        digest = _digest(span)
        bucket = self._bucket(digest)
        at = _find(bucket, digest)
        if at < 0:
            return None
        found = _bound(bucket, at)
        bucket[at + _MARK] = True
        return found

    def _bucket(self, digest: bytes) -> bytearray:
        return self._buckets[_bits(digest) & (len(self._buckets) - 1)]

    def _double(self) -> None:
        """Split each bucket in two by one more bit of the hash."""
        bit = len(self._buckets)
        added = []
        for number, bucket in enumerate(self._buckets):
            low, high = bytearray(), bytearray()
            for at in range(0, len(bucket), _ENTRY):
                entry = bucket[at : at + _ENTRY]
                chosen = high if _bits(entry) & bit else low
                chosen += entry
            self._buckets[number] = low
            added.append(high)
        self._buckets += added


def _digest(span: tuple[str, int, int]) -> bytes:
    document_id, start, end = span
    return blake2b(f"{start} {end} {document_id}".encode(), digest_size=_DIGEST).digest()


def _bits(digest: bytes | bytearray) -> int:
    return int.from_bytes(digest[:4], "little")


def _find(bucket: bytearray, digest: bytes) -> int:
    """Return where `digest` starts in `bucket`, or -1; a hit across two entries is none."""
    at = bucket.find(digest)
    while at % _ENTRY and at >= 0:
        at = bucket.find(digest, at + 1)
    return at


def _bound(bucket: bytearray, at: int) -> Bound:
    return Bound(*_REST.unpack_from(bucket, at + _DIGEST))
