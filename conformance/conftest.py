"""Leaves the contract tests out of a run that asks about one detector: they are about three others."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip `test_detector_contract.py` beside `--pii-detector` and `--pii-predictions`."""
    asks_another = config.getoption("pii_detector") or config.getoption("pii_predictions")
    return True if asks_another and collection_path.name == "test_detector_contract.py" else None
