"""Reads `<true_name>` labels out of one fragment of tagged text; archives and documents live elsewhere."""

from __future__ import annotations

import re
from html import unescape
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple
from unicodedata import category, normalize

from pytest_pii_eval.contracts.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pii_eval.contracts.spans import Range

OPEN: Final = "<true_name>"
CLOSE: Final = "</true_name>"

POLICY: Final = (
    "a span is the text between an exact <true_name> and the next exact </true_name>,"
    " without ASCII white space at its two ends"
)
"""Where spans start and end, in a sentence."""

_MARKER: Final = re.compile(f"({OPEN}|{CLOSE})")
_WHITE: Final = " \t\n\r\f\v"
_ANGLE: Final = re.compile(r"<[^<>]*>")
# Signs and invisible characters that a hand or an editor may have put between the two words.
_SIGNS: Final = r"_.:/\x00\u00ad\u200b-\u200d\u2010-\u2015\u2060\ufeff-"
_TIGHT: Final = f"true[{_SIGNS}]*name"
_LOOSE: Final = rf"true[\s{_SIGNS}]*name"
_WORDS: Final = re.compile(_LOOSE, re.IGNORECASE)
# With one bracket only, blanks on both sides of a word are prose: a quoted line of mail starts with `>`.
_BLANKS: Final = r"[^\S\r\n]*(?:/[^\S\r\n]*)?"
_UNCLOSED: Final = re.compile(f"<{_BLANKS}{_TIGHT}|</?{_LOOSE}", re.IGNORECASE)
_UNOPENED: Final = re.compile(f"{_TIGHT}{_BLANKS}>|{_LOOSE}/?>", re.IGNORECASE)


class Fragment(NamedTuple):
    """The text of a fragment without its markers, and where its labels were.

    `spans` are in code points, half-open, in order, and do not overlap. All else of the text, line ends and
    other angle brackets included, is as it came.
    """

    text: str
    spans: tuple[Range, ...]


def parse_fragment(payload: bytes) -> Fragment:
    """Return text and spans of a fragment; raises `Fault` with the rule and numbers alone.

    Only the two exact markers are labels. Refused are bytes that are not UTF-8, labels that nest, do not
    close, were not opened or hold nothing but white space, and whatever looks like a marker and is none:
    other case, blanks, attributes, other joints between the words, a bracket lost or escaped, a marker that
    comes into being when another is removed.
    """
    pieces = _MARKER.split(_decoded(payload))
    _check_balance(pieces[1::2])
    texts = pieces[::2]
    starts = [0, *accumulate(map(len, texts))]
    spans = tuple([_span(texts[at], starts[at], at // 2 + 1) for at in range(1, len(texts), 2)])
    text = "".join(texts)
    _refuse_lookalikes(text)
    return Fragment(text, spans)


def _decoded(payload: bytes) -> str:
    try:
        return payload.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Fault(f"not UTF-8 at byte {error.start:,}") from None


def _check_balance(markers: Sequence[str]) -> None:
    for ordinal, marker in enumerate(markers):
        expected = CLOSE if ordinal % 2 else OPEN
        if marker != expected:
            what = "opens a label inside another" if ordinal % 2 else "closes a label that was not opened"
            raise Fault(f"marker {ordinal + 1:,} of {len(markers):,} {what}")
    if len(markers) % 2:
        raise Fault(f"marker {len(markers):,}, the last, opens a label that is never closed")


def _span(inner: str, start: int, ordinal: int) -> Range:
    """Return the range of label `ordinal`, which holds `inner` and starts at code point `start`."""
    if not inner or inner.isspace():
        raise Fault(f"label {ordinal:,} holds no character but white space")
    leading = len(inner) - len(inner.lstrip(_WHITE))
    return start + leading, start + len(inner.rstrip(_WHITE))


def _refuse_lookalikes(text: str) -> None:
    for view in _views(text):
        if _WORDS.search(view) and _looks_marked(view):
            raise Fault("holds what looks like a marker and is none of the two exact ones")


def _views(text: str) -> Iterator[str]:
    """Yield the text as it is, in compatibility form, without what is invisible, with references resolved."""
    yield text
    if not text.isascii():
        yield normalize("NFKC", text)
        yield "".join(sign for sign in text if category(sign) != "Cf")
    if "&" in text:
        yield normalize("NFKC", unescape(unescape(text)))


def _looks_marked(view: str) -> bool:
    if _UNCLOSED.search(view) or _UNOPENED.search(view):
        return True
    return any(_WORDS.search(angle.group()) for angle in _ANGLE.finditer(view))
