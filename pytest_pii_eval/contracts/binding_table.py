"""Rows of catalog bindings in memory: hash of the span, line, number and mark, in 25 bytes a row."""

from __future__ import annotations

from hashlib import blake2b
from struct import Struct
from typing import TYPE_CHECKING, Final, NamedTuple, final

from pytest_pii_eval.contracts.entries import Entries

if TYPE_CHECKING:
    from collections.abc import Iterator

_DIGEST: Final = 16
_REST: Final = Struct("<II?")
_ENTRY: Final = _DIGEST + _REST.size
_MARK: Final = _ENTRY - 1


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

    __slots__ = ("_entries",)

    def __init__(self) -> None:
        self._entries = Entries(_ENTRY)

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Bound]:
        """Yield what is kept of each row, in no particular order."""
        for bucket, at in self._entries:
            yield _bound(bucket, at)

    def add(self, span: tuple[str, int, int], line: int, identity: int) -> Bound | None:
        """Add a row; return None, or the row of this span that was there before."""
        digest = _digest(span)
        bucket, at = self._entries.find(digest)
        if at >= 0:
            return _bound(bucket, at)
        self._entries.append(bucket, digest + _REST.pack(line, identity, False))
        return None

    def take(self, span: tuple[str, int, int]) -> Bound | None:
        """Mark the row of `span` as taken and return it as it was before, or None where there is none."""
        bucket, at = self._entries.find(_digest(span))
        if at < 0:
            return None
        found = _bound(bucket, at)
        bucket[at + _MARK] = True
        return found


def _digest(span: tuple[str, int, int]) -> bytes:
    document_id, start, end = span
    return blake2b(f"{start} {end} {document_id}".encode(), digest_size=_DIGEST).digest()


def _bound(bucket: bytearray, at: int) -> Bound:
    return Bound(*_REST.unpack_from(bucket, at + _DIGEST))
