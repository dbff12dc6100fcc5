"""Reads the JSON data sets of presidio-research: generated sentences with their template and their spans."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final, final

from pytest_pii_eval.corpora.draft import Draft
from pytest_pii_eval.corpora.fields import field, identifier
from pytest_pii_eval.corpora.fitting import checked_text, fitted
from pytest_pii_eval.corpora.listed import Listed
from pytest_pii_eval.corpora.rowwise import RowAdapter

if TYPE_CHECKING:
    from collections.abc import Mapping

_LISTED: Final = Listed("start_position", "end_position", "entity_type", "entity_value")


@final
class PresidioResearchAdapter(RowAdapter):
    """One document a sample; its template is its `template_id`, or else its text with the values masked.

    Samples are numbered unless the option `document_id` names a field; options `unit` and `format` where a
    file differs. Tokens, tags and metadata are not read.
    """

    name = "presidio-research"
    version = "1"
    policy = "a span is the value that was filled into a placeholder of its template"

    def _draft(self, number: int, row: Mapping[str, object]) -> Draft:
        text = checked_text(field(row, "full_text"))
        spans = fitted(text, _LISTED.given(field(row, "spans")), self.offset_unit)
        return Draft(number, self._ids.of(row, number), text, spans, _template(row))


def _template(row: Mapping[str, object]) -> str | None:
    if row.get("template_id") is not None:
        return identifier(row, "template_id")
    masked = row.get("masked")
    if type(masked) is not str or not masked:
        return None
    return f"masked:{sha256(masked.encode('utf-8')).hexdigest()}"
