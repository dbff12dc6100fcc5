"""What keeps a run from being an evaluation: too few documents, no negatives, no names."""

from __future__ import annotations

from typing import Any

import pytest
from ship_values import quality_slice, report

from pytest_pii_eval.freezes.evidence_notes import evidence_notes

NAMES = {"person", "person_native"}
NO_ZERO_GOLD = {"documents": 40, "failed_documents": 0, "zero_gold_documents": 0}


def _notes(*, documents: int = 100, minimum: int = 100, **slices: dict[str, Any]) -> list[str]:
    one = report(slices=slices or {"mail": quality_slice()})
    return evidence_notes(one, documents=documents, minimum=minimum, name_types=NAMES)


def _without(*types: str) -> dict[str, Any]:
    return {name: row for name, row in quality_slice()["by_type"].items() if name not in types}


def test_an_evaluation_has_no_note() -> None:
    """As many documents as were asked for, some without gold, and names."""
    assert _notes() == []


@pytest.mark.parametrize(
    ("documents", "minimum", "notes"),
    [
        (99, 100, ["fewer_than_100_documents"]),
        (3, 5000, ["fewer_than_5000_documents"]),
        (0, 1, ["fewer_than_1_documents"]),
        (0, 0, []),
        (101, 100, []),
    ],
)
def test_too_few_documents(documents, minimum, notes) -> None:
    """The note holds the minimum; as many as that are enough."""
    assert _notes(documents=documents, minimum=minimum) == notes


def test_no_negatives() -> None:
    """Without a document that holds no gold, nobody knows what the detector does to one."""
    assert _notes(mail=quality_slice(counts=NO_ZERO_GOLD)) == ["no_negatives"]


def test_negatives_of_one_slice_are_enough() -> None:
    """A slice of its own may hold the negatives."""
    assert _notes(mail=quality_slice(counts=NO_ZERO_GOLD), negative=quality_slice(by_type={})) == []


def test_negatives_that_were_not_evaluated_are_none() -> None:
    """A slice that says nothing says nothing about negatives."""
    silent = quality_slice(evaluated=False, reason="zero_labeled_spans")
    assert _notes(mail=quality_slice(counts=NO_ZERO_GOLD), negative=silent) == ["no_negatives"]


@pytest.mark.parametrize(
    "by_type",
    [
        _without("person"),
        _without("person") | {"person": {"counts": {"gold": 0}, "metrics": {}}},
        _without("person") | {"person": {"counts": {}, "metrics": {}}},
        {},
    ],
)
def test_no_names(by_type) -> None:
    """A type of names in scope, but without gold, is no name."""
    assert _notes(mail=quality_slice(by_type=by_type)) == ["no_names"]


def test_names_of_any_type_and_slice() -> None:
    """One span of one of the types in one slice is a name."""
    native = {"person_native": {"counts": {"gold": 1}, "metrics": {}}}
    assert _notes(mail=quality_slice(by_type={}), zh=quality_slice(by_type=native)) == []


def test_the_order_is_fixed() -> None:
    """All notes at once come in the order of the source document."""
    bare = quality_slice(counts=NO_ZERO_GOLD, by_type={})
    assert _notes(documents=3, mail=bare) == ["fewer_than_100_documents", "no_negatives", "no_names"]


def test_a_report_without_slices_has_no_note() -> None:
    """A conformance run claims nothing about text."""
    assert evidence_notes(report(slices={}), documents=0, minimum=100, name_types=NAMES) == []
