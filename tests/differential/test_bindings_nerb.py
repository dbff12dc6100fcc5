"""Catalog bindings against nerb 0.0.12: rows that cover the gold, and rows that do not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pii_eval.contracts.bindings import Bindings
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.records import Record
from pytest_pii_eval.contracts.spans import GoldSpan

nerb = pytest.importorskip("nerb.enron_quality")

IDENTITIES = [None, {"entity_id": "person", "name_id": "ada", "pattern_id": "full"}]
ROWS = st.builds(
    lambda document, start, size, identity: {
        "document_id": document,
        "start": start,
        "end": start + size,
        "catalog_identity": identity,
    },
    st.sampled_from(["a", "b"]),
    st.integers(0, 2),
    st.integers(0, 2),
    st.sampled_from([*IDENTITIES, {"entity_id": "email", "name_id": "ada", "pattern_id": "full"}]),
)


def covered(rows: list[dict[str, Any]], spans: set[tuple[str, int, int]]) -> dict[Any, Any] | None:
    """The identity of each span, in the words of rows; None where rows and spans do not cover each other."""
    bindings, identities = Bindings("bindings.jsonl"), {}
    try:
        for line, row in enumerate(rows, start=1):
            bindings.add(row, line)
        for name in ("a", "b"):
            gold = tuple(sorted(GoldSpan(start, end, "person") for held, start, end in spans if held == name))
            for span in bindings.bound(Record(name, "", "body", "train", gold, ())).gold:
                identities[name, span.start, span.end] = span.identity and IDENTITIES[1]
        bindings.finish()
    except Fault:
        return None
    return identities


@settings(max_examples=50, deadline=None)
@given(st.lists(ROWS, max_size=5), st.sets(st.sampled_from([("a", 0, 1), ("b", 1, 3)])))
def test_bindings_cover_alike(rows: list[dict[str, Any]], others: set[tuple[str, int, int]]) -> None:
    """Rows that fit the spans, miss some, say one twice or name another class: taken or refused by both."""
    spans = others | {
        (row["document_id"], row["start"], row["end"]) for row in rows if row["start"] < row["end"]
    }
    labels = [{"document_id": document, "start": start, "end": end} for document, start, end in sorted(spans)]
    try:
        there = nerb._prepare_cmu_catalog_bindings(rows, labels)
    except nerb.EnronQualityError:
        there = None
    assert covered(rows, spans) == there
