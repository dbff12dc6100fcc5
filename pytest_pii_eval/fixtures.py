"""Fixtures for Python tests that speak about a bank; each imports what it needs when it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_pii_eval.options import read_settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from syrupy.assertion import SnapshotAssertion

    from pytest_pii_eval.contracts.bank import Bank
    from pytest_pii_eval.detectors.protocol import Detector
    from pytest_pii_eval.reports.model import Report


@pytest.fixture(scope="session")
def pii_bank(pytestconfig: pytest.Config) -> Bank:
    """The bank that `--pii-bank` or the ini value `pii_bank` names; items share it where it is under test."""
    from pytest_pii_eval.collection.entry import suite_of  # noqa: PLC0415  # heavy
    from pytest_pii_eval.contracts.bank import load_bank  # noqa: PLC0415  # heavy

    settings = read_settings(pytestconfig)
    if settings.bank is None:
        raise pytest.UsageError("the fixture pii_bank needs --pii-bank=FILE or the ini value pii_bank")
    if settings.asks_a_bank:
        return suite_of(pytestconfig).bank
    return load_bank(settings.bank, root=settings.root)


@pytest.fixture(scope="session")
def pii_detector(pytestconfig: pytest.Config) -> Detector:
    """The detector under test: that of `--pii-detector`, or the bank's; items of the run share it.

    Built once a process, and closed at its end. Override it to bring a detector of your own.
    """
    from pytest_pii_eval.collection.entry import suite_of  # noqa: PLC0415  # heavy

    suite = suite_of(pytestconfig)
    fault = suite.fault()
    if fault is not None:
        pytest.fail(f"pii_detector: {fault}", pytrace=False)
    detector = suite.subject().detector
    if detector is None:
        pytest.fail("pii_detector: predictions cannot be asked; give a detector or a bank", pytrace=False)
    return detector


@pytest.fixture(scope="session")
def pii_evaluate() -> Callable[..., Report]:
    """`pytest_pii_eval.evaluate`: hold a detector to the suite in a directory and return the report."""
    from pytest_pii_eval.evaluation import evaluate  # noqa: PLC0415  # heavy

    return evaluate


@pytest.fixture
def pii_snapshot(request: pytest.FixtureRequest) -> SnapshotAssertion:
    """A syrupy snapshot of reports: `assert report == pii_snapshot`, one readable JSON file a snapshot.

    Takes a `Report` or `Snapshot`, and nothing else. What differs between equal runs is left out, by name.
    Needs syrupy; `--snapshot-update` writes.
    """
    try:
        from pytest_pii_eval.snapshots import report_snapshot  # noqa: PLC0415  # needs syrupy
    except ModuleNotFoundError:
        raise pytest.UsageError(
            "the fixture pii_snapshot needs syrupy: pip install 'pytest-pii-eval[snapshot]'"
        ) from None
    return report_snapshot(request.getfixturevalue("snapshot"))
