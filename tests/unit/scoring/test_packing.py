"""Evidence on its way through a test report."""

from __future__ import annotations

import json

import pytest

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.spans import Detection, GoldSpan, Span
from pytest_pii_eval.scoring.documents import Document, Scope
from pytest_pii_eval.scoring.evidence import Evidence
from pytest_pii_eval.scoring.packing import packed, unpacked
from pytest_pii_eval.scoring.tally import score_document

EVIDENCE = score_document(
    Document(20, (GoldSpan(0, 5, "b"), GoldSpan(6, 9, "a")), Detection((Span(0, 5, "a"),), None, ())),
    Scope(frozenset({"a", "b"})),
)


def test_evidence_survives_json() -> None:
    """What is packed, written and read comes back equal."""
    assert unpacked(json.loads(json.dumps(packed(EVIDENCE)))) == EVIDENCE


def test_empty_evidence_survives_json() -> None:
    """The neutral evidence keeps its form too."""
    assert unpacked(json.loads(json.dumps(packed(Evidence())))) == Evidence()


@pytest.mark.parametrize(
    "damage",
    [
        lambda form: form[:4],
        lambda form: [form[0][:-1], *form[1:]],
        lambda form: [[True, *form[0][1:]], *form[1:]],
        lambda form: [[-1, *form[0][1:]], *form[1:]],
        lambda form: [form[0], [["a", 1]], *form[2:]],
        lambda form: [*form[:2], [["elsewhere", *form[2][0][1:]]], *form[3:]],
        lambda form: [*form[:4], [["a", 1, 1]]],
        lambda _form: None,
        lambda _form: "evidence",
    ],
)
def test_damaged_evidence_is_refused(damage: object) -> None:
    """A missing field, a wrong type, a negative count or an unknown output is a fault, not a guess."""
    with pytest.raises(Fault, match="not in the form"):
        unpacked(damage(json.loads(json.dumps(packed(EVIDENCE)))))
