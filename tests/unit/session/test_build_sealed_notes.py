"""What keeps a sealed run from being an evaluation: told of the sealed freeze alone."""

from __future__ import annotations

import json
from typing import Any

from heard import SHA, facts

from pytest_pii_eval.reports.model import Run
from pytest_pii_eval.scoring.evidence import Evidence, SliceCounts, TypeCounts
from pytest_pii_eval.scoring.packing import packed
from pytest_pii_eval.session.build import build_report
from pytest_pii_eval.session.results import Results

RUN = Run(started="2026-01-01T00:00:00+00:00", seconds=1.0, python="3", platform="x", pytest="9", processes=1)
DECLARED = {
    "entity_class": "mixed",
    "cohort": "tickets",
    "split_role": "test",
    "text_view": "body",
    "label_strength": "independent",
    "annotation_completeness": "exhaustive_within_scope",
    "promotion_gate": True,
}
PLAN = {"policy": SHA, "plan": SHA, "taxonomy": SHA, "corpora": {}, "bindings": []}
Held = tuple[str | None, int, int, int]
"""Of a slice: its role, its documents, those of them without gold, and gold spans of persons."""


def _notes(*, minimum: int, **slices: Held) -> list[str]:
    """Return the notes of a run on `slices`, whose names are those of their ids."""
    plans: dict[str, Any] = {}
    results = Results()
    for name, (role, documents, negatives, persons) in slices.items():
        plans[name] = {
            "declared": {**DECLARED, "role": role},
            "types": ["email", "person"],
            "high_severity": [],
            "labels": [True] * 5,
            "documents": documents,
            "corpus": None,
            "in_domain": False,
        }
        counts = SliceCounts()._replace(documents=documents, zero_gold_documents=negatives)
        types = {"email": TypeCounts()._replace(gold=3), "person": TypeCounts()._replace(gold=persons)}
        results.quality[name] = json.dumps(
            {
                "slice": name,
                "unsupported": None,
                "evidence": packed(Evidence(counts, types)),
                "offsets": [],
                "unmapped": {},
                "out_of_scope": {},
                "gates": [],
            }
        )
    quality = {"slices": plans, "minimum_documents": minimum, "name_types": ["person"], **PLAN}
    results.facts = facts(cases=False, quality=quality)
    return build_report(results, RUN).evidence_notes


def test_documents_of_the_dev_freeze_do_not_fill_a_sealed_one() -> None:
    """Three sealed documents are three, however many the dev freeze beside them holds."""
    dev = ("dev_freeze", 500, 50, 80)
    assert _notes(minimum=100, dev=dev, sealed=("sealed_freeze", 3, 1, 2)) == ["fewer_than_100_documents"]
    assert _notes(minimum=100, dev=dev, sealed=("sealed_freeze", 100, 1, 2)) == []


def test_negatives_and_names_of_the_dev_freeze_are_not_those_of_a_sealed_one() -> None:
    """A sealed freeze has documents without gold, and names, of its own."""
    dev = ("dev_freeze", 500, 50, 80)
    assert _notes(minimum=1, dev=dev, sealed=("sealed_freeze", 200, 0, 9)) == ["no_negatives"]
    assert _notes(minimum=1, dev=dev, sealed=("sealed_freeze", 200, 9, 0)) == ["no_names"]


def test_slices_of_a_sealed_freeze_are_not_added_up() -> None:
    """Slices overlap: the largest one says how many documents there were at least."""
    one, other = ("sealed_freeze", 60, 5, 5), ("sealed_freeze", 50, 5, 5)
    assert _notes(minimum=61, one=one, other=other) == ["fewer_than_61_documents"]
    assert _notes(minimum=60, one=one, other=other) == []


def test_a_plain_run_is_judged_whole() -> None:
    """Without a sealed slice negatives and names may be those of any slice."""
    assert _notes(minimum=40, dev=("dev_freeze", 40, 0, 7), extra=("public", 9, 9, 0)) == []
    assert _notes(minimum=41, dev=("dev_freeze", 40, 0, 7), extra=(None, 9, 0, 0)) == [
        "fewer_than_41_documents",
        "no_negatives",
    ]
