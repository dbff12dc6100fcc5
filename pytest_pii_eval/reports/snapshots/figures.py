"""Metrics as short strings that are read back exactly: `7/8`, `20/29 of 17`, `3 of 17`, `null: no_gold`."""

from __future__ import annotations

import re
import sys
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Final

from pydantic import StringConstraints

from pytest_pii_eval.reports.model import MetricReport
from pytest_pii_eval.reports.words import inert

if TYPE_CHECKING:
    from collections.abc import Mapping

_PATTERN: Final = (
    r"^(null( of [0-9]+)?(: [\s\S]+)?"
    r"|[0-9]+/[1-9][0-9]*( of [0-9]+)?"
    r"|~[0-9]+(\.[0-9]+)?(e[+-]?[0-9]{1,3})? of [0-9]+"
    r"|[0-9]+ of [0-9]+)$"
)
_PARTS: Final = re.compile(
    r"(?:(?P<null>null)|(?P<numerator>[0-9]+)(?:/(?P<denominator>[0-9]+))?|~(?P<value>[0-9.e+-]+))"
    r"(?: of (?P<support>[0-9]+))?(?:: (?P<reason>[\s\S]+))?"
)

# Python reads no integer of more than 4,300 digits.
Figure = Annotated[str, StringConstraints(pattern=_PATTERN, max_length=4_000)]
"""A rate `7/8`, with its support where that is not the denominator (`20/29 of 17`); a count with its support
(`3 of 17`); or no value with the reason (`null: no_gold`)."""

NOT_REPORTED: Final = "null: not_reported"
"""The figure of a metric that a report does not hold."""


def figure_of(metric: MetricReport) -> str:
    """Return `metric` as a figure; its integers say the value, where it has them."""
    if metric.value is None or metric.denominator == 0:
        support = f" of {metric.support}" if metric.support else ""
        reason = inert(metric.reason) if metric.reason else "zero_denominator" if metric.value else ""
        return f"null{support}: {reason}" if reason else f"null{support}"
    if metric.numerator is None:
        return f"~{metric.value!r} of {metric.support}"
    if metric.denominator is None:
        return f"{metric.numerator} of {metric.support}"
    support = "" if metric.support == metric.denominator else f" of {metric.support}"
    return f"{metric.numerator}/{metric.denominator}{support}"


def value_of(figure: str) -> Fraction | None:
    """Return the exact value of a figure, or None where it has none."""
    parts = _parts(figure)
    if parts["null"]:
        return None
    if parts["value"]:
        return Fraction(parts["value"])
    return Fraction(int(parts["numerator"] or 0), int(parts["denominator"] or 1))


def metric_of(figure: str) -> MetricReport:
    """Return what `figure` says, as a report has it."""
    parts = _parts(figure)
    value = value_of(figure)
    if value is None:
        return MetricReport(
            value=None,
            numerator=None,
            denominator=None,
            support=int(parts["support"] or 0),
            reason=parts["reason"],
        )
    return MetricReport(
        value=number_of(value),
        numerator=None if parts["numerator"] is None else int(parts["numerator"]),
        denominator=None if parts["denominator"] is None else int(parts["denominator"]),
        support=int(parts["support"] or parts["denominator"] or 0),
    )


def number_of(value: Fraction) -> float:
    """Return `value` as the nearest float; what is beyond every float becomes the greatest."""
    try:
        return float(value)
    except OverflowError:
        return sys.float_info.max if value > 0 else -sys.float_info.max


def _parts(figure: str) -> Mapping[str, str | None]:
    match = _PARTS.fullmatch(figure)
    if match is None:
        raise ValueError("is no figure")
    return match.groupdict()
