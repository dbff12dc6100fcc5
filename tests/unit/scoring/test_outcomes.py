"""What became of single spans, by hand: overlaps, repeats, leaks and documents without an answer."""

from __future__ import annotations

import pytest

from pytest_pii_eval.contracts.spans import Detection, GoldSpan, Span
from pytest_pii_eval.scoring.documents import Document, Scope
from pytest_pii_eval.scoring.outcomes import Outcome, outcome_of

SCOPE = Scope(frozenset({"id", "org"}))


def told(gold: list[tuple[int, int, str]], *found: tuple[int, int, str]) -> Outcome:
    """Return the outcome of a document of 40 characters."""
    detection = Detection(tuple(Span(*span) for span in found))
    return outcome_of(Document(40, tuple(GoldSpan(*span) for span in gold), detection), SCOPE)


def states(outcome: Outcome) -> list[tuple[str, str | None, bool]]:
    """Return state, what it was taken for and whether it leaks, of each gold span."""
    return [(one.state, one.taken_for, one.leaks) for one in outcome.gold]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ([(10, 20, "id")], ("exact", None, False)),
        ([(8, 20, "id")], ("shift", None, False)),
        ([(12, 20, "id")], ("shift", None, True)),
        ([(10, 20, "org")], ("wrong_type", "org", False)),
        ([(10, 19, "org")], ("wrong_type", "org", True)),
        ([(10, 20, "city")], ("wrong_type", "city", False)),
        ([(5, 10, "id"), (20, 22, "id")], ("miss", None, True)),
        ([(10, 20, "org"), (19, 25, "id")], ("shift", None, False)),
        ([(10, 13, "org"), (18, 22, "org"), (13, 17, "city")], ("wrong_type", "org", True)),
        ([(10, 15, "org"), (15, 20, "city")], ("wrong_type", "city", False)),
        ([(12, 20, "id"), (5, 12, "city")], ("shift", None, False)),
    ],
    ids=["exact", "wider", "cut", "type", "type-cut", "outside", "touching", "both", "most", "tie", "fills"],
)
def test_state_and_leak_of_one_gold_span(found, expected) -> None:
    """A span is exact, else a shift, else of a wrong type, else missed; other types mask it, too."""
    assert states(told([(10, 20, "id")], *found)) == [expected]


def test_nested_gold_spans_have_their_own_states() -> None:
    """The exact mate of the outer span is a shift of the inner one, and masks both."""
    outcome = told([(10, 30, "id"), (15, 20, "id"), (15, 20, "org")], (10, 30, "id"))
    assert states(outcome) == [("exact", None, False), ("shift", None, False), ("wrong_type", "id", False)]


def test_a_repeated_prediction_is_exact_once() -> None:
    """Of two equal predictions one credits the gold span, and the other overlaps it."""
    outcome = told([(10, 20, "id")], (10, 20, "id"), (10, 20, "id"))
    assert [one.state for one in outcome.predictions] == ["exact", "overlap"]


def test_a_repeated_gold_span_needs_two_predictions() -> None:
    """One prediction credits one of two equal gold spans; the other is a shift that does not leak."""
    one = told([(10, 20, "id"), (10, 20, "id")], (10, 20, "id"))
    assert sorted(states(one)) == [("exact", None, False), ("shift", None, False)]
    two = told([(10, 20, "id"), (10, 20, "id")], (10, 20, "id"), (10, 20, "id"))
    assert states(two) == [("exact", None, False)] * 2


def test_predictions_are_exact_overlap_or_extra() -> None:
    """Gold out of scope does not count, and neither does a prediction out of scope."""
    outcome = told([(10, 20, "id"), (30, 35, "city")], (10, 20, "id"), (18, 25, "org"), (30, 35, "org"))
    assert [(one.start, one.state) for one in outcome.predictions] == [
        (10, "exact"),
        (18, "overlap"),
        (30, "extra"),
    ]
    assert told([], (30, 35, "city")).predictions == ()


def test_ordinals_count_the_gold_that_is_out_of_scope() -> None:
    """An ordinal is the index in the document's gold, whatever its order and the scope."""
    outcome = told([(30, 35, "id"), (0, 5, "city"), (10, 20, "org")])
    assert [(one.ordinal, one.start) for one in outcome.gold] == [(0, 30), (2, 10)]


@pytest.mark.parametrize("partial", [False, True])
def test_without_an_answer_all_gold_is_missed_and_leaks(*, partial: bool) -> None:
    """Neither no answer nor a cut-off one finds anything."""
    detection = Detection((Span(10, 20, "id"),), partial=True) if partial else None
    outcome = outcome_of(Document(40, (GoldSpan(10, 20, "id"),), detection), SCOPE)
    assert states(outcome) == [("miss", None, True)]
    assert outcome.predictions == ()


def test_a_span_outside_the_text_is_refused() -> None:
    """As in scoring, nothing is clamped."""
    with pytest.raises(ValueError, match="outside its text"):
        told([(30, 41, "id")])
