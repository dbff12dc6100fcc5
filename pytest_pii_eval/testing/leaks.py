"""Whether something a detector says holds text of a document: an exception with all it carries, or output."""

from __future__ import annotations

from base64 import b64encode, urlsafe_b64encode
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_PIECE = 16
"""Code points of a text in a row that nobody says by accident."""
_STEP = 4
"""From one such piece to the next: any 19 code points in a row hold one."""
_LOOKED_AT = 4_000
"""Code points of a text in which pieces are looked for in other forms too."""
_LEAST = 9
"""Bytes from which base64 is looked for: of fewer, too little is the same wherever they stand."""


def shows(error: BaseException, text: object, values: Iterable[str]) -> bool:
    """Whether `error`, or one it is chained to or groups, holds one of `values` or a piece of `text`.

    Looked at are message, arguments, notes and attributes; not the frames, whose variables pytest's `-l`
    shows and no program logs by itself. Nor the `object` that Python itself puts into a `UnicodeError`: its
    message does not show it.
    """
    said = "\n".join(_said(one) for one in _chain(error))
    if holds(said, values):
        return True
    folded, pieces = said.casefold(), list(_pieces(text))
    if any(piece.casefold() in folded for piece in pieces):
        return True
    return any(form in folded for piece in pieces[: _LOOKED_AT // _STEP] for form in _forms(piece))


def holds(said: str, secrets: Iterable[str]) -> bool:
    """Whether `said` holds one of `secrets`: as it is, in capitals, escaped, as hex or base64."""
    folded = said.casefold()
    return any(form in folded for secret in secrets for form in _forms(secret) | _in_base64(secret))


def _forms(secret: str) -> set[str]:
    payload = secret.encode("utf-8", "replace")
    forms = {secret, ascii(secret)[1:-1], repr(payload)[2:-1], quote(payload), payload.hex()}
    return {form.casefold() for form in forms if form}


def _in_base64(secret: str) -> set[str]:
    """Return what base64 makes of the secret wherever it stands in what is encoded, in both alphabets."""
    payload = secret.encode("utf-8", "replace")
    if len(payload) < _LEAST:
        return set()
    forms = set()
    for before in range(3):
        inner = payload[-before % 3 : len(payload) - (len(payload) + before) % 3]
        forms |= {b64encode(inner), urlsafe_b64encode(inner)}
    return {form.decode().casefold() for form in forms}


def _pieces(text: object) -> Iterator[str]:
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    if not isinstance(text, str):
        return
    for start in range(0, len(text) - _PIECE + 1, _STEP):
        piece = text[start : start + _PIECE]
        if piece.strip() and len(set(piece)) > 4:  # noqa: PLR2004  # "aaaa" and "1.1.1." say nothing
            yield piece


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    waiting, met = [error], set()
    while waiting:
        one = waiting.pop()
        if one is None or id(one) in met:
            continue
        met.add(id(one))
        yield one
        waiting += [one.__cause__, one.__context__]
        if isinstance(one, BaseExceptionGroup):
            waiting += one.exceptions


def _said(error: BaseException) -> str:
    arguments = () if isinstance(error, UnicodeError) else error.args
    parts = [*arguments, *vars(error).items(), *getattr(error, "__notes__", ())]
    return "\n".join([_text(error), *map(_text, parts), *map(_representation, parts)])


def _text(value: object) -> str:
    try:
        return str(value)
    except Exception:  # noqa: BLE001  # a stranger's __str__ shows nothing then
        return ""


def _representation(value: object) -> str:
    try:
        return repr(value)
    except Exception:  # noqa: BLE001  # same
        return ""
