"""The id of a document, out of one field of its row or several, or the row's own number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.fields import identifier

if TYPE_CHECKING:
    from collections.abc import Mapping

ROW: Final = "row"
"""The word that stands for the number of the row."""


@final
class RowIds:
    """Ids as the option `document_id` describes them: names of fields, joined by a plus sign.

    The values are joined the same way. Two documents whose joined ids are equal count as repeated, so an id
    that holds a plus sign itself can hide nothing. Raises `Fault` where a name is empty.
    """

    def __init__(self, named: str) -> None:
        self._names = named.split("+")
        if "" in self._names:
            raise Fault("must be names of fields, joined by a plus sign", field="options.document_id")
        self.fields = tuple(name for name in self._names if name != ROW)

    def of(self, row: Mapping[str, object], number: int) -> str:
        """Return the id of the document in row `number`; raises `UnfitRow` (`field_missing`)."""
        return "+".join([str(number) if name == ROW else identifier(row, name) for name in self._names])
