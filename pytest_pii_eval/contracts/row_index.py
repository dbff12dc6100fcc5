"""Where the row of each document lies, by its id and its text, in about 40 bytes a row; no rows are kept."""

from __future__ import annotations

import struct
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, NamedTuple, final

if TYPE_CHECKING:
    from collections.abc import Iterator

_HALF: Final = 8
_KEY: Final = 2 * _HALF
_PLACE: Final = struct.Struct("<BQIQ")
_ENTRY: Final = _KEY + _PLACE.size
_BUCKET: Final = 48 * _ENTRY
"""Mean size of a bucket at which their number doubles: long enough to spread what a bucket costs."""

MAX_FILES: Final = 256
"""Files that the rows of one index can lie in."""


class RowPlace(NamedTuple):
    """Where a row lies: number of its file from 0, bytes offset and size, and a hash of its bytes."""

    file: int
    offset: int
    size: int
    check: int


@final
class RowIndex:
    """Places of rows by document id and SHA-256 of its text.

    Of each, 64 bits are kept: whoever reads a row again compares both in full. Two documents of one text are
    taken for one with a probability of about 10^-7 among two million.
    """

    __slots__ = ("_buckets", "_number")

    def __init__(self) -> None:
        self._buckets = [bytearray()]
        self._number = 0

    def __len__(self) -> int:
        return self._number

    def add(self, document_id: str, text_sha256: str, place: RowPlace) -> RowPlace | None:
        """Add a row; return None, or the place of the row of this document and text that was there before."""
        key = _key(document_id, text_sha256)
        bucket = self._bucket(key)
        at = _find(bucket, key)
        if at >= 0:
            return _place(bucket, at)
        bucket += key + _PLACE.pack(*place)
        self._number += 1
        if self._number * _ENTRY > _BUCKET * len(self._buckets):
            self._double()
        return None

    def find(self, document_id: str, text_sha256: str) -> RowPlace | None:
        """Return the place of the row of this document and text, or None."""
        key = _key(document_id, text_sha256)
        bucket = self._bucket(key)
        at = _find(bucket, key)
        return _place(bucket, at) if at >= 0 else None

    def knows(self, document_id: str) -> bool:
        """Tell whether any row is of this document, whatever its text."""
        half = _half(document_id)
        return _find(self._bucket(half), half) >= 0

    def _bucket(self, key: bytes) -> bytearray:
        return self._buckets[_number(key) & (len(self._buckets) - 1)]

    def _double(self) -> None:
        """Split each bucket in two by one more bit of the hash of the id."""
        bit = len(self._buckets)
        added = []
        for number, bucket in enumerate(self._buckets):
            low, high = bytearray(), bytearray()
            for entry in _entries(bucket):
                chosen = high if _number(entry) & bit else low
                chosen += entry
            self._buckets[number] = low
            added.append(high)
        self._buckets += added


def check_of(raw: bytes) -> int:
    """Return 64 bits of the BLAKE2b hash of a row: equal where its bytes are."""
    return _number(blake2b(raw, digest_size=_HALF).digest())


def _key(document_id: str, text_sha256: str) -> bytes:
    return _half(document_id) + _half(text_sha256)


def _half(word: str) -> bytes:
    return blake2b(word.encode("utf-8"), digest_size=_HALF).digest()


def _number(digest: bytes) -> int:
    return int.from_bytes(digest[:_HALF], "little")


def _entries(bucket: bytearray) -> Iterator[bytes]:
    for at in range(0, len(bucket), _ENTRY):
        yield bytes(bucket[at : at + _ENTRY])


def _find(bucket: bytearray, key: bytes) -> int:
    """Return where an entry that starts with `key` starts in `bucket`, or -1."""
    at = bucket.find(key)
    while at % _ENTRY and at >= 0:
        at = bucket.find(key, at + 1)
    return at


def _place(bucket: bytearray, at: int) -> RowPlace:
    return RowPlace(*_PLACE.unpack_from(bucket, at + _KEY))
