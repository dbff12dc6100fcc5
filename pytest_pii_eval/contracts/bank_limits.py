"""What a bank may hold at most."""

from __future__ import annotations

from typing import NamedTuple


class BankLimits(NamedTuple):
    """What a bank may hold at most; counts cover every status."""

    file_bytes: int = 256 * 1024 * 1024
    entities: int = 100_000
    patterns: int = 500_000
    pattern_characters: int = 64 * 1024 * 1024
    metadata_bytes: int = 1024 * 1024


DEFAULT_LIMITS = BankLimits()
