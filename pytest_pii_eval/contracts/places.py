"""A set of ids that remembers where each was first seen, in about 30 bytes an id whatever its length."""

from __future__ import annotations

from hashlib import blake2b
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeAlias, final

if TYPE_CHECKING:
    from collections.abc import Iterator

_DIGEST: Final = 16
_LINE: Final = 4
_FILE: Final = 3
_ENTRY: Final = _DIGEST + _LINE + _FILE
_BUCKET: Final = 48 * _ENTRY
"""Mean size of a bucket at which their number doubles: long enough to spread what a bucket costs."""


Place: TypeAlias = tuple[str, int]
"""`(file, line)`: a name safe to print, and a line counted from 1."""


@final
class Places:
    """Ids by the place of their first mention.

    An id is kept as 128 bits of its BLAKE2b hash, so two ids are taken for one with a probability of
    about 10^-26 among two million. A dict of strings would take five times the memory.
    """

    __slots__ = ("_buckets", "_files", "_number")

    def __init__(self) -> None:
        self._buckets = [bytearray()]
        self._files: dict[str, int] = {}
        self._number = 0

    def __len__(self) -> int:
        return self._number

    def __iter__(self) -> Iterator[tuple[bytes, Place]]:
        """Yield the hash of each id with its place, in no particular order."""
        for bucket in self._buckets:
            for at in range(0, len(bucket), _ENTRY):
                yield bytes(bucket[at : at + _DIGEST]), self._place(bucket, at)

    def add(self, name: str, place: Place) -> Place | None:
        """Add `name`; return `None`, or the place of its first mention where it was added before."""
        digest = blake2b(name.encode("utf-8"), digest_size=_DIGEST).digest()
        bucket = self._bucket(digest)
        at = _find(bucket, digest)
        if at >= 0:
            return self._place(bucket, at)
        file, line = place
        number = self._files.setdefault(file, len(self._files))
        bucket += digest + line.to_bytes(_LINE, "little") + number.to_bytes(_FILE, "little")
        self._number += 1
        if self._number * _ENTRY > _BUCKET * len(self._buckets):
            self._double()
        return None

    def __contains__(self, name: str) -> bool:
        return self.holds(blake2b(name.encode("utf-8"), digest_size=_DIGEST).digest())

    def holds(self, digest: bytes) -> bool:
        """Tell whether the id with this hash, as iteration yields it, was added."""
        return _find(self._bucket(digest), digest) >= 0

    def _bucket(self, digest: bytes) -> bytearray:
        return self._buckets[int.from_bytes(digest[:_LINE], "little") & (len(self._buckets) - 1)]

    def _double(self) -> None:
        """Split each bucket in two by one more bit of the hash."""
        bit = len(self._buckets)
        added = []
        for number, bucket in enumerate(self._buckets):
            low, high = bytearray(), bytearray()
            for at in range(0, len(bucket), _ENTRY):
                chosen = high if int.from_bytes(bucket[at : at + _LINE], "little") & bit else low
                chosen += bucket[at : at + _ENTRY]
            self._buckets[number] = low
            added.append(high)
        self._buckets += added

    def _place(self, bucket: bytearray, at: int) -> Place:
        middle = at + _DIGEST + _LINE
        line = int.from_bytes(bucket[at + _DIGEST : middle], "little")
        file = int.from_bytes(bucket[middle : at + _ENTRY], "little")
        return next(islice(self._files, file, None)), line


def _find(bucket: bytearray, digest: bytes) -> int:
    """Return where `digest` starts in `bucket`, or -1; a hit across two entries is none."""
    at = bucket.find(digest)
    while at % _ENTRY and at >= 0:
        at = bucket.find(digest, at + 1)
    return at
