"""The conformance cases that do not hold, of all batches of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from pytest_pii_eval.collection.groups import MOST_TOLD, with_the_rest

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
        return with_the_rest(self._told, self.failed)
