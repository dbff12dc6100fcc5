"""Holds the figures of docs/presidio-templates.md to a run of its commands, and to nerb on the same files."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pytest_pii_eval.cli import main

_ROOT = Path(__file__).parents[2]
_CORPUS = _ROOT / "../shared/corpora/presidio_templates_faker.jsonl"
_BANK = _ROOT / "conformance" / "bank.json"
# Gold, tp, fp, fn, shift, wrong type, miss, leaks, as in the table of the page.
_EXPECTED = {
    "company": (370, 0, 0, 370, 0, 2, 368, 370),
    "date_of_birth": (100, 0, 48, 100, 40, 0, 60, 60),
    "date_time": (150, 0, 0, 150, 0, 8, 142, 142),
    "driving_licence": (10, 0, 0, 10, 0, 0, 10, 10),
    "email": (60, 60, 0, 0, 0, 0, 0, 0),
    "iban": (30, 30, 0, 0, 0, 0, 0, 0),
    "ip_address": (20, 20, 0, 0, 0, 0, 0, 0),
    "national_id": (20, 20, 5, 0, 0, 0, 0, 0),
    "nationality": (90, 0, 0, 90, 0, 0, 90, 90),
    "payment_card": (190, 109, 9, 81, 9, 5, 67, 76),
    "person": (1230, 0, 16, 1230, 3, 0, 1227, 1230),
    "phone": (150, 44, 42, 106, 41, 0, 65, 87),
    "place": (570, 0, 0, 570, 0, 8, 562, 570),
    "postal_address": (910, 13, 59, 897, 59, 2, 836, 890),
    "title": (110, 0, 0, 110, 0, 0, 110, 110),
    "url": (40, 19, 0, 21, 0, 0, 21, 21),
}
_STATES = ("gold", "tp", "fp", "fn", "shift", "wrong_type", "miss")


def _suite(folder: Path, *options: str) -> Path:
    if not _CORPUS.is_file():
        pytest.skip("the shared corpora are not here")
    labels = ["--label-map=presidio", f"--labels={_ROOT / 'docs/examples/presidio-labels.json'}"]
    arguments = [str(_CORPUS.resolve()), "--option=template_id=template_id", *labels, *options]
    assert main(["import", "spans", *arguments, f"--out={folder / 'suite'}"]) == 0
    return folder / "suite"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The report of a run as the page has it."""
    folder = tmp_path_factory.mktemp("presidio")
    options = ["-q", "-pno:xdist", "-pno:cacheprovider", f"--pii-report={folder}/report.json"]
    command = [sys.executable, "-m", "pytest", *options, f"--pii-bank={_BANK}", str(_suite(folder))]
    subprocess.run(command, check=True, capture_output=True, cwd=_ROOT)
    found: dict[str, Any] = json.loads((folder / "report.json").read_text("utf-8"))
    return found


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What nerb says of the same corpus, one class a slice."""
    quality = pytest.importorskip("nerb.enron_quality")
    suite = _suite(tmp_path_factory.mktemp("nerb"), "--single-class")
    evaluated: dict[str, Any] = quality.evaluate_enron_quality_files(
        json.loads(_BANK.read_text("utf-8")),
        records_path=suite / "quality-records.jsonl",
        slice_specs_path=suite / "quality-slices.jsonl",
    )
    return evaluated


def test_counts_of_each_class_are_those_of_the_page(report: dict[str, Any]) -> None:
    """Each class has the gold, exact counts, states and leaks that the page prints."""
    rows = report["slices"]["all"]["by_type"]
    assert {
        name: (*(row["counts"][state] for state in _STATES), row["metrics"]["leaks"]["numerator"])
        for name, row in rows.items()
    } == _EXPECTED


def test_figures_of_all_classes_are_those_of_the_page(report: dict[str, Any]) -> None:
    """Recall 315/4050, precision 315/494, 3,656 leaks in 1,674 of 1,940 documents, 86 of 250 severe ones."""
    one = report["slices"]["all"]
    names = ("recall", "precision", "leak_rate", "document_leak_rate", "high_severity_leak_rate")
    assert {
        name: (one["metrics"][name]["numerator"], one["metrics"][name]["denominator"]) for name in names
    } == {
        "recall": (315, 4050),
        "precision": (315, 494),
        "leak_rate": (3656, 4050),
        "document_leak_rate": (1674, 1940),
        "high_severity_leak_rate": (86, 250),
    }
    assert round(one["metrics"]["f1"]["value"], 4) == 0.1386
    assert one["outputs"]["selected"]["covered_characters"] == 7463
    assert one["outputs"]["selected"]["masked_characters"] == 8134
    assert one["counts"]["gold_characters"] == 56432
    assert sum(row["counts"]["extra"] for row in one["by_type"].values()) == 0


def test_documents_without_spans_raise_no_alarm(report: dict[str, Any], result: dict[str, Any]) -> None:
    """In none of the 150 documents without a span the bank finds anything, by nerb's count and by ours."""
    alarms = report["slices"]["negative"]["metrics"]["false_alarm_rate"]
    assert (alarms["numerator"], alarms["denominator"]) == (0, 150)
    negative = [row for row in result["quality"]["slices"] if row["cohort"] == "zero_gold"]
    assert {row["negative_documents"] for row in negative} == {150}
    assert {row["negative_documents_with_predictions"] for row in negative} == {0}


def test_nerb_counts_the_same(result: dict[str, Any]) -> None:
    """Gold, tp, fp and fn of each class are nerb's of a slice of that class alone."""
    names = ("gold_spans", "true_positive", "false_positive", "false_negative")
    classes = [row for row in result["quality"]["slices"] if row["cohort"] == "all"]
    assert {row["entity_class"]: tuple(row[name] for name in names) for row in classes} == {
        name: counts[:4] for name, counts in _EXPECTED.items()
    }
    assert {row["documents"] for row in classes} == {2090}


def test_the_page_prints_these_figures() -> None:
    """The table of the page has one row a class with these figures in this order, and one of their sums."""
    page = (_ROOT / "docs" / "presidio-templates.md").read_text("utf-8")
    cells = [[cell.strip() for cell in line.strip("| ").split("|")] for line in page.splitlines()]
    table = {row[0].strip("`"): row[2:10] for row in cells if len(row) == 11 and row[0].startswith("`")}
    assert table == {name: [f"{count:,}" for count in counts] for name, counts in _EXPECTED.items()}
    sums = [f"{sum(column):,}" for column in zip(*_EXPECTED.values(), strict=True)]
    assert [row[2:10] for row in cells if row[0] == "all"] == [sums]
