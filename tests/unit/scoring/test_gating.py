"""Which rules judge a slice, and what they come to where there is nothing to judge."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pytest_pii_eval.contracts.limits import GateRule
from pytest_pii_eval.scoring.gating import judge_slice
from pytest_pii_eval.scoring.metric import absent, rate, tally_of
from pytest_pii_eval.scoring.metrics import SliceMetrics

METRICS = SliceMetrics(
    overall={
        "recall": rate(2, 3, "no_gold"),
        "leaks": tally_of(1, 3),
        "precision": absent("partial_annotation"),
    },
    types={"person": {"recall": rate(1, 2, "no_gold")}, "email": {"recall": absent("no_gold")}},
)


def rule(metric="recall", direction="min", limit="0.5", **fields):
    """Return a rule for every slice and all types unless `fields` say otherwise."""
    given = {"id": "gate", "slice": "*", "type": None, **fields}
    exact = None if limit == "open" else Fraction(limit)
    return GateRule(given["id"], given["slice"], metric, given["type"], direction, exact, "strict" in given)


def judged(*rules, promotion=False):
    """Return id, verdict, value, reason and whether it failed, for each gate of the slice `mine`."""
    gates = judge_slice("mine", METRICS, rules, promotion=promotion)
    return [
        (gate.rule.id, gate.judgement.verdict, gate.judgement.value, gate.judgement.reason, gate.failed)
        for gate in gates
    ]


def test_rules_of_this_and_of_every_slice_are_judged_in_order():
    """Rules that name another slice are left out; the others keep their order."""
    rules = (
        rule(id="a", slice="mine"),
        rule(id="b", slice="other"),
        rule("leaks", "max", "0", id="c"),
        rule(id="d", limit="0.67"),
    )
    assert judged(*rules) == [
        ("a", "pass", Fraction(2, 3), None, False),
        ("c", "fail", Fraction(1), None, True),
        ("d", "fail", Fraction(2, 3), None, True),
    ]


@pytest.mark.parametrize(("limit", "verdict"), [("1/2", "pass"), ("0.500000000000000001", "fail")])
def test_a_type_is_judged_by_its_own_metrics(limit, verdict):
    """A rule of one type looks at that type alone, and exactly."""
    assert judged(rule(type="person", limit=limit)) == [
        ("gate", verdict, Fraction(1, 2), None, verdict == "fail")
    ]


def test_a_type_out_of_scope_has_no_gold():
    """A rule for every slice may speak of a type that this slice does not have: nothing to judge."""
    assert judged(rule(type="iban")) == [("gate", "not_evaluated", None, "no_gold", False)]


@pytest.mark.parametrize(("promotion", "strict"), [(False, False), (True, False), (False, True)])
def test_what_is_not_evaluated_fails_promotions_and_strict_rules(promotion, strict):
    """A metric without value keeps its verdict and reason; only promotion or a strict rule makes it fail."""
    given = rule("precision", **({"strict": True} if strict else {}))
    failed = promotion or strict
    assert judged(given, promotion=promotion) == [
        ("gate", "not_evaluated", None, "partial_annotation", failed)
    ]


def test_an_open_limit_fails_nothing():
    """`open` is a choice: even a promotion gate and a strict rule report it without judging."""
    given = rule("leaks", "max", "open", strict=True)
    assert judged(given, promotion=True) == [("gate", "not_evaluated", Fraction(1), "open", False)]


def test_an_open_limit_tells_why_a_metric_is_missing():
    """Where the metric has no value either, its own reason is told, and still nothing fails."""
    given = rule("precision", limit="open", strict=True)
    assert judged(given, promotion=True) == [("gate", "not_evaluated", None, "partial_annotation", False)]
