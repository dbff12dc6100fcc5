"""A run of a broken quality suite in this process: refused, with nothing run, written or told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bad_input import collection_errors
from quality_suite import DOCUMENT, STRANGER, TEMPLATE

from conftest import MAIL, NAME, NAME_ID, OTHER_PLUGINS
from pytest_pii_eval.collection.quality import nodes
from pytest_pii_eval.detectors import bank_detector
from pytest_pii_eval.detectors.bank import engine

if TYPE_CHECKING:
    from quality_suite import QualityDirectory

# A run in this process imports them anew each time, unless they were there before it.
PRELOADED = (nodes, bank_detector, engine)
CANARIES = (NAME, NAME_ID, MAIL, STRANGER, DOCUMENT, TEMPLATE)


def refused(quality: QualityDirectory, bank: str | None = "bank.json") -> list[str]:
    """Run, check that nothing was run, written or told, and return the lines of the collection errors."""
    given = [] if bank is None else [f"--pii-bank={bank}"]
    others = [f"-pno:{plugin}" for plugin in (*OTHER_PLUGINS, "xdist")]
    result = quality.pytester.runpytest_inprocess(*others, *given)
    assert result.ret == 2
    assert not (quality.path / ".pii_eval").exists()
    told = result.stdout.str() + result.stderr.str()
    assert not [canary for canary in CANARIES if canary in told]
    return [line for lines in collection_errors(result).values() for line in lines]
