"""One draft a row: what adapters of rows have in common; what a row means is the adapter's."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, TypeVar

from pytest_pii_eval.contracts.offsets import OFFSET_UNITS, OffsetUnit
from pytest_pii_eval.corpora.draft import Unfit, UnfitRow
from pytest_pii_eval.corpora.options import one_of
from pytest_pii_eval.corpora.row_ids import ROW, RowIds
from pytest_pii_eval.corpora.rows import format_option, rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from pytest_pii_eval.corpora.draft import Draft

Made = TypeVar("Made")


class RowAdapter(ABC):
    """An adapter of rows with an id, in some unit and format, each of them an option.

    `usual_id` is what the option `document_id` is where nobody gives it; `row` numbers the rows.
    """

    usual_id = ROW

    def __init__(
        self,
        *,
        document_id: str | None = None,
        unit: str = "codepoint",
        format: str | None = None,  # noqa: A002  # the word that pins use
    ) -> None:
        self._ids = RowIds(self.usual_id if document_id is None else document_id)
        self._format = format_option(format)
        self.offset_unit: OffsetUnit = one_of("unit", unit, OFFSET_UNITS)

    def read(self, path: Path) -> Iterator[Draft | Unfit]:
        """Yield a draft a row, or why it is none."""
        return drafted(self._rows(path), self._draft)

    def _rows(self, path: Path) -> Iterator[tuple[int, object]]:
        return rows(path, format=self._format)

    @abstractmethod
    def _draft(self, number: int, row: Mapping[str, object]) -> Draft:
        """Return the draft of one row; raises `UnfitRow`."""


def drafted(
    rows: Iterable[tuple[int, object]], draft: Callable[[int, Mapping[str, object]], Draft]
) -> Iterator[Draft | Unfit]:
    """Yield what `draft` makes of each numbered row, and an `Unfit` where it is no object or does not fit."""
    for number, row in rows:
        yield one_drafted(number, row, draft)


def one_drafted(number: int, row: object, draft: Callable[[int, Mapping[str, object]], Made]) -> Made | Unfit:
    """Return what `draft` makes of one row, or the `Unfit` that it is or becomes."""
    if isinstance(row, Unfit):
        return row
    if type(row) is not dict:
        return Unfit(number, "row_not_readable")
    try:
        return draft(number, row)
    except UnfitRow as unfit:
        return Unfit(number, unfit.reason)
