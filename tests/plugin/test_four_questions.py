"""The four questions have different answers on one bank, as worked out by hand in conformance/README.md."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the report of a real run of the shipped suite, as it stands in its file."""
    path = tmp_path_factory.mktemp("run") / "report.json"
    # No case, no slice, and nothing of the report: the contract of three detectors is held beside this run.
    contract = "--ignore=conformance/test_detector_contract.py"
    options = ["-q", "-pno:xdist", "-pno:cacheprovider", contract, f"--pii-report={path}"]
    command = [sys.executable, "-m", "pytest", *options, "--pii-bank=conformance/bank.json", "conformance"]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    return json.loads(path.read_text("utf-8"))


def fraction(report: dict[str, Any], slice_id: str, metric: str) -> str:
    """Return a rate as the report prints its integers, after a look at its value."""
    found = report["slices"][slice_id]["metrics"][metric]
    assert found["value"] == found["numerator"] / found["denominator"]
    return f"{found['numerator']}/{found['denominator']}"


def test_question_one_catalog_conformance(report):
    """Every one of the 1474 declared occurrences is detected and mapped: conformance is 1.0."""
    conformance = report["conformance"]
    assert conformance["recall"] == 1.0
    assert (conformance["correctly_mapped"], conformance["approved_positive_cases"]) == (1474, 1474)
    assert (conformance["missed"], conformance["wrong_canonical"]) == (0, 0)
    assert conformance["unexpected_negative_matches"] == 0


@pytest.mark.parametrize(
    ("slice_id", "cataloged_recall", "coverage", "open_world_recall", "leaking"),
    [
        ("questions", "1/2", "2/3", "2/3", "1/3"),
        ("questions.strangers", "1/1", "1/4", "1/4", "3/4"),
        ("questions.mailboxes", "1/2", "2/2", "2/2", "0/2"),
    ],
)
def test_questions_two_to_four(report, slice_id, cataloged_recall, coverage, open_world_recall, leaking):
    """Cataloged recall, catalog coverage, open-world recall and the document leak rate are four figures."""
    metrics = ("cataloged_recall", "catalog_coverage", "recall", "document_leak_rate")
    figures = [fraction(report, slice_id, metric) for metric in metrics]
    assert figures == [cataloged_recall, coverage, open_world_recall, leaking]


def test_spans_behind_the_answers(report):
    """Of three people one is cut short and leaks; 20 of 24 characters are covered; nothing is extra."""
    one = report["slices"]["questions"]
    person = one["by_type"]["person"]["counts"]
    names = ("gold", "pred", "tp", "fp", "fn", "shift", "miss", "extra")
    assert {name: person[name] for name in names} == {
        "gold": 3,
        "pred": 3,
        "tp": 2,
        "fp": 1,
        "fn": 1,
        "shift": 1,
        "miss": 0,
        "extra": 0,
    }
    assert fraction(report, "questions", "character_recall") == "20/24"
    assert fraction(report, "questions", "precision") == "2/3"
    assert one["metrics"]["leaks"]["value"] == 1
    assert one["counts"]["documents"] == 5


def test_identity_is_wrong_where_nothing_leaks(report):
    """In `questions.mailboxes` both addresses are exact and one has the wrong canonical identity."""
    email = report["slices"]["questions.mailboxes"]["by_type"]["email"]["counts"]
    assert (email["tp"], email["cataloged_tp"], email["wrong_canonical"]) == (2, 1, 1)
