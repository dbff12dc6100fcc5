"""One metric: an exact fraction with its support, or no value and the reason why."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, NamedTuple, get_args

Reason = Literal[
    "empty_population",
    "structured_weak_labels",
    "partial_annotation",
    "regions_do_not_cover_view",
    "catalog_unbound",
    "identities_unavailable",
    "protection_unavailable",
    "candidates_unavailable",
    "failed_documents",
    "no_gold",
    "no_predictions",
    "no_cataloged_gold",
    "no_high_severity_gold",
    "no_repeated_identifiers",
    "no_zero_gold_documents",
    "no_masked_characters",
    "no_characters",
]
"""Why a metric has no value; docs/metrics.md says when each applies."""

REASONS: tuple[Reason, ...] = get_args(Reason)


class Metric(NamedTuple):
    """A derived figure. `value` is exact and becomes a float only when it is rendered.

    `numerator` and `denominator` are the integers that it came from, unreduced; a count has no
    denominator. `support` is the size of the population that it speaks about. Where `value` is `None`
    so are both, and `reason` says why; else `reason` is `None`.
    """

    value: Fraction | None
    numerator: int | None
    denominator: int | None
    support: int
    reason: Reason | None = None


def rate(numerator: int, denominator: int, empty: Reason, *, support: int | None = None) -> Metric:
    """Return `numerator / denominator`, or no value for the reason `empty` where the denominator is 0."""
    if not denominator:
        return absent(empty)
    population = denominator if support is None else support
    return Metric(Fraction(numerator, denominator), numerator, denominator, population)


def tally_of(number: int, support: int) -> Metric:
    """Return a count as a metric; `support` is the population in which it was counted."""
    return Metric(Fraction(number), number, None, support)


def absent(reason: Reason) -> Metric:
    """Return a metric without a value."""
    return Metric(None, None, None, 0, reason)
