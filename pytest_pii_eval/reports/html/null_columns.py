"""Tables without the columns that hold no value: one sentence below says which, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.reports.html.reasons import meaning
from pytest_pii_eval.reports.html.values import NOT_REPORTED
from pytest_pii_eval.reports.words import inert

if TYPE_CHECKING:
    from pytest_pii_eval.reports.html.values import Table


def without_null_columns(given: Table) -> Table:
    """Return the table without the columns that are null in every row for one reason, and notes of them."""
    reasons = [_reason(given, place) for place in range(len(given.columns))]
    kept = [place for place, reason in enumerate(reasons) if reason is None]
    by_reason: dict[str, list[str]] = {}
    for column, reason in zip(given.columns, reasons, strict=True):
        if reason is not None:
            by_reason.setdefault(reason, []).append(column.name)
    return given._replace(
        columns=tuple(given.columns[place] for place in kept),
        rows=tuple(tuple(row[place] for place in kept) for row in given.rows),
        notes=(*given.notes, *(_note(names, reason) for reason, names in by_reason.items())),
    )


def _reason(given: Table, place: int) -> str | None:
    """Return the one reason of a column, or None where any cell has a value or another reason."""
    reasons = {row[place].null for row in given.rows}
    return next(iter(reasons)) if len(reasons) == 1 else None


def _note(names: list[str], reason: str) -> str:
    columns = ", ".join(names)
    if reason == NOT_REPORTED:
        return f"Not reported: {columns}."
    return f"Without a value: {columns} ({inert(reason)}). {meaning(reason)}"
