"""Reads rows with a text and a column of its spans, as data sets on Hugging Face and span files have them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.offsets import OFFSET_UNITS, OffsetUnit
from pytest_pii_eval.corpora.draft import Draft, UnfitRow
from pytest_pii_eval.corpora.fields import field, identifier
from pytest_pii_eval.corpora.fitting import checked_text, fitted
from pytest_pii_eval.corpora.listed import Listed, searched
from pytest_pii_eval.corpora.literals import ENCODINGS, parse_spans
from pytest_pii_eval.corpora.options import one_of
from pytest_pii_eval.corpora.row_ids import RowIds
from pytest_pii_eval.corpora.rows import format_option, rows
from pytest_pii_eval.corpora.rowwise import drafted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from pytest_pii_eval.corpora.draft import Unfit
    from pytest_pii_eval.corpora.fitting import Quadruple

Offsets = Literal["given", "search"]

_OFFSETS: Final[tuple[Offsets, ...]] = ("given", "search")
_POLICIES: Final = {
    "given": "a span lies where the corpus's own offsets say, and nowhere else",
    "search": "the corpus has no offsets: a span is the one place where its value stands in the text",
}


@final
class SpansAdapter:
    """One document a row of JSON Lines, a JSON array or Parquet.

    `text`, `spans` and `template_id` name columns; `document_id` names one, or several joined by a plus
    sign, where the word `row` stands for the number of the row. `start`, `end`, `label` and `value` are the
    keys of a span; where it has a value, that is compared with the text. `encoding` says how the column
    holds its spans. With `offsets` `search` spans have a label and a value alone.
    """

    name = "spans"
    version = "1"

    def __init__(  # noqa: PLR0913  # the options of a pin
        self,
        *,
        text: str = "text",
        spans: str = "spans",
        document_id: str = "doc_id",
        template_id: str | None = None,
        encoding: str = "auto",
        start: str = "start",
        end: str = "end",
        label: str = "label",
        value: str | None = None,
        unit: str = "codepoint",
        offsets: str = "given",
        format: str | None = None,  # noqa: A002  # the word that pins use
    ) -> None:
        self._text, self._spans, self._template = text, spans, template_id
        self._ids = RowIds(document_id)
        self._encoding = one_of("encoding", encoding, ENCODINGS)
        self._listed = Listed(start, end, label, value)
        self._label, self._value = label, value or ""
        self._searches = one_of("offsets", offsets, _OFFSETS) == "search"
        if self._searches and value is None:
            raise Fault("is needed to search: the key of a span's value", field="options.value")
        self._format = format_option(format)
        self.offset_unit: OffsetUnit = one_of("unit", unit, OFFSET_UNITS)
        self.policy = _POLICIES[offsets]

    def read(self, path: Path) -> Iterator[Draft | Unfit]:
        """Yield a draft a row, or why it is none."""
        columns = [self._text, self._spans, *self._ids.fields]
        if self._template is not None:
            columns.append(self._template)
        return drafted(rows(path, columns=columns, format=self._format), self._draft)

    def _draft(self, number: int, row: Mapping[str, object]) -> Draft:
        text, held = _filled(row, self._text), parse_spans(_filled(row, self._spans), self._encoding)
        given = self._searched(text, held) if self._searches else self._listed.given(held)
        spans = fitted(text, given, "codepoint" if self._searches else self.offset_unit)
        return Draft(number, self._ids.of(row, number), str(text), spans, self._template_of(row))

    def _searched(self, text: object, spans: Sequence[object]) -> Sequence[Quadruple]:
        checked = checked_text(text)
        return [searched(checked, *self._words(span)) for span in spans]

    def _words(self, span: object) -> tuple[object, object]:
        if type(span) is not dict:
            raise UnfitRow("spans_not_readable")
        return _filled(span, self._value), field(span, self._label)

    def _template_of(self, row: Mapping[str, object]) -> str | None:
        """Return the id of the row's template; a null says that it has one of its own."""
        if self._template is None or field(row, self._template) is None:
            return None
        return identifier(row, self._template)


def _filled(row: Mapping[str, object], name: str) -> object:
    value = field(row, name)
    if value is None:
        raise UnfitRow("field_missing")
    return value
