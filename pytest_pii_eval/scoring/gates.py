"""Judging a metric against a limit, in exact fractions; which gates exist is decided elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from pytest_pii_eval.contracts.limits import Direction, parse_limit

if TYPE_CHECKING:
    from fractions import Fraction

    from pytest_pii_eval.scoring.metric import Metric, Reason

__all__ = ["Direction", "Judgement", "Verdict", "judge", "parse_limit"]

Verdict = Literal["pass", "fail", "not_evaluated"]


class Judgement(NamedTuple):
    """A verdict with what it rests on.

    `reason` is why nothing was judged: the metric's own reason, or `open` for a gate without a limit.
    """

    verdict: Verdict
    value: Fraction | None
    limit: Fraction | None
    support: int
    reason: Reason | Literal["open"] | None = None


def judge(metric: Metric, limit: Fraction | None, direction: Direction) -> Judgement:
    """Return whether `metric` keeps `limit`; equality keeps it. `None` stands for an open gate."""
    if metric.value is None:
        return Judgement("not_evaluated", None, limit, metric.support, metric.reason)
    if limit is None:
        return Judgement("not_evaluated", metric.value, None, metric.support, "open")
    kept = metric.value >= limit if direction == "min" else metric.value <= limit
    return Judgement("pass" if kept else "fail", metric.value, limit, metric.support)
