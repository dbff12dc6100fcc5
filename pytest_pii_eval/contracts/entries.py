"""Entries of one size, found by the hash they start with, packed in buckets that double."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

if TYPE_CHECKING:
    from collections.abc import Iterator

_PER_BUCKET: Final = 48
"""Mean number of entries at which the buckets double: enough of them to spread what a bucket costs."""

_SPREAD: Final = 4
"""Bytes of the hash that tell the bucket."""


@final
class Entries:
    """Byte entries of `size`, each of which starts with a hash of 4 bytes or more; nothing is removed."""

    __slots__ = ("_buckets", "_number", "_size")

    def __init__(self, size: int) -> None:
        self._size = size
        self._buckets = [bytearray()]
        self._number = 0

    def __len__(self) -> int:
        return self._number

    def __iter__(self) -> Iterator[tuple[bytearray, int]]:
        """Yield each entry as its bucket and the place where it starts there, in no particular order."""
        for bucket in self._buckets:
            for at in range(0, len(bucket), self._size):
                yield bucket, at

    def find(self, start: bytes) -> tuple[bytearray, int]:
        """Return the bucket of `start`, a hash or its first part, and where its entry is there, or -1."""
        bucket = self._buckets[int.from_bytes(start[:_SPREAD], "little") & (len(self._buckets) - 1)]
        at = bucket.find(start)
        while at % self._size and at >= 0:  # a hit across two entries is none
            at = bucket.find(start, at + 1)
        return bucket, at

    def append(self, bucket: bytearray, entry: bytes) -> None:
        """Add an entry to the `bucket` in which it was not found."""
        bucket += entry
        self._number += 1
        if self._number > _PER_BUCKET * len(self._buckets):
            self._double()

    def _double(self) -> None:
        """Split each bucket in two by one more bit of the hash."""
        bit, size = len(self._buckets), self._size
        added = []
        for number, bucket in enumerate(self._buckets):
            low, high = bytearray(), bytearray()
            for at in range(0, len(bucket), size):
                chosen = high if int.from_bytes(bucket[at : at + _SPREAD], "little") & bit else low
                chosen += bucket[at : at + size]
            self._buckets[number] = low
            added.append(high)
        self._buckets += added
