"""Canonical JSON and SHA-256: the form in which content is compared and fingerprinted."""

from __future__ import annotations

import hashlib
import json

_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def canonical_bytes(value: object) -> bytes:
    """Return `value` as UTF-8 JSON with sorted keys and no white space between tokens."""
    return _ENCODER.encode(value).encode("utf-8")


def sha256(payload: bytes) -> str:
    """Return `sha256:` and the hex digest of `payload`."""
    return "sha256:" + hashlib.sha256(payload).hexdigest()


def fingerprint(value: object) -> str:
    """Return the SHA-256 of the canonical JSON of `value`; key order never changes it."""
    return sha256(canonical_bytes(value))
