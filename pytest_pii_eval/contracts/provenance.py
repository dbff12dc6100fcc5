"""The provenance sidecar: corpus and template of every document, and that it covers each exactly once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, final

from pydantic import ValidationError

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.model_faults import fault_of
from pytest_pii_eval.contracts.places import Places
from pytest_pii_eval.contracts.population import repeated
from pytest_pii_eval.contracts.quality_model import PROVENANCE

if TYPE_CHECKING:
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

    The population is complete before the first row comes; rows may come in any order.
    """

    def __init__(self, population: Population) -> None:
        self._documents = population.places
        self._rows = Places()
        self._extra = 0
        self._first_extra: Place | None = None

    def add(self, origin: Origin, place: Place) -> None:
        """Count the row at `place`; raises `Fault` where its document was named before."""
        first = self._rows.add(origin.document_id, place)
        if first is not None:
            raise repeated(first, place, _ID)
        if origin.document_id not in self._documents:
            self._extra += 1
            if self._first_extra is None:
                self._first_extra = place

    def finish(self) -> None:
        """Raise `Fault` where rows name no document or documents have no row: how many, and the first."""
        if self._first_extra is not None:
            raise Fault(
                f"names no document of the records; {self._extra:,} of {len(self._rows):,} rows do so",
                file=self._first_extra[0],
                line=self._first_extra[1],
                field=_ID,
            )
        missing = len(self._documents) - len(self._rows)
        if missing:
            first = min(place for digest, place in self._documents if not self._rows.holds(digest))
            raise Fault(
                f"has no provenance row; {missing:,} of {len(self._documents):,} documents have none",
                file=first[0],
                line=first[1],
                field=f"document.{_ID}",
            )
