"""Strict JSON from bytes: UTF-8, no duplicate key, NaN, Infinity or lone surrogate; nothing is repaired."""

from __future__ import annotations

import json
import math
import re
from typing import NoReturn

from pytest_pii_eval.contracts.canonical import canonical_bytes
from pytest_pii_eval.contracts.faults import Fault

_SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")
_BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", "UTF-8"), (b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"))
_LFS_POINTER = b"version https://git-lfs.github.com/spec/"


def parse(payload: bytes) -> object:
    """Return the one JSON value in `payload`.

    Raises `Fault` with the rule and, for broken syntax, line and column (in code points) inside
    `payload`. Numbers with a fraction stay floats: a contract that wants an integer refuses them.
    """
    text = _decode(payload)
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        # `from None` matters: the decoder's exception carries the whole document.
        raise Fault(f"not valid JSON at line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise Fault("nested too deeply") from None
    except Fault:
        raise
    except ValueError:
        raise Fault("holds a number with too many digits") from None
    if b"\\" in payload and _SURROGATE_ESCAPE.search(payload):
        _refuse_lone_surrogates(value)
    return value


def refuse_foreign_start(payload: bytes) -> None:
    """Raise `Fault` where the first bytes of a file show another encoding or a Git LFS pointer."""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if payload.startswith(mark):
            raise Fault(f"starts with a {encoding} byte order mark (BOM); save as UTF-8 without BOM")
    if payload.startswith(_LFS_POINTER):
        raise Fault("is a Git LFS pointer, not the file; run 'git lfs pull'")


def _decode(payload: bytes) -> str:
    try:
        return payload.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Fault(f"not UTF-8: invalid byte 0x{payload[error.start]:02X} at byte {error.start}") from None


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise Fault("duplicate key in an object")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise Fault(f"{name} is not JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise Fault("holds a number too large for a float")
    return value


def _refuse_lone_surrogates(value: object) -> None:
    try:
        canonical_bytes(value)
    except UnicodeEncodeError:
        raise Fault("holds a lone surrogate escape, which is no character") from None
    except RecursionError:
        raise Fault("nested too deeply") from None


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse_constant, parse_float=_finite)
