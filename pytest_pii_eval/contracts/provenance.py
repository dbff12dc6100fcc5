"""The provenance sidecar: corpus and template of every document, and that it covers each exactly once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, final

from pydantic import ValidationError

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.model_faults import fault_of
from pytest_pii_eval.contracts.places import KEPT, Places
from pytest_pii_eval.contracts.population import check_repetitions, repeated, repetitions_first
from pytest_pii_eval.contracts.quality_model import PROVENANCE

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from pytest_pii_eval.contracts.places import Place
    from pytest_pii_eval.contracts.population import Population

_ID = "document_id"


class Origin(NamedTuple):
    """One row: the document, the corpus it comes from, and the template that it was filled from."""

    document_id: str
    source_corpus: str
    template_id: str


def parse_origin(value: object) -> Origin:
    """Return the origin in one decoded row; raises `Fault` without file and line."""
    try:
        row = PROVENANCE.validator.validate_python(value)
    except ValidationError as error:
        raise fault_of(error, value) from None
    return Origin(row[_ID], row["source_corpus"], row["template_id"])


@final
class Coverage:
    """Checks that a sidecar names each document of a population once and no other.

    The population is complete before the first row comes; rows may name documents in any order. Of the ids
    of rows `kept` stay in memory.
    """

    def __init__(self, population: Population, *, kept: int | None = KEPT) -> None:
        self._documents = population.places
        self._rows = Places(kept)

    def add(self, origin: Origin, place: Place) -> None:
        """Count the row at `place`; raises `Fault` where its document was named before.

        Of many rows that is known late: whoever adds them does so within `reading`.
        """
        first = self._rows.add(origin.document_id, place)
        if first is not None:
            raise repeated(first, place, _ID)

    def reading(self) -> AbstractContextManager[None]:
        """Surround the reading of rows: where a `Fault` ends it, a repeated id before that is told."""
        return repetitions_first(self._rows, _ID)

    def finish(self) -> None:
        """Raise `Fault` where a document is named twice, rows name none, or documents have no row.

        It says how many, and its place is the first.
        """
        check_repetitions(self._rows, _ID)
        documents, rows = self._documents, self._rows
        extra = rows.lacking(documents)
        if extra.first is not None:
            raise Fault(
                f"names no document of the records; {extra.ids:,} of {len(rows):,} rows do so",
                file=extra.first[0],
                line=extra.first[1],
                field=_ID,
            )
        missing = documents.lacking(rows)
        if missing.first is not None:
            raise Fault(
                f"has no provenance row; {missing.ids:,} of {len(documents):,} documents have none",
                file=missing.first[0],
                line=missing.first[1],
                field=f"document.{_ID}",
            )
