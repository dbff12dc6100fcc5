"""How both forms of the error dump say lists; each form adds its own escaping."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.reports.words import inert

if TYPE_CHECKING:
    from pytest_pii_eval.reports.dump.model import Some


def listed(some: Some) -> str:
    """Return the first of a list, each made harmless, and how many more there are."""
    more = f" and {some.more:,} more" if some.more else ""
    return ", ".join(map(inert, some.shown)) + more
