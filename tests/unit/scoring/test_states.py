"""Gold states and confusion where several predictions overlap one gold span."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.contracts.spans import Detection, GoldSpan, Span
from pytest_pii_eval.scoring.documents import Document, Scope
from pytest_pii_eval.scoring.tally import score_document

if TYPE_CHECKING:
    from pytest_pii_eval.scoring.evidence import Evidence

SCOPE = Scope(frozenset({"id", "org", "person"}))


def scored(*spans: tuple[int, int, str]) -> Evidence:
    detection = Detection(tuple(Span(*span) for span in spans))
    return score_document(Document(30, (GoldSpan(10, 20, "id"),), detection), SCOPE)


def test_a_shift_comes_before_a_wrong_type() -> None:
    """One character of the right type makes a shift, however much another type covers."""
    row = scored((10, 20, "org"), (19, 25, "id")).types["id"]
    assert (row.shift, row.wrong_type, row.miss) == (1, 0, 0)


def test_touching_is_not_overlapping() -> None:
    """Predictions that end where the gold begins, and begin where it ends, leave a miss and two extras."""
    evidence = scored((5, 10, "id"), (20, 25, "org"))
    assert evidence.types["id"].miss == 1
    assert evidence.types["id"].extra + evidence.types["org"].extra == 2


def test_the_type_that_covers_most_is_the_confused_one() -> None:
    """Two org fragments of 3 and 2 characters together beat one person prediction of 4."""
    evidence = scored((10, 13, "org"), (18, 22, "org"), (13, 17, "person"))
    assert evidence.confusion == {("id", "org"): 1}


def test_equal_cover_goes_to_the_first_name() -> None:
    """With five characters each, org is taken before person whatever the order of predictions."""
    spans = ((10, 15, "person"), (15, 20, "org"))
    assert scored(*spans).confusion == scored(*spans[::-1]).confusion == {("id", "org"): 1}


def test_a_type_outside_the_scope_can_be_what_gold_was_taken_for() -> None:
    """The state of a gold span does not depend on which other types the slice asks for."""
    evidence = scored((10, 20, "city"))
    assert evidence.confusion == {("id", "city"): 1}
    assert evidence.counts.out_of_scope == 1
