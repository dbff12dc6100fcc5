"""The spans that a row lists, as dicts or as lists of three; whether they fit is the matter of fitting."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, final

from pytest_pii_eval.corpora.draft import UnfitRow
from pytest_pii_eval.corpora.fields import field
from pytest_pii_eval.corpora.fitting import Given, Quadruple

if TYPE_CHECKING:
    from collections.abc import Sequence

_TRIPLE: Final = 3


@final
class Listed:
    """Takes spans out of lists; the parameters are the keys of a span that is a dict.

    `value` is the key of what stands there, where every span has one; `surface`, where only some have. With
    neither a span may be a list of start, end and label.
    """

    def __init__(
        self,
        start: str = "start",
        end: str = "end",
        label: str = "label",
        value: str | None = None,
        *,
        surface: str | None = None,
    ) -> None:
        self._keys = (start, end, label, *([] if value is None else [value]))
        self._surface = surface
        self._getters = tuple(map(itemgetter, self._keys))

    def given(self, spans: object) -> Sequence[Quadruple]:
        """Return what the spans say; raises `UnfitRow` (`field_missing`, `spans_not_readable`)."""
        if type(spans) is not list and type(spans) is not tuple:
            raise UnfitRow("spans_not_readable")
        try:
            columns: list[list[Any]] = [list(map(getter, spans)) for getter in self._getters]
        except (KeyError, TypeError):  # not all of them are dicts with all keys
            return [self._one(span) for span in spans]
        if len(columns) == _TRIPLE:
            columns.append([None if self._surface is None else span.get(self._surface) for span in spans])
        elif None in columns[-1]:
            raise UnfitRow("field_missing")
        return list(zip(*columns, strict=True))

    def _one(self, span: object) -> Given:
        if type(span) is dict:
            surface = [] if self._surface is None else [span.get(self._surface)]
            return Given(*[field(span, key) for key in self._keys], *surface)
        if (type(span) is list or type(span) is tuple) and len(span) == len(self._keys) == _TRIPLE:
            return Given(*span)
        raise UnfitRow("spans_not_readable")


def searched(text: str, value: object, label: object) -> Given:
    """Return the span of the one place where `value` stands in `text`; raises `UnfitRow` if there is none.

    Occurrences may overlap each other and lie inside words. A whole number is searched by its digits.
    """
    surface = str(value) if type(value) is int else value
    if type(surface) is not str:
        raise UnfitRow("spans_not_readable")
    if not surface:
        raise UnfitRow("empty_span")
    start = text.find(surface)
    if start < 0:
        raise UnfitRow("value_not_found")
    if text.find(surface, start + 1) >= 0:
        raise UnfitRow("value_ambiguous")
    return Given(start, start + len(surface), label, surface)
