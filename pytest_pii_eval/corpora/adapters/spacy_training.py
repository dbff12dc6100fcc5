"""Reads spaCy training data kept as JSON: texts with their entities; binary `.spacy` files are not read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from pytest_pii_eval.contracts.offsets import OFFSET_UNITS, OffsetUnit
from pytest_pii_eval.corpora.draft import Draft
from pytest_pii_eval.corpora.fields import field
from pytest_pii_eval.corpora.fitting import checked_text, fitted
from pytest_pii_eval.corpora.listed import Listed
from pytest_pii_eval.corpora.options import one_of
from pytest_pii_eval.corpora.row_ids import ROW, RowIds
from pytest_pii_eval.corpora.rows import format_option, rows
from pytest_pii_eval.corpora.rowwise import drafted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from pytest_pii_eval.corpora.draft import Unfit

_LISTED: Final = Listed()
_PAIR: Final = 2


@final
class SpacyTrainingAdapter:
    """One document a row: `[text, {"entities": [[start, end, label]]}]`, or an object with both.

    Rows are numbered unless the option `document_id` names a field of the objects; options `unit` and
    `format` where a file differs.
    """

    name = "spacy"
    version = "1"
    policy = "a span lies where the entity's own offsets say"

    def __init__(
        self,
        *,
        document_id: str = ROW,
        unit: str = "codepoint",
        format: str | None = None,  # noqa: A002  # the word that pins use
    ) -> None:
        self._ids = RowIds(document_id)
        self._format = format_option(format)
        self.offset_unit: OffsetUnit = one_of("unit", unit, OFFSET_UNITS)

    def read(self, path: Path) -> Iterator[Draft | Unfit]:
        """Yield a draft a row, or why it is none."""
        return drafted(_objects(rows(path, format=self._format)), self._draft)

    def _draft(self, number: int, row: Mapping[str, object]) -> Draft:
        text = checked_text(field(row, "text"))
        spans = fitted(text, _LISTED.given(field(row, "entities")), self.offset_unit)
        return Draft(number, self._ids.of(row, number), text, spans)


def _objects(numbered: Iterable[tuple[int, object]]) -> Iterator[tuple[int, object]]:
    """Yield the rows, pairs of a text and its annotations as one object."""
    for number, row in numbered:
        if type(row) is list and len(row) == _PAIR and type(row[1]) is dict:
            yield number, {**row[1], "text": row[0]}
        else:
            yield number, row
