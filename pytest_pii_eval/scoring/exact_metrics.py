"""Metrics of exact typed matching and of the catalog, from the counts of some types."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from pytest_pii_eval.scoring.evidence import TypeCounts
from pytest_pii_eval.scoring.metric import Metric, absent, rate, tally_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_pii_eval.scoring.labels import Labels

NOT_IDENTIFIED = absent("identities_unavailable")


def exact_metrics(counts: TypeCounts) -> dict[str, Metric]:
    """Return precision, recall and F1. Without gold there is no F1, whatever was predicted."""
    return {
        "precision": rate(counts.tp, counts.pred, "no_predictions"),
        "recall": rate(counts.tp, counts.gold, "no_gold"),
        "labeled_span_recall": rate(counts.tp, counts.gold, "no_gold"),
        "f1": f_score(counts, 1),
    }


def catalog_metrics(counts: TypeCounts, labels: Labels) -> dict[str, Metric]:
    """Return what the bank knew and found; nothing where no catalog is bound to the gold.

    Without identities in the predictions nobody can say whether a cataloged span got the right one.
    """
    metrics = {
        "catalog_coverage": rate(counts.cataloged, counts.gold, "no_gold"),
        "cataloged_recall": rate(counts.cataloged_tp, counts.cataloged, "no_cataloged_gold"),
        "wrong_canonical": (
            tally_of(counts.wrong_canonical, counts.cataloged)
            if counts.cataloged
            else absent("no_cataloged_gold")
        ),
    }
    if not labels.cataloged:
        return dict.fromkeys(metrics, absent("catalog_unbound"))
    if labels.identified:
        return metrics
    return {**dict.fromkeys(metrics, NOT_IDENTIFIED), "catalog_coverage": metrics["catalog_coverage"]}


def f_score(counts: TypeCounts, beta: int) -> Metric:
    """Return F-beta from counts: (1 + b²) tp / ((1 + b²) tp + b² fn + fp), supported by the gold."""
    if not counts.gold:
        return absent("no_gold")
    square = beta * beta
    hits = (1 + square) * counts.tp
    return rate(hits, hits + square * counts.fn + counts.fp, "no_gold", support=counts.gold)


def macro_f1(types: Iterable[TypeCounts]) -> Metric:
    """Return the unweighted mean of F1 over the types with gold, supported by their number."""
    values = [f_score(counts, 1).value or Fraction(0) for counts in types if counts.gold]
    if not values:
        return absent("no_gold")
    mean = sum(values, Fraction(0)) / len(values)
    return Metric(mean, mean.numerator, mean.denominator, len(values))


def added(types: Iterable[TypeCounts]) -> TypeCounts:
    """Return the sums of the counts."""
    rows = list(types)
    return TypeCounts(*map(sum, zip(*rows, strict=True))) if rows else TypeCounts()
