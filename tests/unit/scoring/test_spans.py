"""The span values, the grouping of repeated identifiers, and how bad spans are refused."""

from __future__ import annotations

import pytest

from pytest_pii_eval.contracts.spans import Detection, GoldSpan, Span, grouped, valid_spans
from pytest_pii_eval.scoring.documents import Document, Scope
from pytest_pii_eval.scoring.tally import score_document

SCOPE = Scope(frozenset({"a"}))


def test_spans_outside_the_text_are_dropped_and_counted() -> None:
    """Negative, empty, reversed and overlong spans go; the span that ends with the text stays."""
    spans = [Span(-1, 2, "a"), Span(3, 3, "a"), Span(4, 2, "a"), Span(0, 6, "a"), Span(0, 5, "a")]
    assert valid_spans(spans, 5) == ((Span(0, 5, "a"),), 4)


def test_equal_text_and_type_share_a_group() -> None:
    """Two mentions of one text are one group; another type or another text is none of it."""
    gold = [GoldSpan(0, 2, "a"), GoldSpan(3, 5, "a"), GoldSpan(0, 2, "b"), GoldSpan(6, 8, "a", None, 7)]
    assert [span.group for span in grouped("xy xy zz", gold)] == [0, 0, None, None]


def test_a_document_without_repeats_has_no_groups() -> None:
    """Stale group numbers are cleared where nothing repeats."""
    assert grouped("xyz", [GoldSpan(0, 1, "a", None, 3)]) == (GoldSpan(0, 1, "a"),)


@pytest.mark.parametrize("span", [(-1, 2), (3, 3), (4, 2), (0, 6)])
@pytest.mark.parametrize("side", ["gold", "selected", "protection", "candidates"])
def test_the_scorer_refuses_a_span_outside_its_text(span: tuple[int, int], side: str) -> None:
    """A bad span would reach into the next document, so scoring stops instead of guessing."""
    gold = (GoldSpan(*span, "a"),) if side == "gold" else ()
    detection = Detection(
        (Span(*span, "a"),) if side == "selected" else (),
        (Span(*span, "a"),) if side == "candidates" else None,
        (span,) if side == "protection" else None,
    )
    with pytest.raises(ValueError, match="a span is empty or lies outside its text"):
        score_document(Document(5, gold, detection), SCOPE)


def test_spans_at_the_edges_of_neighbouring_documents_do_not_touch() -> None:
    """A prediction at the end of one document covers nothing at the start of the next."""
    first = Document(3, (GoldSpan(2, 3, "a"),), Detection((Span(2, 3, "a"),)))
    second = Document(3, (GoldSpan(0, 1, "a"),), Detection(()))
    both = score_document(first, SCOPE).merge(score_document(second, SCOPE))
    assert both.types["a"].tp == 1
    assert both.output("selected").leaks == 1
    assert both.types["a"].miss == 1
