"""Reads what doccano exports from sequence labelling: JSON Lines, labels as lists or as entities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from pytest_pii_eval.corpora.draft import Draft, UnfitRow
from pytest_pii_eval.corpora.fields import field
from pytest_pii_eval.corpora.fitting import checked_text, fitted
from pytest_pii_eval.corpora.listed import Listed
from pytest_pii_eval.corpora.rowwise import RowAdapter

if TYPE_CHECKING:
    from collections.abc import Mapping

_SPANS: Final = ("label", "labels", "entities")
_LISTED: Final = Listed("start_offset", "end_offset", "label")


@final
class DoccanoAdapter(RowAdapter):
    """One document a row; options `text`, `document_id`, `unit` and `format` where an export differs.

    Spans are lists of start, end and label in `label` (or `labels`), or objects with `start_offset`,
    `end_offset` and `label` in `entities`. Relations and comments are not read.
    """

    name = "doccano"
    version = "1"
    policy = "a span lies where its annotator's marking does"
    usual_id = "id"

    def __init__(
        self,
        *,
        text: str = "text",
        document_id: str | None = None,
        unit: str = "codepoint",
        format: str | None = None,  # noqa: A002  # the word that pins use
    ) -> None:
        super().__init__(document_id=document_id, unit=unit, format=format)
        self._text = text

    def _draft(self, number: int, row: Mapping[str, object]) -> Draft:
        text = checked_text(field(row, self._text))
        spans = fitted(text, _LISTED.given(_spans(row)), self.offset_unit)
        return Draft(number, self._ids.of(row, number), text, spans)


def _spans(row: Mapping[str, object]) -> object:
    held = [name for name in _SPANS if row.get(name) is not None]
    if len(held) != 1:
        raise UnfitRow("spans_not_readable" if held else "field_missing")
    return row[held[0]]
