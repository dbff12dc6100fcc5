"""Slice by slice, our report and nerb's evaluator give the same counts and metrics, names apart.

docs/metrics.md, "Differences from nerb", lists what differs on purpose and names its test here.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import generated_slices
import pytest

pytest.importorskip("nerb.enron_quality")

from both_qualities import by_nerb, by_us, write_rows, write_suite

from pytest_pii_eval import BankDetector, evaluate, load_bank, read_report

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pii_eval.reports.model import Report, SliceReport

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "conformance"
SUITES = 36


def _types(field: str) -> Callable[[SliceReport], int]:
    return lambda one: sum(row.counts[field] for row in one.by_type.values())


def _count(field: str) -> Callable[[SliceReport], int]:
    return lambda one: one.counts[field]


def _scope(field: str) -> Callable[[SliceReport], int]:
    """Read the output `scope`: nerb looks at predictions of the slice's own classes alone."""
    return lambda one: one.outputs.get("scope", {}).get(field, 0)


# nerb's name of a count, and where the report has it.
LABEL_COUNTS: dict[str, Callable[[SliceReport], int]] = {
    "documents": _count("documents"),
    "documents_with_sensitive_gold": _count("documents_with_gold"),
    "documents_with_any_miss": _count("documents_with_any_miss"),
    "documents_with_cataloged_gold": _count("documents_with_cataloged_gold"),
    "documents_with_any_cataloged_miss": _count("documents_with_any_cataloged_miss"),
    "gold_spans": _types("gold"),
    "true_positive": _types("tp"),
    "false_negative": _types("fn"),
    "cataloged_gold_spans": _types("cataloged"),
    "cataloged_true_positive": _types("cataloged_tp"),
    "cataloged_false_negative": lambda one: (
        _types("cataloged")(one) - _types("cataloged_tp")(one) - _types("wrong_canonical")(one)
    ),
    "cataloged_wrong_canonical": _types("wrong_canonical"),
}
OPEN_COUNTS: dict[str, Callable[[SliceReport], int]] = {
    "predicted_spans": _types("pred"),
    "false_positive": _types("fp"),
    "documents_with_any_leaked_character": _scope("leaking_documents"),
    "sensitive_gold_characters": _count("gold_characters"),
    "covered_sensitive_characters": _scope("covered_characters"),
    "leaked_sensitive_characters": lambda one: (
        one.counts["gold_characters"] - _scope("covered_characters")(one)
    ),
    "predicted_characters": _scope("masked_characters"),
    "over_redacted_characters": lambda one: (
        _scope("masked_characters")(one) - _scope("covered_characters")(one)
    ),
    "evaluated_characters": _count("characters"),
    "negative_documents": _count("zero_gold_documents"),
    "negative_documents_with_predictions": _scope("zero_gold_masked_documents"),
}
# nerb's name of a metric, and ours.
LABEL_METRICS = {"catalog_coverage": "catalog_coverage", "cataloged_recall": "cataloged_recall"}
OPEN_METRICS = {
    "precision": "precision",
    "open_world_recall": "recall",
    "f1": "f1",
    "document_leak_rate": "document_miss_rate",
    "cataloged_document_leak_rate": "cataloged_document_miss_rate",
    "negative_document_false_alarm_rate": "false_alarm_rate",
    "over_redaction_rate": "over_redaction_rate",
}
# nerb derives these from the output `scope`; our metrics of characters are those of `selected`.
SCOPE_METRICS = {
    "sensitive_character_recall": ("covered_sensitive_characters", "sensitive_gold_characters"),
    "sensitive_character_leak_rate": ("leaked_sensitive_characters", "sensitive_gold_characters"),
}
# nerb's reason for an unsupported slice, and ours.
REASONS = {
    "empty_document_population": "empty_population",
    "zero_labeled_spans": "zero_labeled_spans",
    "zero_gold_promotion_support": "zero_gold_promotion_support",
}
LABEL_REASONS = {"structured_weak_labels", "partial_annotation", "regions_do_not_cover_view"}
_UNMAPPED_FIELDS = {
    "id",
    "label_artifact_id",
    "label_strength",
    "annotation_scope",
    "annotation_completeness",
    "entity_class",
    "cohort",
    "split_role",
    "text_view",
    "promotion_gate",
    "metrics",
}


def is_open_world(row: dict[str, Any]) -> bool:
    """Whether the labels support open-world metrics; where they do, their regions must cover the view."""
    strong = row["label_strength"] == "independent"
    return strong and row["annotation_completeness"] == "exhaustive_within_scope"


def check_slice(theirs: dict[str, Any], ours: SliceReport) -> None:
    """Hold one slice of the report to nerb's row of it."""
    open_world = is_open_world(theirs)
    counts = {**LABEL_COUNTS, **(OPEN_COUNTS if open_world else {})}
    assert {name: read(ours) for name, read in counts.items()} == {name: theirs[name] for name in counts}
    values = {name: ours.metrics[own].value for name, own in {**LABEL_METRICS, **OPEN_METRICS}.items()}
    expected = {name: theirs["metrics"][name] for name in values}
    if open_world and not theirs["gold_spans"]:
        assert (values.pop("f1"), ours.metrics["f1"].reason) == (None, "no_gold")
        assert expected.pop("f1") in (0.0, None)
    assert {name: _approximate(value) for name, value in values.items()} == expected
    if open_world:
        for name, (part, whole) in SCOPE_METRICS.items():
            characters = counts[whole](ours)
            rate = counts[part](ours) / characters if characters else None
            assert rate == theirs["metrics"][name]
    else:
        assert {ours.metrics[own].reason for own in OPEN_METRICS.values()} <= LABEL_REASONS
        assert {theirs["metrics"][name] for name in (*OPEN_METRICS, *SCOPE_METRICS)} == {None}


def _approximate(value: float | None) -> object:
    return None if value is None else pytest.approx(value, rel=1e-12)


def check_unsupported(result: dict[str, Any], report: Report) -> None:
    """Hold unsupported slices to nerb's: the same ids with the same reasons, and no rate over gold."""
    expected = {
        row["id"]: (row["dimension"], REASONS.get(row["reason_code"], row["reason_code"]))
        for row in result["unsupported_slices"]
    }
    found = {key: (one.dimension, one.reason_code) for key, one in report.unsupported_slices.items()}
    assert found == expected
    for key in expected.keys() & report.slices.keys():
        one = report.slices[key]
        assert (one.evaluated, one.reason) == (False, expected[key][1])
        assert {one.metrics[name].value for name in ("recall", "f1", "catalog_coverage", "leak_rate")} == {
            None
        }


def check_all(result: dict[str, Any], report: Report) -> None:
    """Hold every slice and every gap of the report to nerb's result."""
    theirs = {row["id"]: row for row in result["quality"]["slices"]}
    assert theirs.keys() == report.slices.keys() - report.unsupported_slices.keys()
    for key, row in theirs.items():
        check_slice(row, report.slices[key])
    check_unsupported(result, report)


def rows_of(pattern: str) -> list[dict[str, Any]]:
    """Return the rows of the shipped files of one kind, one file behind the other."""
    files = sorted(SHIPPED.glob(pattern))
    return [json.loads(line) for file in files for line in file.read_text("utf-8").split("\n")[:-1]]


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What nerb says of all shipped records; scopes of several classes are taken apart: `SCOPE.of.CLASS`."""
    folder = tmp_path_factory.mktemp("shipped")
    plan, parts = [], {}
    for row in rows_of("quality-slices*.jsonl"):
        members = row["annotation_scope"]["entity_classes"]
        parts[row["id"]] = (
            [row["id"]] if len(members) == 1 else [f"{row['id']}.of.{name}" for name in members]
        )
        for key, name in zip(parts[row["id"]], members, strict=True):
            scope = {**row["annotation_scope"], "entity_classes": [name]}
            part = {"id": key, "entity_class": name, "annotation_scope": scope, "promotion_gate": False}
            plan.append({**row, **part})
    records = [
        {**row, "slice_ids": [part for key in row["slice_ids"] for part in parts[key]]}
        for row in rows_of("quality-records*.jsonl")
    ]
    write_rows(folder / "quality-records.jsonl", records)
    write_rows(folder / "quality-slices.jsonl", plan)
    bank = json.loads((SHIPPED / "bank.json").read_text("utf-8"))
    return by_nerb(folder, bank, unsupported=SHIPPED / "unsupported-slices.jsonl")


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Return the report of a real run of the shipped suite."""
    report = tmp_path_factory.mktemp("run") / "report.json"
    options = ["-q", "-pno:xdist", "-pno:cacheprovider", f"--pii-report={report}"]
    # The contract tests there are about detectors, take a minute, and say nothing about slices.
    options += ["--ignore=conformance/test_detector_contract.py", "--pii-bank=conformance/bank.json"]
    command = [sys.executable, "-m", "pytest", *options, "conformance"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return read_report(report)


def test_every_field_of_nerb_is_mapped(shipped: dict[str, Any]) -> None:
    """No count or metric of nerb's is left out of the tables of this module."""
    row = shipped["quality"]["slices"][0]
    assert row.keys() == {*LABEL_COUNTS, *OPEN_COUNTS, *_UNMAPPED_FIELDS}
    assert row["metrics"].keys() == {*LABEL_METRICS, *OPEN_METRICS, *SCOPE_METRICS}


def test_shipped_slices_of_one_class(shipped: dict[str, Any], ran: Report) -> None:
    """In a real run each of the 30 supported slices of one class has nerb's counts and metrics."""
    theirs = {row["id"]: row for row in shipped["quality"]["slices"] if ".of." not in row["id"]}
    single = {key for key, one in ran.slices.items() if len(one.types) == 1}
    assert theirs.keys() == single - ran.unsupported_slices.keys()
    assert len(theirs) == 30
    for key, row in theirs.items():
        check_slice(row, ran.slices[key])
    check_unsupported(shipped, ran)


def test_shipped_scopes_of_several_classes(shipped: dict[str, Any], ran: Report) -> None:
    """In a real run the counts of each class in a scope of several are nerb's of that class alone."""
    names = {
        "gold_spans": "gold",
        "predicted_spans": "pred",
        "true_positive": "tp",
        "false_positive": "fp",
        "false_negative": "fn",
        "cataloged_gold_spans": "cataloged",
        "cataloged_true_positive": "cataloged_tp",
        "cataloged_wrong_canonical": "wrong_canonical",
        "sensitive_gold_characters": "gold_characters",
    }
    metrics = {"precision": "precision", "open_world_recall": "recall", **LABEL_METRICS}
    parts = [row for row in shipped["quality"]["slices"] if ".of." in row["id"]]
    for row in parts:
        key, _, member = row["id"].partition(".of.")
        one = ran.slices[key].by_type[member]
        assert {own: one.counts[own] for own in names.values()} == {
            own: row[name] for name, own in names.items()
        }
        assert {own: one.metrics[own].value for own in metrics.values()} == {
            own: row["metrics"][name] for name, own in metrics.items()
        }
        assert ran.slices[key].counts["documents"] == row["documents"]
    assert Counter(row["id"].partition(".of.")[0] for row in parts) == {
        "negative": 7,
        "promotion": 4,
        "secrets": 2,
        "structured": 4,
        "zh": 4,
    }


def test_evaluate_gives_the_slices_of_the_run(ran: Report) -> None:
    """`evaluate` on the shipped directory reports the slices and gaps that the run reports."""
    report = evaluate(SHIPPED, BankDetector(load_bank(SHIPPED / "bank.json")), shard_size=7)
    assert report.slices == ran.slices
    assert report.unsupported_slices == ran.unsupported_slices


@pytest.mark.parametrize("seed", range(SUITES))
def test_generated_suite(tmp_path: Path, seed: int) -> None:
    """Every slice and every gap of a generated suite is nerb's."""
    suite = generated_slices.generate(seed)
    write_suite(tmp_path, suite)
    check_all(by_nerb(tmp_path, suite.bank), by_us(tmp_path, suite.bank, shard_size=1 + seed % 4))


def test_generated_suites_show_every_reason(tmp_path: Path) -> None:
    """Among the generated suites each reason of nerb's occurs."""
    found = set()
    for seed in (0, 2, 4, 6, 8, 3):
        suite = generated_slices.generate(seed)
        folder = tmp_path / str(seed)
        folder.mkdir()
        write_suite(folder, suite)
        found |= {row["reason_code"] for row in by_nerb(folder, suite.bank)["unsupported_slices"]}
    assert found == REASONS.keys()


def test_generated_suites_show_every_case() -> None:
    """The seeds together hold what they are there for: nothing above passes for want of it."""
    shown: Counter[str] = Counter()
    for seed in range(SUITES):
        for row in generated_slices.generate(seed).records:
            spans = sorted((span["start"], span["end"]) for span in row["gold_spans"])
            shown["zero gold"] += not spans
            shown["not ASCII"] += not row["document"]["text"].isascii()
            shown["cataloged"] += any(span["catalog_identity"] for span in row["gold_spans"])
            for place, (start, end) in enumerate(spans):
                for later, until in spans[place + 1 :]:
                    shown["equal"] += (start, end) == (later, until)
                    shown["touching"] += end == later
                    shown["nested"] += later < end and until <= end
                    shown["overlapping"] += start < later < end < until
    assert min(shown[kind] for kind in ("zero gold", "not ASCII", "cataloged", "equal")) > 10
    assert min(shown[kind] for kind in ("touching", "nested", "overlapping")) > 10
