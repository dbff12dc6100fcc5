"""Shingles: a text as the set of its runs of five words, hashed; no comparing."""

from __future__ import annotations

from array import array
from hashlib import blake2b
from typing import Final, NamedTuple

WORDS: Final = 5
"""Words of one shingle."""

KEPT: Final = 64
"""How many hashes of a text are kept: the smallest, so that alike texts keep the same ones."""

_BYTES: Final = 8


class Sketch(NamedTuple):
    """What is kept of a text: its smallest hashes in order, how many there are, a fingerprint of all."""

    smallest: array[int]
    size: int
    fingerprint: bytes


def shingles_of(text: str) -> set[int]:
    """Return the shingles of `text` as numbers of 64 bits, letter case and white space folded.

    A text of fewer than five words is one shingle, and so is one without any.
    """
    words = text.casefold().split()
    last = max(1, len(words) - WORDS + 1)
    return {_number(" ".join(words[at : at + WORDS])) for at in range(last)}


def sketch_of(text: str) -> Sketch:
    """Return what is kept of `text`."""
    every = sorted(shingles_of(text))
    fingerprint = blake2b(array("Q", every).tobytes(), digest_size=16).digest()
    return Sketch(array("Q", every[:KEPT]), len(every), fingerprint)


def _number(words: str) -> int:
    return int.from_bytes(blake2b(words.encode("utf-8"), digest_size=_BYTES).digest(), "little")
