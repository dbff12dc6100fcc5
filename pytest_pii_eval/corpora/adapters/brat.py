"""Reads brat standoff: the text-bound annotations beside each text; `brat_pairs` finds the two."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.quality_model import MAX_TEXT_BYTES
from pytest_pii_eval.corpora.adapters.brat_pairs import pairs
from pytest_pii_eval.corpora.draft import Draft, Unfit, UnfitRow
from pytest_pii_eval.corpora.fitting import Given, checked_text, fitted
from pytest_pii_eval.corpora.options import one_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_pii_eval.contracts.offsets import OffsetUnit
    from pytest_pii_eval.contracts.spans import Range
    from pytest_pii_eval.corpora.adapters.brat_pairs import Pair
    from pytest_pii_eval.corpora.draft import Labelled

_RANGE: Final = "[0-9]{1,18} [0-9]{1,18}"
_BOUND: Final = re.compile(rf"T[0-9]+\t([^\t ]+) ({_RANGE}(?:;{_RANGE})*)\t(.*)")
# Relations, events, attributes, modifications, normalizations, notes and equivalences: no spans of their own.
_NO_SPAN: Final = ("R", "E", "A", "M", "N", "#", "*")


class _Bound(NamedTuple):
    """A text-bound annotation: label, ranges of its fragments, and the surface that it says stands there."""

    label: str
    ranges: tuple[Range, ...]
    surface: str


@final
class BratAdapter:
    """Reads pairs of `NAME.txt` and `NAME.ann`, in one folder or in a ZIP archive that is not extracted.

    The text is taken as it is: a carriage return counts, and so does a byte order mark. A `T` line is a
    span; brat writes the line feeds of a surface as blanks, so surface and text are compared with these made
    equal. Lines of other kinds hold no spans and are not read; a line of no known kind quarantines the
    document, and so does a text without annotations beside it.

    `fragments` says what becomes of a span of several fragments: `refuse` (default) quarantines the document,
    `each` makes every fragment a span of its own.

    The document's id is the name without its ending. A folder holds no folder; its files with other endings
    (`annotation.conf`) are not read. An archive holds pairs and nothing else, without entries for folders
    (`zip -D`), and its names keep the folders before them.
    """

    name = "brat"
    version = "1"
    offset_unit: OffsetUnit = "codepoint"
    policy = "a span is a text-bound annotation, or a fragment of one, exactly as it was marked"

    def __init__(self, *, fragments: str = "refuse") -> None:
        self._each = one_of("fragments", fragments, ("refuse", "each")) == "each"

    def read(self, path: Path) -> Iterator[Draft | Unfit]:
        """Yield one draft a text, in the order of names."""
        try:
            for ordinal, pair in enumerate(pairs(path), 1):
                yield self._made(ordinal, pair)
        except Fault as fault:
            raise fault.at(file=path.name) from None

    def _made(self, ordinal: int, pair: Pair) -> Draft | Unfit:
        try:
            text = _text(pair)
            spans = self._spans(text, _lines(pair))
            return Draft(ordinal, checked_text(pair.stem), text, spans)
        except UnfitRow as unfit:
            return Unfit(ordinal, unfit.reason)

    def _spans(self, text: str, lines: list[str]) -> tuple[Labelled, ...]:
        given: list[Given] = []
        shown = text.replace("\n", " ")
        for line in lines:
            bound = _bound(line)
            if bound is None:
                continue
            if len(bound.ranges) == 1:
                given.append(Given(*bound.ranges[0], bound.label, bound.surface))
            elif self._each:
                given += _fragments(shown, bound)
            else:
                raise UnfitRow("discontinuous")
        return fitted(shown, given)


def _text(pair: Pair) -> str:
    payload = pair.text()
    if len(payload) > MAX_TEXT_BYTES:
        raise UnfitRow("text_too_long")
    try:
        return payload.decode("utf-8")
    except UnicodeDecodeError:
        raise UnfitRow("row_not_readable") from None


def _lines(pair: Pair) -> list[str]:
    if pair.annotations is None:
        raise UnfitRow("field_missing")
    payload = pair.annotations()
    if len(payload) > MAX_TEXT_BYTES:
        raise UnfitRow("too_many_spans")
    try:
        lines = payload.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        raise UnfitRow("spans_not_readable") from None
    return [line.removesuffix("\r") for line in lines]


def _bound(line: str) -> _Bound | None:
    """Return the annotation in a line, or None where the line holds no span."""
    if not line or line.startswith(_NO_SPAN):
        return None
    found = _BOUND.fullmatch(line)
    if found is None:
        raise UnfitRow("spans_not_readable")
    label, ranges, surface = found.groups()
    return _Bound(label, tuple(_range(one) for one in ranges.split(";")), surface)


def _range(text: str) -> Range:
    start, end = text.split(" ")
    return int(start), int(end)


def _fragments(shown: str, bound: _Bound) -> list[Given]:
    """Return the fragments of a span, whose surfaces brat joins by a blank."""
    if bound.surface != " ".join(shown[start:end] for start, end in bound.ranges):
        raise UnfitRow("value_differs")
    return [Given(start, end, bound.label) for start, end in bound.ranges]
