"""Tolerances: how much worse a metric may be, as exact decimal numbers, by name."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.reports.comparing.trends import KNOWN

if TYPE_CHECKING:
    from collections.abc import Mapping

_DECIMAL: Final = re.compile(r"[0-9]{1,18}(?:\.[0-9]{1,18})?", re.ASCII)


class Tolerance(NamedTuple):
    """How much worse a metric may be: in counts or rate points, and as it was written."""

    amount: Fraction
    text: str


NONE: Final = Tolerance(Fraction(0), "0")
"""No tolerance at all."""


def read_tolerances(given: Mapping[str, str]) -> dict[str, Tolerance]:
    """Return the tolerances by metric.

    Raises `Fault` for a metric that does not exist, naming those that do, and for what is no decimal number.
    """
    for ordinal, (name, text) in enumerate(given.items(), 1):
        if name not in KNOWN:
            known = ", ".join(sorted(KNOWN))
            raise Fault(f"tolerance {ordinal} names no metric; there are: {known}")
        if not _DECIMAL.fullmatch(text):
            raise Fault(f"tolerance {ordinal} must be a plain decimal number, such as 0.01")
    return {name: Tolerance(Fraction(text), text) for name, text in given.items()}
