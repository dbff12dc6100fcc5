"""Exact counts against nervaluate (strict) and seqscore on documents where their rules are ours.

Where they are not, and what we do instead:

- nervaluate pairs greedily: an overlapping prediction listed before an exact one takes the gold span away,
  and one gold span under two predictions is judged by whichever comes first. Compared without overlaps.
- nervaluate reads inclusive ends and drops predictions of types it is not told of. Both are given here.
- seqscore keeps mentions of a sentence in a set: an exact duplicate counts once, and is not a false
  positive. Compared with nested, overlapping and touching spans, without duplicates.
"""

from __future__ import annotations

from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pii_eval.contracts.spans import Detection, GoldSpan, Span
from pytest_pii_eval.scoring.documents import Document, Scope
from pytest_pii_eval.scoring.evidence import TypeCounts
from pytest_pii_eval.scoring.exact_metrics import added
from pytest_pii_eval.scoring.tally import score_documents

Rows: TypeAlias = tuple[tuple[int, int, str], ...]

TYPES = ("email", "org", "person")
SCOPE = Scope(frozenset(TYPES))
LENGTH = 40


@st.composite
def apart(draw: st.DrawFn) -> Rows:
    """Spans of one document that neither overlap nor touch."""
    cuts = sorted(draw(st.lists(st.integers(0, LENGTH), unique=True, max_size=10)))
    ranges = zip(cuts[::2], cuts[1::2], strict=False)
    return tuple((start, end, draw(st.sampled_from(TYPES))) for start, end in ranges)


@st.composite
def crowded(draw: st.DrawFn) -> Rows:
    """Spans of one document that nest, overlap and touch, each at most once."""
    start = st.integers(0, 8)
    spans = st.tuples(start, st.integers(9, 12), st.sampled_from(TYPES))
    return tuple(draw(st.lists(spans, unique=True, max_size=6)))


def documents(pairs: list[tuple[Rows, ...]]) -> list[Document]:
    return [
        Document(LENGTH, tuple(GoldSpan(*row) for row in gold), Detection(tuple(Span(*row) for row in found)))
        for gold, found in pairs
    ]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(apart(), apart()), min_size=1, max_size=5))
def test_exact_counts_agree_with_nervaluate_strict(pairs: list[tuple[Rows, ...]]) -> None:
    """Without overlaps on either side, strict `correct` is tp, `actual` is pred and `possible` is gold."""
    evaluator = pytest.importorskip("nervaluate.evaluator")
    if not any(gold or found for gold, found in pairs):
        return
    sides = [
        [[{"label": label, "start": start, "end": end - 1} for start, end, label in one] for one in side]
        for side in zip(*pairs, strict=True)
    ]
    strict = evaluator.Evaluator(*sides, tags=list(TYPES), loader="dict").evaluate()["overall"]["strict"]
    micro = added(score_documents(documents(pairs), SCOPE).types.values())
    assert (micro.tp, micro.pred, micro.gold) == (strict.correct, strict.actual, strict.possible)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(crowded(), crowded()), min_size=1, max_size=5))
def test_exact_counts_agree_with_seqscore(pairs: list[tuple[Rows, ...]]) -> None:
    """With overlaps but without duplicates, its counts are ours, type by type."""
    model = pytest.importorskip("seqscore.model")
    scoring = pytest.importorskip("seqscore.scoring")
    score = scoring.ClassificationScore()
    for pair in pairs:
        gold, found = (
            [model.Mention(model.Span(start, end), label) for start, end, label in one] for one in pair
        )
        scoring.score_sequence_mentions(found, gold, score)
    types = score_documents(documents(pairs), SCOPE).types
    for label in TYPES:
        row, theirs = types.get(label, TypeCounts()), score.type_scores[label]
        assert (row.tp, row.fp, row.fn) == (theirs.true_pos, theirs.false_pos, theirs.false_neg)
