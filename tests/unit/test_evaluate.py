"""`evaluate` and `score` from Python: the shipped suite in figures, and what is refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pytest_pii_eval import BankDetector, Detection, Fault, Span, evaluate, load_bank, score
from pytest_pii_eval.contracts.spans import GoldSpan
from pytest_pii_eval.scoring.documents import Document, Scope

SHIPPED = Path(__file__).parents[2] / "conformance"
QUALITY = ("quality-*.jsonl", "unsupported-slices.jsonl")


@pytest.fixture(scope="module")
def detector():
    """The shipped bank as a detector."""
    return BankDetector(load_bank(SHIPPED / "bank.json"))


@pytest.fixture
def copied(tmp_path):
    """The quality files of the shipped suite, to change."""
    for pattern in QUALITY:
        for path in SHIPPED.glob(pattern):
            shutil.copy(path, tmp_path / path.name)
    return tmp_path


def fraction(report, slice_id, metric):
    """Return numerator and denominator of a metric of a slice."""
    found = report.slices[slice_id].metrics[metric]
    return found.numerator, found.denominator


def test_four_questions_have_four_answers(detector):
    """Conformance 1.0, and on slice `questions` 2/3, 1/2, 2/3 and 1/3: the table of the source document."""
    before = sorted(SHIPPED.iterdir())
    report = evaluate(SHIPPED, detector)
    assert report.conformance.recall == 1.0
    assert report.conformance.passed is report.passed is report.complete is True
    told = {
        metric: fraction(report, "questions", metric)
        for metric in ("catalog_coverage", "cataloged_recall", "recall", "document_leak_rate")
    }
    assert told == {
        "catalog_coverage": (2, 3),
        "cataloged_recall": (1, 2),
        "recall": (2, 3),
        "document_leak_rate": (1, 3),
    }
    assert report.run.processes == 1
    assert sorted(SHIPPED.iterdir()) == before


def test_slices_alone_say_nothing_about_conformance(copied, detector):
    """Without case files there is no conformance part, and no gate of it."""
    report = evaluate(copied, detector)
    assert report.conformance is None
    assert report.passed is True
    assert {gate.slice for gate in report.gates} == report.slices.keys()
    assert "conformance" not in {gate.id.partition(".")[0] for gate in report.gates}


def test_a_failed_gate_fails_the_report(copied, detector):
    """A gate of the suite file that does not hold makes the report fail, and only its slice."""
    (copied / "suite.yaml").write_text("gates:\n  - {slice: questions, metric: leaks, max: 0}\n")
    report = evaluate(copied, detector)
    assert report.passed is False
    assert [name for name, one in report.slices.items() if not one.passed] == ["questions"]
    (gate,) = [gate for gate in report.gates if gate.verdict == "fail"]
    assert (gate.id, gate.value, gate.limit, gate.support) == ("gates[0]", 1, 0, 3)


def test_types_narrow_every_slice(copied, detector):
    """Only the requested types are scored; a slice without any of them has no gold."""
    report = evaluate(copied, detector, types=["email"])
    assert set().union(*(one.types for one in report.slices.values())) == {"email"}
    assert report.slices["questions"].metrics["recall"].reason == "no_gold"


def test_a_broken_file_is_a_fault(copied, detector):
    """The first broken row is raised with file and line, without its content."""
    path = copied / "quality-records.jsonl"
    rows = path.read_text(encoding="utf-8").splitlines()
    first = json.loads(rows[0])
    first["document"]["zzz-secret"] = "zzz-secret"
    path.write_text("\n".join([json.dumps(first), *rows[1:], ""]), encoding="utf-8", newline="\n")
    with pytest.raises(Fault) as fault:
        evaluate(copied, detector)
    assert (fault.value.file, fault.value.line) == ("quality-records.jsonl", 1)
    assert "zzz-secret" not in str(fault.value)


def test_a_folder_without_a_suite_is_a_fault(tmp_path, detector):
    """A directory that holds no file of a suite is refused, not passed."""
    (tmp_path / "notes.txt").write_text("nothing")
    with pytest.raises(Fault, match="holds no file of a suite"):
        evaluate(tmp_path, detector)


def test_a_relative_folder_is_taken_from_the_working_directory(copied, detector, monkeypatch):
    """A path as text, relative to where the process stands, means the same."""
    monkeypatch.chdir(copied.parent)
    assert evaluate(copied.name, detector).slices == evaluate(copied, detector).slices


def test_score_adds_up_documents():
    """Two documents at once, or each alone and merged: one true positive, one miss, one false positive."""
    scope = Scope(frozenset({"person"}))
    hit = Document(10, (GoldSpan(0, 3, "person"),), Detection((Span(0, 3, "person"),)))
    miss = Document(10, (GoldSpan(0, 3, "person"),), Detection((Span(5, 7, "person"),)))
    evidence = score([hit, miss], scope)
    counts = evidence.types["person"]
    assert (counts.gold, counts.pred, counts.tp, counts.fp, counts.fn) == (2, 2, 1, 1, 1)
    assert evidence == score([miss], scope).merge(score([hit], scope))
    assert score([], scope).counts.documents == 0
