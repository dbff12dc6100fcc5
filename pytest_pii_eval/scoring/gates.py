"""Judging a metric against a limit, in exact fractions; which gates exist is decided elsewhere."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, NamedTuple

from pytest_pii_eval.contracts.faults import Fault

if TYPE_CHECKING:
    from pytest_pii_eval.scoring.metric import Metric, Reason

Direction = Literal["min", "max"]
"""`min`: the metric must be the limit or more. `max`: the limit or less."""

Verdict = Literal["pass", "fail", "not_evaluated"]

_DECIMAL = re.compile(r"[0-9]{1,18}(\.[0-9]{1,18})?", re.ASCII)


class Judgement(NamedTuple):
    """A verdict with what it rests on.

    `reason` is why nothing was judged: the metric's own reason, or `open` for a gate without a limit.
    """

    verdict: Verdict
    value: Fraction | None
    limit: Fraction | None
    support: int
    reason: Reason | Literal["open"] | None = None


def parse_limit(text: str) -> Fraction | None:
    """Return the limit that decimal `text` names, exactly; `None` for `open`. Else raise `Fault`.

    A limit is written in plain digits, `0`, `3` or `0.95`: without sign, exponent or white space.
    """
    if text == "open":
        return None
    if not _DECIMAL.fullmatch(text):
        raise Fault("a limit is a plain decimal number such as 0.95, or the word open")
    return Fraction(text)


def judge(metric: Metric, limit: Fraction | None, direction: Direction) -> Judgement:
    """Return whether `metric` keeps `limit`; equality keeps it. `None` stands for an open gate."""
    if metric.value is None:
        return Judgement("not_evaluated", None, limit, metric.support, metric.reason)
    if limit is None:
        return Judgement("not_evaluated", metric.value, None, metric.support, "open")
    kept = metric.value >= limit if direction == "min" else metric.value <= limit
    return Judgement("pass" if kept else "fail", metric.value, limit, metric.support)
