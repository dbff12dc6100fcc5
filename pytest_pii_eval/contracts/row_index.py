"""Where the row of each document lies, by its id and its text, in about 40 bytes a row; no rows are kept."""

from __future__ import annotations

import struct
from hashlib import blake2b
from typing import Final, NamedTuple, final

from pytest_pii_eval.contracts.entries import Entries

_HALF: Final = 8
_KEY: Final = 2 * _HALF
_PLACE: Final = struct.Struct("<BQIQ")
_ENTRY: Final = _KEY + _PLACE.size

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

    __slots__ = ("_entries",)

    def __init__(self) -> None:
        self._entries = Entries(_ENTRY)

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, document_id: str, text_sha256: str, place: RowPlace) -> RowPlace | None:
        """Add a row; return None, or the place of the row of this document and text that was there before."""
        key = _key(document_id, text_sha256)
        bucket, at = self._entries.find(key)
        if at >= 0:
            return _place(bucket, at)
        self._entries.append(bucket, key + _PLACE.pack(*place))
        return None

    def find(self, document_id: str, text_sha256: str) -> RowPlace | None:
        """Return the place of the row of this document and text, or None."""
        bucket, at = self._entries.find(_key(document_id, text_sha256))
        return _place(bucket, at) if at >= 0 else None

    def knows(self, document_id: str) -> bool:
        """Tell whether any row is of this document, whatever its text."""
        return self._entries.find(_half(document_id))[1] >= 0


def check_of(raw: bytes) -> int:
    """Return 64 bits of the BLAKE2b hash of a row: equal where its bytes are."""
    return _number(blake2b(raw, digest_size=_HALF).digest())


def _key(document_id: str, text_sha256: str) -> bytes:
    return _half(document_id) + _half(text_sha256)


def _half(word: str) -> bytes:
    return blake2b(word.encode("utf-8"), digest_size=_HALF).digest()


def _number(digest: bytes) -> int:
    return int.from_bytes(digest[:_HALF], "little")


def _place(bucket: bytearray, at: int) -> RowPlace:
    return RowPlace(*_PLACE.unpack_from(bucket, at + _KEY))
