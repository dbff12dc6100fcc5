"""Holds the figures of docs/presidio-templates.md to nerb: script, label map and shipped bank together."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

_ROOT = Path(__file__).parents[2]
_CORPUS = _ROOT / "../shared/corpora/presidio_templates_faker.jsonl"
# Gold, tp, fp, fn, as in the table of the page.
_EXPECTED = {
    "company": (370, 0, 0, 370),
    "date_of_birth": (100, 0, 48, 100),
    "date_time": (150, 0, 0, 150),
    "driving_licence": (10, 0, 0, 10),
    "email": (60, 60, 0, 0),
    "iban": (30, 30, 0, 0),
    "ip_address": (20, 20, 0, 0),
    "national_id": (20, 20, 5, 0),
    "nrp": (90, 0, 0, 90),
    "payment_card": (190, 109, 9, 81),
    "person": (1230, 0, 16, 1230),
    "phone": (150, 44, 42, 106),
    "place": (570, 0, 0, 570),
    "postal_address": (910, 13, 59, 897),
    "title": (110, 0, 0, 110),
    "url": (40, 19, 0, 21),
}


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    quality = pytest.importorskip("nerb.enron_quality")
    if not _CORPUS.is_file():
        pytest.skip("the shared corpora are not here")
    examples, suite = _ROOT / "docs" / "examples", tmp_path_factory.mktemp("presidio") / "suite"
    arguments = [str(_CORPUS), str(suite), "--labels", str(examples / "presidio-labels.json")]
    command = [sys.executable, str(examples / "records_from_spans.py"), *arguments, "--single-class"]
    subprocess.run(command, check=True)
    evaluated: dict[str, Any] = quality.evaluate_enron_quality_files(
        json.loads((_ROOT / "conformance" / "bank.json").read_text("utf-8")),
        records_path=suite / "quality-records.jsonl",
        slice_specs_path=suite / "quality-slices.jsonl",
    )
    return evaluated


def test_counts_of_each_class_are_those_of_the_page(result: dict[str, Any]) -> None:
    """Every label is in one class, every class has the gold and the exact counts that the page prints."""
    names = ("gold_spans", "true_positive", "false_positive", "false_negative")
    classes = [row for row in result["quality"]["slices"] if row["cohort"] == "all"]
    assert {row["entity_class"]: tuple(row[name] for name in names) for row in classes} == _EXPECTED
    assert {row["documents"] for row in classes} == {2090}


def test_documents_without_spans_raise_no_alarm(result: dict[str, Any]) -> None:
    """In none of the 150 documents without a span the bank finds anything of the classes."""
    negative = [row for row in result["quality"]["slices"] if row["cohort"] == "zero_gold"]
    assert {row["negative_documents"] for row in negative} == {150}
    assert {row["negative_documents_with_predictions"] for row in negative} == {0}


def test_the_page_prints_these_figures() -> None:
    """The table of the page has one row a class with gold, tp, fp and fn in this order."""
    page = (_ROOT / "docs" / "presidio-templates.md").read_text("utf-8")
    cells = [[cell.strip() for cell in line.strip("| ").split("|")] for line in page.splitlines()]
    table = {row[0].strip("`"): row[2:6] for row in cells if len(row) == 8 and row[0].startswith("`")}
    assert table == {name: [f"{count:,}" for count in counts] for name, counts in _EXPECTED.items()}
