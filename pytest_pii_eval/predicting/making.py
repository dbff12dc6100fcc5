"""What a run that predicts came to so far, and the rules for suites that none is made for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from typing import TYPE_CHECKING

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.predictions import MAX_RUN

if TYPE_CHECKING:
    from pytest_pii_eval.collection.quality.directory import QualityDirectory
    from pytest_pii_eval.predicting.partial import PartialFile
    from pytest_pii_eval.predicting.run import Wish


class Making(ABC):
    """Counts of a run that predicts, true at any time, also where it was interrupted.

    `total` is 0 where nobody knows how many documents there are; `trouble` says what went wrong at the end.
    """

    def __init__(self, wish: Wish) -> None:
        self._wish = wish
        self.shown = wish.settings.shown(wish.out)
        self.done = 0
        self.total = 0
        self.failures: Counter[str] = Counter()
        self.subject = ""
        self.trouble: str | None = None
        self._selected = 0

    @abstractmethod
    def predict(self) -> None:
        """Write the predictions; raises `Fault`, or `OSError` where the disk refuses; what is done stays."""

    def _keep_line(self, file: PartialFile, line: bytes, selected: int, failure: str | None) -> None:
        """Add the line of a document with so many selected spans; raises `Fault` beyond those of one run."""
        self._selected += selected
        if self._selected > MAX_RUN:
            raise Fault(f"the predictions of one run pass the limit of {MAX_RUN:,}; give --limit")
        file.append(line)
        self.done += 1
        if failure is not None:
            self.failures[failure] += 1


def refuse_sealed(directory: QualityDirectory) -> None:
    """Raise `Fault` where a suite is a sealed freeze."""
    if directory.suite_file.role == "sealed_freeze":
        rule = "is a sealed freeze: only pytest --pii-sealed runs it, once a promotion"
        raise Fault(rule, file=directory.settings.shown(directory.folder))


def refuse_empty(directory: QualityDirectory, documents: int) -> None:
    """Raise `Fault` where there is none of the `documents` that answers could be about."""
    if not documents:
        raise Fault("holds no quality records", file=directory.settings.shown(directory.folder))
