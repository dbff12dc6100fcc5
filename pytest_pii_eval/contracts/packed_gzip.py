"""Unpacking gzip: any number of members, each held to its checksum and its length; opens no file."""

from __future__ import annotations

import zlib
from typing import Final, final

from pytest_pii_eval.contracts.packed import Broken, Packing
from pytest_pii_eval.contracts.packed_starts import GZIP

_GZIP_ONLY: Final = 16 + zlib.MAX_WBITS  # no zlib stream, no raw one


def gzip_packing() -> Packing:
    """Return how gzip is unpacked."""
    return Packing("gzip", _Member, lambda start: start.startswith(GZIP))


@final
class _Member:
    """One member of a gzip file; zlib compares checksum and length at its end."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(_GZIP_ONLY)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, packed: bytes, max_length: int) -> bytes:
        try:
            return self._inner.decompress(packed or self._inner.unconsumed_tail, max_length)
        except zlib.error:
            raise Broken from None
