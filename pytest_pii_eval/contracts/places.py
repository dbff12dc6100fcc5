"""A set of ids that remembers where each was first seen, in about 30 bytes an id whatever its length."""

from __future__ import annotations

from hashlib import blake2b
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeAlias, final

from pytest_pii_eval.contracts.entries import Entries

if TYPE_CHECKING:
    from collections.abc import Iterator

_DIGEST: Final = 16
_LINE: Final = 4
_FILE: Final = 3
_ENTRY: Final = _DIGEST + _LINE + _FILE

Place: TypeAlias = tuple[str, int]
"""`(file, line)`: a name safe to print, and a line counted from 1."""


@final
class Places:
    """Ids by the place of their first mention.

    An id is kept as 128 bits of its BLAKE2b hash, so two ids are taken for one with a probability of
    about 10^-26 among two million. A dict of strings would take five times the memory.
    """

    __slots__ = ("_entries", "_files")

    def __init__(self) -> None:
        self._entries = Entries(_ENTRY)
        self._files: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[tuple[bytes, Place]]:
        """Yield the hash of each id with its place, in no particular order."""
        for bucket, at in self._entries:
            yield bytes(bucket[at : at + _DIGEST]), self._place(bucket, at)

    def add(self, name: str, place: Place) -> Place | None:
        """Add `name`; return `None`, or the place of its first mention where it was added before."""
        digest = blake2b(name.encode("utf-8"), digest_size=_DIGEST).digest()
        bucket, at = self._entries.find(digest)
        if at >= 0:
            return self._place(bucket, at)
        file, line = place
        number = self._files.setdefault(file, len(self._files))
        entry = digest + line.to_bytes(_LINE, "little") + number.to_bytes(_FILE, "little")
        self._entries.append(bucket, entry)
        return None

    def __contains__(self, name: str) -> bool:
        return self.holds(blake2b(name.encode("utf-8"), digest_size=_DIGEST).digest())

    def holds(self, digest: bytes) -> bool:
        """Tell whether the id with this hash, as iteration yields it, was added."""
        return self._entries.find(digest)[1] >= 0

    def _place(self, bucket: bytearray, at: int) -> Place:
        middle = at + _DIGEST + _LINE
        line = int.from_bytes(bucket[at + _DIGEST : middle], "little")
        file = int.from_bytes(bucket[middle : at + _ENTRY], "little")
        return next(islice(self._files, file, None)), line
