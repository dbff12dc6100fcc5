"""Ending an xdist run on a collection error of ours, as pytest alone ends a run on any."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_pii_eval.kinds import NO_BANK, ours_among

if TYPE_CHECKING:
    from pytest_pii_eval.settings import Settings

NAME = "pii_eval_interruption"


class Interruption:
    """Registered on the controller of an xdist run; xdist itself runs on after collection errors."""

    def __init__(self, settings: Settings, *, goes_on: bool) -> None:
        self._settings = settings
        self._goes_on = goes_on
        self._errors = 0

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Count the errors of our files; xdist passes each on once, whatever the number of workers."""
        nodeid = report.nodeid
        if report.failed and (nodeid == NO_BANK or ours_among([f"{nodeid}::"], self._settings)):
            self._errors += 1

    def raise_if_due(self) -> None:
        """Raise `pytest.Session.Interrupted`, once a worker that has collected everything found errors."""
        if self._errors and not self._goes_on:
            plural = "s" if self._errors > 1 else ""
            raise pytest.Session.Interrupted(f"{self._errors} error{plural} during collection")
