"""Which prediction credits a gold span when several could, and what becomes of its catalog identity."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from pytest_pii_eval.contracts.spans import Detection, GoldSpan, Span
from pytest_pii_eval.scoring.documents import Document, Scope
from pytest_pii_eval.scoring.tally import score_document

if TYPE_CHECKING:
    from pytest_pii_eval.contracts.spans import Identity
    from pytest_pii_eval.scoring.evidence import TypeCounts

JANE = ("person", "jane", "full")
JANE_SHORT = ("person", "jane", "short")
JOHN = ("person", "john", "full")


def counted(gold: list[Identity | None], found: list[Identity | None]) -> set[TypeCounts]:
    """Return the counts of one range that all gold spans and predictions share, in every order."""
    golds = [GoldSpan(2, 8, "person", identity) for identity in gold]
    spans = [Span(2, 8, "person", 0.9, identity) for identity in found]
    return {
        score_document(Document(10, ours, Detection(theirs)), Scope(frozenset({"person"}))).types["person"]
        for ours in permutations(golds)
        for theirs in permutations(spans)
    }


def test_the_prediction_with_the_gold_identity_is_taken() -> None:
    """Among equal spans the one of the gold's own name credits it, wherever it stands."""
    (row,) = counted([JANE], [JOHN, None, JANE])
    assert (row.tp, row.fp, row.cataloged_tp, row.wrong_canonical) == (1, 2, 1, 0)


def test_another_pattern_of_the_same_name_is_the_right_canonical() -> None:
    """A canonical identity is entity and name; which pattern hit does not matter here."""
    (row,) = counted([JANE], [JANE_SHORT])
    assert (row.cataloged, row.cataloged_tp, row.wrong_canonical) == (1, 1, 0)


def test_another_name_is_a_wrong_canonical_and_still_an_exact_match() -> None:
    """Span and type agree, so it is a true positive; the identity does not, so it is no cataloged hit."""
    (row,) = counted([JANE], [JOHN])
    assert (row.tp, row.cataloged_tp, row.wrong_canonical, row.cataloged_fn) == (1, 0, 1, 0)


def test_a_prediction_without_identity_is_a_wrong_canonical() -> None:
    """A detector that names nobody has not named the right one."""
    (row,) = counted([JANE], [None])
    assert (row.tp, row.cataloged_tp, row.wrong_canonical) == (1, 0, 1)


def test_equal_gold_spans_each_take_their_own_name() -> None:
    """Two names on one range are both right when both are predicted, in any order."""
    (row,) = counted([JANE, JOHN], [JOHN, JANE])
    assert (row.tp, row.cataloged_tp, row.wrong_canonical) == (2, 2, 0)


def test_a_foreign_prediction_credits_an_uncataloged_gold_span_first() -> None:
    """Of two equal gold spans and one prediction of neither name, no name is called wrong."""
    (row,) = counted([JANE, None], [JOHN])
    assert (row.tp, row.fn, row.wrong_canonical, row.cataloged_fn) == (1, 1, 0, 1)


def test_a_gold_span_without_exact_mate_is_a_cataloged_miss() -> None:
    """An inexact prediction of the right name finds nothing in the catalog's sense."""
    document = Document(10, (GoldSpan(2, 8, "person", JANE),), Detection((Span(2, 7, "person", None, JANE),)))
    evidence = score_document(document, Scope(frozenset({"person"})))
    assert evidence.types["person"].cataloged_fn == 1
    assert evidence.counts.documents_with_any_cataloged_miss == 1
