"""The first bytes by which packed and binary files are told from text; no file is opened here."""

from __future__ import annotations

from typing import Final

GZIP: Final = b"\x1f\x8b"
ZSTANDARD: Final = b"\x28\xb5\x2f\xfd"
SKIPPABLE: Final = b"\x2a\x4d\x18"
"""Bytes 1 to 3 of a Zstandard frame that holds no content, which may come first."""

PARQUET: Final = b"PAR1"
_PACKINGS: Final = (
    (GZIP, "gzip"),
    (b"PK\x03\x04", "ZIP"),
    (b"PK\x05\x06", "ZIP"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\0", "xz"),
    (ZSTANDARD, "Zstandard"),
)


def packing_of(start: bytes) -> str | None:
    """Return the name of the packing that a file with this `start` is in, or None."""
    return next((packing for mark, packing in _PACKINGS if start.startswith(mark)), None)
