"""Text with markers around its labels: takes the exact ones out and says where they were; reads no file."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Final, NamedTuple
from unicodedata import normalize

from pytest_pii_eval.corpora.draft import UnfitRow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pii_eval.corpora.draft import Labelled

NAME: Final = r"[A-Za-z_][A-Za-z0-9_.-]*"
"""What a marker may be called."""

# Soft hyphens, zero-width characters and the like, which nobody sees between two others.
_UNSEEN: Final = r"\u00ad\u200b-\u200f\u2060\ufeff"
_SPACE: Final = rf"[\s{_UNSEEN}]*"
_JOINT: Final = rf"[\s{_UNSEEN}\u2010-\u2015_.:-]*"


class Form(NamedTuple):
    """How markers are written.

    `marker` matches an opening marker with its name in the group `open`, and a closing one, with a name in
    the group `close` where the form has one. `lookalike` matches what may not be left once they are out,
    `run` what may not stand in the text before, if anything.
    """

    marker: re.Pattern[str]
    lookalike: re.Pattern[str]
    run: re.Pattern[str] | None = None


def angles(names: Sequence[str]) -> Form:
    """Return the form `<name>`..`</name>` of exactly these names; other angle brackets are text."""
    exact = "|".join(map(re.escape, names))
    loose = "|".join(map(_loosely, names))
    marker = re.compile(rf"<(?P<open>{exact})>|</(?P<close>{exact})>")
    opened = rf"<(?:[\s/{_UNSEEN}])*(?:{loose})(?![\w.-])"
    closed = rf"/{_SPACE}(?:{loose}){_SPACE}>"
    return Form(marker, re.compile(f"{opened}|{closed}", re.IGNORECASE))


def brackets(names: Sequence[str] = ()) -> Form:
    """Return the form `[[NAME|`..`]]` of these names, or of any name; other double brackets are look-alikes.

    Three brackets in a row are refused: it is open which two of them are the marker.
    """
    exact = "|".join(map(re.escape, names)) or NAME
    single = rf"|\[{_SPACE}(?:{'|'.join(map(_loosely, names))}){_SPACE}\|" if names else ""
    marker = re.compile(rf"\[\[(?P<open>{exact})\||(?P<close>\]\])")
    return Form(
        marker, re.compile(rf"\[[\s{_UNSEEN}]?\[|\]\]{single}", re.IGNORECASE), re.compile(r"\[{3}|\]{3}")
    )


def taken_out(marked: str, form: Form) -> tuple[str, list[Labelled]]:
    """Return the text without its markers, and the spans they held: code points of that text, half-open.

    Raises `UnfitRow`: `overlapping_tags` where a marker opens inside another, `unbalanced_tags` where one
    closes what is not open or never closes, `tag_like_text` where the text holds a look-alike of a marker
    (case, blanks, attributes, compatibility forms, character references, characters nobody sees), also one
    that the removal made.
    """
    if form.run is not None and form.run.search(marked):
        raise UnfitRow("tag_like_text")
    text, spans = _split(marked, form.marker)
    if any(form.lookalike.search(view) for view in _views(text)):
        raise UnfitRow("tag_like_text")
    return text, spans


def trimmed(text: str, spans: Sequence[Labelled]) -> list[Labelled]:
    """Return each span without the Unicode white space at its two ends; raises `UnfitRow` (`empty_span`)."""
    cut = []
    for start, end, label in spans:
        surface = text[start:end]
        if surface.isspace():
            raise UnfitRow("empty_span")
        cut.append((end - len(surface.lstrip()), start + len(surface.rstrip()), label))
    return cut


def _split(marked: str, marker: re.Pattern[str]) -> tuple[str, list[Labelled]]:
    pieces, spans = [], []
    last = at = 0
    open_name, open_at = "", 0
    for found in marker.finditer(marked):
        pieces.append(marked[last : found.start()])
        at += len(pieces[-1])
        last = found.end()
        if found["open"]:
            if open_name:
                raise UnfitRow("overlapping_tags")
            open_name, open_at = found["open"], at
        elif not open_name or found["close"] not in (open_name, "]]"):
            raise UnfitRow("unbalanced_tags")
        else:
            spans.append((open_at, at, open_name))
            open_name = ""
    if open_name:
        raise UnfitRow("unbalanced_tags")
    return "".join([*pieces, marked[last:]]), spans


def _loosely(name: str) -> str:
    """Return a pattern for `name` with anything between its words."""
    return _JOINT.join(re.escape(word) for word in re.split(r"[_.-]+", name) if word) or re.escape(name)


def _views(text: str) -> Iterator[str]:
    """Yield the text as it is, as compatibility forms fold it, and with its character references resolved."""
    yield text
    if not text.isascii():
        yield normalize("NFKC", text)
    if "&" in text:
        resolved = unescape(text)
        yield normalize("NFKC", resolved)
        yield normalize("NFKC", unescape(resolved))
