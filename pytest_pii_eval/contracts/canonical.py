"""Canonical JSON and SHA-256: the form in which content is compared and fingerprinted."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
_TOGETHER = 64
"""Members of an object that the encoder is given at once."""


def canonical_bytes(value: object) -> bytes:
    """Return `value` as UTF-8 JSON with sorted keys and no white space between tokens."""
    return _ENCODER.encode(value).encode("utf-8")


def canonical_pieces(
    value: object, depth: int, leaf: Callable[[object, str | None], bytes], *, key: str | None = None
) -> Iterator[bytes]:
    """Yield canonical JSON in pieces: objects opened down to `depth`, what lies below by `leaf(value, key)`.

    The encoder holds some hundred bytes for each token until it is done; pieces keep that small. It is
    asked for many members of the last opened object at once, as each call costs more than a small member.
    Keys of `value` are strings down to `depth`; `leaf` of an object is that of its members.
    """
    if not depth or not isinstance(value, dict) or not value:
        yield leaf(value, key)
        return
    mark, names = b"{", sorted(value)
    if depth == 1:
        for at in range(0, len(names), _TOGETHER):
            yield mark + leaf({inner: value[inner] for inner in names[at : at + _TOGETHER]}, None)[1:-1]
            mark = b","
    else:
        for inner in names:
            yield mark + canonical_bytes(inner) + b":"
            yield from canonical_pieces(value[inner], depth - 1, leaf, key=inner)
            mark = b","
    yield b"}"


def sha256(payload: bytes) -> str:
    """Return `sha256:` and the hex digest of `payload`."""
    return fingerprint_of([payload])


def fingerprint(value: object) -> str:
    """Return the SHA-256 of the canonical JSON of `value`; key order never changes it."""
    return sha256(canonical_bytes(value))


def fingerprint_of(pieces: Iterable[bytes]) -> str:
    """Return the SHA-256 of what `pieces` are when joined."""
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return "sha256:" + digest.hexdigest()
