"""The conformance cases that do not hold, of all batches of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from pytest_pii_eval.collection.groups import MOST_TOLD

if TYPE_CHECKING:
    from pytest_pii_eval.cluster.mapped import Group


@final
class FailedCases:
    """The failed cases of all batches, which come in order: the first ones, and how many there are."""

    def __init__(self) -> None:
        self.failed = 0
        self._told: list[str] = []

    def add(self, group: Group) -> None:
        """Take those of one more batch."""
        self.failed += group.failed
        self._told.extend(group.told[: MOST_TOLD - len(self._told)])

    def lines(self) -> list[str]:
        """Return a line for each of the first, and one for those beyond."""
        more = self.failed - len(self._told)
        return [*self._told, f"and {more:,} more failed cases"] if more else list(self._told)
