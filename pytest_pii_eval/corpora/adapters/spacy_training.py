"""Reads spaCy training data kept as JSON: texts with their entities; binary `.spacy` files are not read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from pytest_pii_eval.corpora.draft import Draft
from pytest_pii_eval.corpora.fields import field
from pytest_pii_eval.corpora.fitting import checked_text, fitted
from pytest_pii_eval.corpora.listed import Listed
from pytest_pii_eval.corpora.rowwise import RowAdapter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

_LISTED: Final = Listed()
_PAIR: Final = 2


@final
class SpacyTrainingAdapter(RowAdapter):
    """One document a row: `[text, {"entities": [[start, end, label]]}]`, or an object with both.

    Rows are numbered unless the option `document_id` names a field of the objects; options `unit` and
    `format` where a file differs.
    """

    name = "spacy"
    version = "1"
    policy = "a span lies where the entity's own offsets say"

    def _rows(self, path: Path) -> Iterator[tuple[int, object]]:
        return _objects(super()._rows(path))

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
