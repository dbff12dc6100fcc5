"""Comparisons in memory: figures of two reports side by side, as told by hand; nothing is compared here."""

from __future__ import annotations

from typing import Any

from pytest_pii_eval.reports.comparing.model import Change, Comparison, GateChange, Move, Refusal, Side
from pytest_pii_eval.reports.model import MetricReport

SIDE = Side(kind="detector", name="finder", scorer_version="0.1.0")


def count(number: int, support: int) -> MetricReport:
    """Return a count out of a population."""
    return MetricReport(value=number, numerator=number, denominator=None, support=support)


def rate(numerator: int, denominator: int) -> MetricReport:
    """Return a rate."""
    return MetricReport(
        value=numerator / denominator, numerator=numerator, denominator=denominator, support=denominator
    )


def nothing(reason: str = "no_gold") -> MetricReport:
    """Return a metric without a value."""
    return MetricReport(value=None, numerator=None, denominator=None, support=0, reason=reason)


def change(metric: str, old: MetricReport, new: MetricReport, **fields: Any) -> Change:
    """Return a regression of slice `cards`; `fields` replace its own."""
    known = old.value is not None and new.value is not None
    own = {
        "slice": "cards",
        "type": None,
        "metric": metric,
        "old": old,
        "new": new,
        "difference": new.value - old.value if known else None,
        "trend": "worse",
        "judged": True,
        "tolerance": None,
        "regression": True,
    }
    return Change(**{**own, **fields})


def one_more_leak() -> list[Change]:
    """Return what one lost card number moves: the figures of the slice, then those of the type."""
    return [
        change("containment", rate(12, 12), rate(11, 12)),
        change("leaks", count(0, 12), count(1, 12)),
        change("high_severity_leaks", count(0, 8), count(1, 8)),
        change("containment", rate(8, 8), rate(7, 8), type="payment", severe=True),
        change("leaks", count(0, 8), count(1, 8), type="payment", severe=True),
    ]


def lost_gate() -> GateChange:
    """Return the gate that held before."""
    return GateChange(id="max-leaks", slice="cards", old="pass", new="fail", regression=True)


def lost_span() -> Move:
    """Return the card number that is no longer found."""
    fields: dict[str, Any] = {"old": "exact", "new": "miss", "direction": "lost"}
    return Move(kind="span", id="doc-1#0", slices=["cards"], type="payment", **fields)


def refusal(
    part: str = "gold", words: str = "the gold differs; compare runs on the same gold", side: str = "both"
) -> Refusal:
    """Return a reason why nothing was compared."""
    return Refusal.model_validate({"part": part, "side": side, "words": words})


def comparison(*changes: Change, **fields: Any) -> Comparison:
    """Return a comparison of these changes; it passes where none of them is a regression."""
    own = {
        "old": SIDE,
        "new": SIDE,
        "refusals": [],
        "notes": [],
        "changes": list(changes),
        "gates": [],
        "unchanged": 100,
        "passed": not any(one.regression for one in changes),
    }
    return Comparison(**{**own, **fields})


def refused(*refusals: Refusal) -> Comparison:
    """Return a comparison that did not happen."""
    return comparison(refusals=list(refusals) or [refusal()], unchanged=0, passed=None)
