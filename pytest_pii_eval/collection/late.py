"""Collecting the bank when no folder that was walked holds it: its checks, and its own faults."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.collection.nodes import BankFile
from pytest_pii_eval.kinds import NO_BANK

if TYPE_CHECKING:
    import pytest

    from pytest_pii_eval.collection.suite import Suite


def collect_bank(session: pytest.Session, suite: Suite) -> list[pytest.Item]:
    """Return the support items of a bank that was not met on the way, if this run shall have them.

    A broken or missing bank becomes a collection error even where single ids were named: the cases
    could not be checked without it.
    """
    settings = suite.settings
    if suite.bank_was_collected or not (suite.bank_is_needed or settings.bank_from_command_line):
        return []
    if suite.ids_were_named and suite.fault() is None:
        return []
    path = settings.bank or settings.root / NO_BANK
    node = BankFile.from_parent(session, path=path, name=settings.shown(path), nodeid=settings.shown(path))
    report = node.ihook.pytest_make_collect_report(collector=node)
    report.__dict__.pop("call", None)  # as pytest's own runner does: it cannot travel to an xdist controller
    node.ihook.pytest_collectreport(report=report)
    return report.result if report.passed else []
