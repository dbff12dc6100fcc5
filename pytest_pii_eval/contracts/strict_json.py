"""Strict JSON from bytes: UTF-8, no duplicate key, NaN, Infinity or lone surrogate; nothing is repaired."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, NoReturn

from pytest_pii_eval.contracts.canonical import canonical_bytes
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.json_faults import first_offence

if TYPE_CHECKING:
    from collections.abc import Callable

_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", "UTF-8"), (b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"))
_LFS_POINTER = b"version https://git-lfs.github.com/spec/"


def parse(payload: bytes) -> object:
    """Return the one JSON value in `payload`.

    Raises `Fault` with the rule and, where it is known, line and column (in code points) inside
    `payload`. Numbers with a fraction stay floats: a contract that wants an integer refuses them.
    """
    return parse_text(decode(payload))


def parse_text(text: str) -> object:
    """Return the one JSON value in `text`, as `parse` does."""
    return _parse(text, _line_and_column)


def parse_line(payload: bytes) -> object:
    """Return the one JSON value in a line of a file, as `parse` does; the fault names only the column."""
    return _parse(decode(payload), _column)


def _parse(text: str, place: Callable[[str, int], str]) -> object:
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        # `from None` matters: the decoder's exception carries the whole document.
        raise Fault(f"not valid JSON at {place(text, error.pos)}: {error.msg}") from None
    except RecursionError:
        raise Fault("nested too deeply") from None
    except ValueError:  # raised below, or by Python's limit on the digits of an integer
        raise _refusal(text, place) from None
    if "\\" in text and _SURROGATE_ESCAPE.search(text):
        _refuse_lone_surrogates(value, text, place)
    return value


def _refusal(text: str, place: Callable[[str, int], str]) -> Fault:
    rule, position = first_offence(text)
    return Fault(f"{rule} ({place(text, position)})")


def _line_and_column(text: str, position: int) -> str:
    line = text.count("\n", 0, position) + 1
    return f"line {line}, {_column(text, position)}"


def _column(text: str, position: int) -> str:
    return f"column {position - text.rfind(chr(10), 0, position)}"


def refuse_foreign_start(payload: bytes) -> None:
    """Raise `Fault` where the first bytes of a file show another encoding or a Git LFS pointer."""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if payload.startswith(mark):
            raise Fault(f"starts with a {encoding} byte order mark (BOM); save as UTF-8 without BOM")
    if b"\0" in payload[:4]:
        raise Fault("holds zero bytes, as UTF-16 does; save as UTF-8 without BOM")
    if payload.startswith(_LFS_POINTER):
        raise Fault("is a Git LFS pointer, not the file; run 'git lfs pull'")


def decode(payload: bytes) -> str:
    """Return `payload` as text; raises `Fault` where it is not UTF-8."""
    try:
        return payload.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Fault(f"not UTF-8: invalid byte 0x{payload[error.start]:02X} at byte {error.start}") from None


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError
    return value


def _refuse_constant(_: str) -> NoReturn:
    raise ValueError


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError
    return value


def _refuse_lone_surrogates(value: object, text: str, place: Callable[[str, int], str]) -> None:
    try:
        canonical_bytes(value)
    except UnicodeEncodeError:
        raise _refusal(text, place) from None
    except RecursionError:
        raise Fault("nested too deeply") from None


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse_constant, parse_float=_finite)
