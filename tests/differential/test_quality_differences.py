"""Where our quality report differs from nerb's on purpose: docs/metrics.md, "Differences from nerb"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from generated_slices import QualitySuite, bank, slice_row

enron_quality = pytest.importorskip("nerb.enron_quality")

from both_qualities import by_nerb, by_us, write_suite  # noqa: E402  # it imports nerb

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pii_eval.reports.model import SliceReport

TEXT = "Ann Lee met Ann Lee in Moor"  # the bank finds both people, Lee twice, and Moor


def record(*gold: tuple[int, int, str], text: str = TEXT, role: str = "train", view: str = "body") -> Any:
    """Return a record of the slice `s` with gold as start, end and class, none of it cataloged."""
    spans = [
        {
            "document_id": "d",
            "entity_class": entity_class,
            "start": start,
            "end": end,
            "catalog_identity": None,
        }
        for start, end, entity_class in gold
    ]
    document = {"document_id": "d", "text": text, "text_view": view, "split_role": role}
    return {"document": document, "gold_spans": spans, "slice_ids": ["s"]}


def both(folder: Path, one: dict[str, Any], row: dict[str, Any]) -> tuple[dict[str, Any], SliceReport]:
    """Return nerb's row and our report of the slice `s`, of one record."""
    write_suite(folder, QualitySuite(bank(), [row], [one]))
    (theirs,) = by_nerb(folder, bank())["quality"]["slices"]
    return theirs, by_us(folder, bank()).slices["s"]


def test_f1_without_gold_has_no_value(tmp_path: Path) -> None:
    """Two people are found, none is gold: F1 is 0 in nerb and has no value here; precision is 0 in both."""
    theirs, ours = both(tmp_path, slice_row("s", "person", "train"), record())
    assert (theirs["metrics"]["f1"], ours.metrics["f1"].reason) == (0.0, "no_gold")
    assert theirs["metrics"]["precision"] == ours.metrics["precision"].value == 0.0


def test_document_leak_rate_is_about_masked_text(tmp_path: Path) -> None:
    """`Lee`, labelled without its first letter, is missed and does not leak: nerb says 1, and we say 0."""
    theirs, ours = both(tmp_path, slice_row("s", "place", "train"), record((5, 7, "place")))
    assert theirs["metrics"]["document_leak_rate"] == 1.0
    assert ours.metrics["document_leak_rate"].value == 0.0
    assert ours.metrics["document_miss_rate"].value == 1.0


def test_any_type_masks(tmp_path: Path) -> None:
    """`Ann`, labelled a place and found as part of a person, leaks 3 characters in nerb and none here."""
    theirs, ours = both(tmp_path, slice_row("s", "place", "train"), record((0, 3, "place")))
    assert theirs["leaked_sensitive_characters"] == 3
    assert theirs["metrics"]["sensitive_character_recall"] == 0.0
    assert ours.metrics["character_recall"].value == 1.0
    assert ours.metrics["leaks"].numerator == 0
    assert ours.outputs["scope"]["covered_characters"] == 0


def test_weak_labels_keep_their_counts(tmp_path: Path) -> None:
    """Of weak labels nerb counts hits and misses; here all is counted, without the rates."""
    weak = slice_row("s", "person", "train", label_strength="structured_weak")
    theirs, ours = both(tmp_path, weak, record((0, 7, "person")))
    names = ("predicted_spans", "false_positive", "predicted_characters", "evaluated_characters")
    assert [theirs[name] for name in names] == [1, 0, 0, 0]
    person = ours.by_type["person"].counts
    assert (person["pred"], person["fp"]) == (2, 1)
    assert (ours.outputs["scope"]["masked_characters"], ours.counts["characters"]) == (14, 27)
    assert ours.metrics["precision"].reason == "structured_weak_labels"


def test_scopes_of_any_classes(tmp_path: Path) -> None:
    """A scope of person and place, which nerb refuses, is counted by class and together."""
    scope = slice_row("s", "person", "train")
    scope = {**scope, "entity_class": "everything"}
    scope["annotation_scope"] = {**scope["annotation_scope"], "entity_classes": ["person", "place"]}
    suite = QualitySuite(bank(), [record((0, 7, "person"), (23, 27, "place"))], [scope])
    write_suite(tmp_path, suite)
    with pytest.raises(enron_quality.EnronQualityError):
        by_nerb(tmp_path, suite.bank)
    ours = by_us(tmp_path, suite.bank).slices["s"]
    assert {name: (row.counts["tp"], row.counts["pred"]) for name, row in ours.by_type.items()} == {
        "person": (1, 2),
        "place": (1, 3),
    }
    assert (ours.metrics["precision"].numerator, ours.metrics["precision"].denominator) == (2, 5)


def test_small_promotion_slices(tmp_path: Path) -> None:
    """A promotion slice of one document, for which nerb gives no result at all, is reported."""
    gate = slice_row("s", "person_contact", "test", promotion_gate=True)
    suite = QualitySuite(bank(), [record((0, 7, "person"), role="test")], [gate])
    write_suite(tmp_path, suite)
    with pytest.raises(enron_quality.EnronQualityError):
        by_nerb(tmp_path, suite.bank)
    assert by_us(tmp_path, suite.bank).slices["s"].metrics["recall"].value == 1.0
