"""Limits and verdicts: exact at the edge, silent where nothing can be judged."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.scoring.gates import judge, parse_limit
from pytest_pii_eval.scoring.metric import absent, rate, tally_of


@pytest.mark.parametrize(
    ("direction", "numerator", "verdict"),
    [("min", 95, "pass"), ("min", 94, "fail"), ("max", 95, "pass"), ("max", 96, "fail")],
)
def test_a_gate_holds_at_its_limit_and_not_one_step_beyond(
    direction: str, numerator: int, verdict: str
) -> None:
    """Equality passes in both directions; one hundredth further fails."""
    assert judge(rate(numerator, 100, "no_gold"), Fraction("0.95"), direction).verdict == verdict


def test_a_judgement_keeps_value_limit_and_support() -> None:
    """What a verdict rests on is kept with it, exactly."""
    assert judge(rate(1, 3, "no_gold"), Fraction("0.33"), "min") == (
        "pass",
        Fraction(1, 3),
        Fraction(33, 100),
        3,
        None,
    )


def test_counts_are_judged_as_numbers() -> None:
    """Zero leaks allowed: none passes, one fails, and the support is the gold."""
    assert judge(tally_of(0, 7), Fraction(0), "max").verdict == "pass"
    assert judge(tally_of(1, 7), Fraction(0), "max")[:4] == ("fail", Fraction(1), Fraction(0), 7)


def test_an_open_gate_reports_and_does_not_judge() -> None:
    """The value stays visible; the verdict is not evaluated, because the limit is open."""
    assert judge(rate(1, 2, "no_gold"), parse_limit("open"), "min") == (
        "not_evaluated",
        Fraction(1, 2),
        None,
        2,
        "open",
    )


def test_a_metric_without_value_is_not_evaluated() -> None:
    """The verdict carries the metric's own reason, also where the limit would be easy."""
    assert judge(absent("partial_annotation"), Fraction(0), "min") == (
        "not_evaluated",
        None,
        Fraction(0),
        0,
        "partial_annotation",
    )


@pytest.mark.parametrize(
    ("text", "limit"), [("0", Fraction(0)), ("0.95", Fraction(19, 20)), ("3", Fraction(3))]
)
def test_limits_are_read_from_their_decimal_text(text: str, limit: Fraction) -> None:
    """0.95 is nineteen twentieths, not the nearest binary number."""
    assert parse_limit(text) == limit


@pytest.mark.parametrize(
    "text", ["", "-1", "+1", "1e3", "nan", "inf", ".5", "5.", "1/2", "0.5 ", "٣", "1_0", "Open"]
)
def test_anything_else_is_refused_without_echo(text: str) -> None:
    """A limit is plain digits; the message does not repeat what stood there."""
    with pytest.raises(Fault) as caught:
        parse_limit(text)
    assert str(caught.value) == "a limit is a plain decimal number such as 0.95, or the word open"
