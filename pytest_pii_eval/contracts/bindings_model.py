"""The closed shape of a row of catalog bindings; that rows cover the gold exactly is checked beside it."""

from __future__ import annotations

from pydantic import ConfigDict, TypeAdapter
from typing_extensions import TypedDict  # pydantic refuses the one of typing below Python 3.12

from pytest_pii_eval.contracts.case_model import Offset
from pytest_pii_eval.contracts.identifiers import OpaqueId
from pytest_pii_eval.contracts.quality_model import CatalogIdentity

# A typed dict, not a model, for the reason given in case_model.
_CLOSED = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)


class BindingRow(TypedDict):
    """One gold span (code points, half-open) and what a review found it to be.

    `catalog_identity` null says that the review found it in no active pattern.
    """

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    document_id: OpaqueId
    start: Offset
    end: Offset
    catalog_identity: CatalogIdentity | None


BINDING = TypeAdapter(BindingRow)
