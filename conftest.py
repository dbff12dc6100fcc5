"""Top-level pytest configuration: the pytester fixture, and which contract tests a run is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

pytest_plugins = ["pytester"]
_ABOUT_OTHERS = frozenset({"test_detector_contract.py", "test_snapshot.py"})


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave contract tests and the snapshot out of a run that asks about one detector: they are about others.

    Here and not in `conformance/`, whose conftest would take the name of the one that tests import.
    """
    asks_another = config.getoption("pii_detector", None) or config.getoption("pii_predictions", None)
    return True if asks_another and collection_path.name in _ABOUT_OTHERS else None
