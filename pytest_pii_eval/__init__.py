"""Contract tests for anything that finds or masks personal data.

The names below are imported when they are first used: the pytest plugin lives in this package, and a test
run that has no use for it shall not pay for it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_pii_eval.contracts.bank import Bank, load_bank
    from pytest_pii_eval.contracts.faults import Fault
    from pytest_pii_eval.contracts.spans import Detection, Span
    from pytest_pii_eval.detectors.bank_detector import BankDetector
    from pytest_pii_eval.detectors.protocol import Detector
    from pytest_pii_eval.evaluation import evaluate, score
    from pytest_pii_eval.reports.comparing.compare import compare_reports
    from pytest_pii_eval.reports.comparing.model import Comparison
    from pytest_pii_eval.reports.model import Report
    from pytest_pii_eval.reports.read import read_report

_HOMES = {
    "Bank": "contracts.bank",
    "BankDetector": "detectors.bank_detector",
    "Comparison": "reports.comparing.model",
    "Detection": "contracts.spans",
    "Detector": "detectors.protocol",
    "Fault": "contracts.faults",
    "Report": "reports.model",
    "Span": "contracts.spans",
    "compare_reports": "reports.comparing.compare",
    "evaluate": "evaluation",
    "load_bank": "contracts.bank",
    "read_report": "reports.read",
    "score": "evaluation",
}

__all__ = [
    "Bank",
    "BankDetector",
    "Comparison",
    "Detection",
    "Detector",
    "Fault",
    "Report",
    "Span",
    "compare_reports",
    "evaluate",
    "load_bank",
    "read_report",
    "score",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
