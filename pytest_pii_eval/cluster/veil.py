"""Bytes that nobody reads by accident: a log that shows the beginning of a message shows nothing of them."""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

from pytest_pii_eval.contracts.faults import Fault

SHOWN: Final = 10_000
"""Bytes of a pickled message that dask logs, where a worker cannot read it."""

_KEY: Final = 32
_CHUNK: Final = 1 << 20


def veiled(payload: bytes) -> bytes:
    """Return `payload` scrambled, then filled up beyond what a log shows, then the random key.

    It protects from a log that holds the first `SHOWN` bytes, and from a search for words in memory or on the
    wire. It is no encryption: whoever has all of it has the key.
    """
    key = secrets.token_bytes(_KEY)
    return _scrambled(payload, key) + bytes(max(0, SHOWN - len(payload))) + _tail(len(payload), key)


def unveiled(veil: bytes) -> bytes:
    """Return what `veiled` was given; raises `Fault` where it was something else."""
    if len(veil) < SHOWN + _KEY + 8:
        raise Fault("the recipe of the run is cut short; run again")
    size = int.from_bytes(veil[-_KEY - 8 : -_KEY], "little")
    return _scrambled(veil[:size], veil[-_KEY:])


def _tail(size: int, key: bytes) -> bytes:
    return size.to_bytes(8, "little") + key


def _scrambled(payload: bytes, key: bytes) -> bytes:
    """Return the exclusive or with a stream that the key makes; twice is as if never."""
    return b"".join(
        _xor(payload[at : at + _CHUNK], key + at.to_bytes(8, "little"))
        for at in range(0, len(payload), _CHUNK)
    )


def _xor(chunk: bytes, seed: bytes) -> bytes:
    stream = hashlib.shake_256(seed).digest(len(chunk))
    return (int.from_bytes(chunk, "little") ^ int.from_bytes(stream, "little")).to_bytes(len(chunk), "little")
