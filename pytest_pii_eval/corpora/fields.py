"""Fields of a row: there, and of the kind that is asked for; what they mean is the adapter's."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
