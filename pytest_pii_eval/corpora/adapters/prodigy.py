"""Reads what Prodigy's db-out writes for span annotation: one answered task a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from pytest_pii_eval.corpora.draft import Draft, UnfitRow
from pytest_pii_eval.corpora.fields import field
from pytest_pii_eval.corpora.fitting import checked_text, fitted
from pytest_pii_eval.corpora.listed import Listed
from pytest_pii_eval.corpora.rowwise import RowAdapter

if TYPE_CHECKING:
    from collections.abc import Mapping

_LISTED: Final = Listed(surface="text")


@final
class ProdigyAdapter(RowAdapter):
    """One document an accepted task; rejected and ignored ones are counted as `not_accepted`.

    A document is an input: `_input_hash` is its id, so an input that was accepted twice comes twice, and
    counts as repeated. Options `document_id`, `unit` and `format` where a file differs. A span that has a
    `text` is compared with it.
    """

    name = "prodigy"
    version = "1"
    policy = "a span lies where its annotator's marking does, which is on whole tokens unless set otherwise"
    usual_id = "_input_hash"

    def _draft(self, number: int, row: Mapping[str, object]) -> Draft:
        if field(row, "answer") != "accept":
            raise UnfitRow("not_accepted")
        text = checked_text(field(row, "text"))
        spans = fitted(text, _LISTED.given(field(row, "spans")), self.offset_unit)
        return Draft(number, self._ids.of(row, number), text, spans)
