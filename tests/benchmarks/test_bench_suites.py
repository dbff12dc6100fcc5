"""What the benchmarks generate is what this package takes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter

import pytest
from bench_modules import commands, documents, suites


def json_lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """A suite of 50 patterns and 160 cases, ten of them negative."""
    folder = tmp_path_factory.mktemp("generated")
    suites.write_suite(str(folder), patterns=50, cases=160, negatives=10)
    return folder


def report_of(folder, *options):
    """Run pytest on a folder; return its report."""
    words = commands.pytest(folder, "--pii-report=report.json", *options).words
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    return json.loads((folder / "report.json").read_text())


def test_a_generated_suite_has_what_was_asked_for(generated):
    """50 patterns stand in the bank, and 150 positive and 10 negative rows in two files."""
    bank = json.loads((generated / "bank.json").read_text())
    names = [name for entity in bank["entities"].values() for name in entity["names"].values()]
    assert sum(len(name["patterns"]) for name in names) == 50
    assert len(json_lines(generated / "conformance-positive.jsonl")) == 150
    assert len(json_lines(generated / "conformance-negative.jsonl")) == 10


def test_no_two_generated_cases_are_the_same(generated):
    """Each of the 160 texts is another, though each pattern has three cases."""
    rows = [
        row
        for side in ("positive", "negative")
        for row in json_lines(generated / f"conformance-{side}.jsonl")
    ]
    assert max(Counter(row["text"] for row in rows).values()) == 1


def test_a_generated_suite_is_valid(generated):
    """`pii-eval check` has nothing to say against bank and cases."""
    words = [sys.executable, "-m", "pytest_pii_eval", "check", "--bank", "bank.json", "."]
    assert subprocess.run(words, cwd=generated, check=False, capture_output=True).returncode == 0


def test_a_generated_suite_passes(generated):
    """All 150 positive cases are mapped, all 50 patterns have one, and no negative is hit."""
    report = report_of(generated, "--pii-bank=bank.json", ".")
    conformance = report["conformance"]
    assert report["passed"]
    assert conformance["active_patterns"] == conformance["patterns_with_positive_cases"] == 50
    assert conformance["correctly_mapped"] == 150
    assert (conformance["negative_cases"], conformance["unexpected_negative_matches"]) == (10, 0)


def test_a_large_bank_keeps_the_limit_of_nerb():
    """Of 200,000 patterns no entity has more than 50,000, the most that nerb takes."""
    of_each = Counter(one.entity_id for one in suites.witnesses(200_000))
    assert sum(of_each.values()) == 200_000
    assert max(of_each.values()) <= 50_000


def test_generated_documents_are_a_suite_that_passes(tmp_path):
    """The cheap detector answers for 20 documents in five slices, and finds addresses in some."""
    documents.write_documents(str(tmp_path), 20)
    commands.write_detectors(tmp_path)
    report = report_of(tmp_path, f"--pii-detector={commands.CHEAP}", ".")
    assert report["complete"]
    assert sorted(report["slices"]) == ["email", "iban", "negative", "person", "phone"]


def test_a_generated_text_does_not_come_twice(tmp_path):
    """Beyond a thousand documents templates repeat, and texts and ids do not."""
    rows = [json.loads(line)["document"] for line in documents.lines(2_100)]
    assert len({row["text"] for row in rows}) == len({row["document_id"] for row in rows}) == 2_100


def test_the_costly_detector_burns_what_it_says(tmp_path):
    """Its module waits for 5 ms of CPU time a document; that of the cheap one knows no clock."""
    commands.write_detectors(tmp_path)
    assert "time.process_time() + 0.005" in (tmp_path / "costly_detector.py").read_text()
    assert "time" not in (tmp_path / "cheap_detector.py").read_text()
