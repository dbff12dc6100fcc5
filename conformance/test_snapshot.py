"""The shipped suite as a snapshot: what the bank finds on the embedded engine, in a file made for diffs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("syrupy", reason="snapshots are kept by syrupy (extra: snapshot)")

from pytest_pii_eval import BankDetector, load_bank

if TYPE_CHECKING:
    from collections.abc import Callable

    from syrupy.assertion import SnapshotAssertion

    from pytest_pii_eval import Report

_SUITE = Path(__file__).parent


def test_the_shipped_bank_reports_what_it_did(
    pii_evaluate: Callable[..., Report], pii_snapshot: SnapshotAssertion
) -> None:
    """The whole report is that of the committed snapshot; `--snapshot-update` accepts another."""
    report = pii_evaluate(_SUITE, BankDetector(load_bank(_SUITE / "bank.json")))
    assert report == pii_snapshot  # noqa: S101  # assert is how tests speak
