"""Contracts to subclass and strategies to draw from, for the test suites of detectors and redactors.

Needs `hypothesis` (extra `testing`). What is not asked for is not imported.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_pii_eval.testing.contract import DetectorContract
    from pytest_pii_eval.testing.redactor_contract import RedactorContract
    from pytest_pii_eval.testing.strategies import Planted, planted_texts, surroundings

__all__ = ["DetectorContract", "Planted", "RedactorContract", "planted_texts", "surroundings"]

_PLACES = {
    "DetectorContract": "contract",
    "Planted": "strategies",
    "RedactorContract": "redactor_contract",
    "planted_texts": "strategies",
    "surroundings": "strategies",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(name)
    try:
        return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "hypothesis":
            raise
        extra = "pip install 'pytest-pii-eval[testing]'"
        raise ImportError(f"{name} draws texts with hypothesis: {extra}", name="hypothesis") from None
