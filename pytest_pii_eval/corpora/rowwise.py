"""One draft a row: runs an adapter's function over the rows of a file; what a row means is the adapter's."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from pytest_pii_eval.corpora.draft import Unfit, UnfitRow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from pytest_pii_eval.corpora.draft import Draft

Made = TypeVar("Made")


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
