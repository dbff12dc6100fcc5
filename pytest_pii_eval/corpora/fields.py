"""Fields of a row: there, and of the kind that is asked for; what they mean is the adapter's."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_pii_eval.corpora.draft import UnfitRow

if TYPE_CHECKING:
    from collections.abc import Mapping


def field(row: Mapping[str, object], name: str) -> object:
    """Return the field `name`; raises `UnfitRow` (`field_missing`) where there is none."""
    if name not in row:
        raise UnfitRow("field_missing")
    return row[name]


def identifier(row: Mapping[str, object], name: str) -> str:
    """Return the id in field `name`, a whole number by its digits; raises `UnfitRow` (`field_missing`)."""
    value = field(row, name)
    if type(value) is int:
        return str(value)
    if type(value) is not str or not value:
        raise UnfitRow("field_missing")
    return value


class Ids(NamedTuple):
    """The fields that hold a document's id and its template's; None: it is numbered, it has its own."""

    document: str | None
    template: str | None

    def of_document(self, row: Mapping[str, object], number: int) -> str:
        """Return the id of the document, else `number` in digits; raises `UnfitRow` (`field_missing`)."""
        return str(number) if self.document is None else identifier(row, self.document)

    def of_template(self, row: Mapping[str, object]) -> str | None:
        """Return the id of the template, None also for a null; raises `UnfitRow` (`field_missing`)."""
        if self.template is None or field(row, self.template) is None:
            return None
        return identifier(row, self.template)

    def named(self) -> list[str]:
        """Return the names of the fields that there are."""
        return [name for name in self if name is not None]
