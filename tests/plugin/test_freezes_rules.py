"""Rules about the suites of a run, as items of the freezes file: in plain runs, alone and under xdist."""

from __future__ import annotations

import json

import pytest
from freeze_project import make_project


def rule(project, name: str) -> tuple[str, list[str]]:
    """Return verdict and reasons of a rule in the last report."""
    found = project.report()["freeze_rules"][name]
    return found["verdict"], found["reasons"]


def test_every_rule_holds_for_a_ready_project(project, processes):
    """A plain run on the dev freeze has all twelve rules, and each of them holds."""
    finished = project.run("dev", "freezes.yaml", *processes)
    assert finished.returncode == 0, finished.output
    assert [one["verdict"] for one in project.report()["freeze_rules"].values()] == ["pass"] * 12
    assert "freezes      12 rules: 12 hold" in finished.output


def test_a_suite_of_no_set_fails(project, processes):
    """A suite that the freezes file does not name has no role, and fails the run."""
    make_project.write_suite(project.path / "stray", range(12, 13))
    finished = project.run("stray", "freezes.yaml", *processes)
    assert finished.returncode == 1
    assert rule(project, "every-suite-has-a-role") == ("fail", ["stray is none of the sets"])


def test_a_template_on_both_sides_of_a_split_fails(project, processes):
    """A template in a train suite and in a test suite fails the run, whatever F1 says."""
    train = project.path / "train"
    make_project.write_suite(train, range(1))
    changes = {
        "quality-records.jsonl": in_train,
        "quality-slices.jsonl": in_train_slice,
        "quality-provenance.jsonl": of_train,
    }
    for name, change in changes.items():
        rows = [change(json.loads(line)) for line in (train / name).read_text().splitlines()]
        make_project.write_rows(train / name, rows)
    finished = project.run("dev", "train", "freezes.yaml", *processes)
    assert finished.returncode == 1, finished.output
    verdict = rule(project, "no-template-in-train-and-test")
    assert verdict == ("fail", ["1 templates are in split role train and in test"])
    assert project.report()["passed"] is False
    assert finished.leaks() == []


@pytest.mark.parametrize(("shared", "status"), [(True, 1), (False, 0)])
def test_a_split_suite_has_the_rule_without_a_freezes_file(project, processes, shared, status):
    """The sidecar of a suite with a train and a test split is an item: no template is on both sides."""
    (project.path / "freezes.yaml").unlink()
    suite = project.path / "split"
    make_project.write_suite(suite, range(2))
    records, slices, origins = (
        [json.loads(line) for line in (suite / f"quality-{kind}.jsonl").read_text().splitlines()]
        for kind in ("records", "slices", "provenance")
    )
    half = records[:2] if shared else records[:4]
    for row, source in zip(half, origins, strict=False):
        in_train(row)
        source["document_id"] = row["document"]["document_id"]
    for kind, rows in (("records", records), ("provenance", origins)):
        make_project.write_rows(suite / f"quality-{kind}.jsonl", rows)
    make_project.write_rows(suite / "quality-slices.jsonl", slices + [in_train_slice(row) for row in slices])
    finished = project.run("split", "-v", *processes)
    assert finished.returncode == status, finished.output
    outcome = "FAILED" if shared else "PASSED"
    assert "no-template-in-train-and-test" in finished.output
    assert outcome in finished.output
    assert project.report()["passed"] is not shared
    assert finished.leaks() == []


def in_train(row):
    """Return a record of the split role train."""
    row["document"]["split_role"] = "train"
    row["document"]["document_id"] = "t." + row["document"]["document_id"]
    for span in row["gold_spans"]:
        span["document_id"] = row["document"]["document_id"]
    row["slice_ids"] = [f"train.{name}" for name in row["slice_ids"]]
    return row


def of_train(row):
    """Return the provenance of such a record."""
    return {**row, "document_id": f"t.{row['document_id']}"}


def in_train_slice(row):
    """Return a slice of the split role train."""
    return {**row, "id": f"train.{row['id']}", "split_role": "train", "promotion_gate": False}


@pytest.mark.parametrize("arguments", [("freezes.yaml",), ("dev", "freezes.yaml")], ids=["alone", "with-dev"])
def test_rules_need_no_subject(project, processes, arguments):
    """Without a detector the rules run all the same; suites say that they need one."""
    finished = project.run(*arguments, *processes, detector="")
    assert "INTERNALERROR" not in finished.output
    assert "InternalError" not in finished.output
    assert ("conformance cases need a bank" in finished.output) == ("dev" in arguments)
    assert finished.returncode == (0 if arguments == ("freezes.yaml",) else finished.returncode)


def test_one_rule_runs_by_its_id(project):
    """A rule is an item like any other: an id selects it, and the rest is left out."""
    finished = project.run("freezes.yaml::ledger-holds")
    assert finished.returncode == 0
    assert "1 passed" in finished.output
    assert list(project.report()["freeze_rules"]) == ["ledger-holds"]


def test_rules_cost_nothing_without_a_freezes_file(project):
    """A run on slices without a freezes file imports no module of rules, ledger or git."""
    (project.path / "freezes.yaml").unlink()
    (project.path / "told.py").write_text(
        """
import sys

def pytest_unconfigure():
    rooms = ("pytest_pii_eval.freezes.", "pytest_pii_eval.collection.freezes", "pytest_pii_eval.sealing")
    print(sorted(name for name in sys.modules if name.startswith(rooms)))
"""
    )
    finished = project.run("dev", "-p", "told", "-s")
    assert finished.returncode == 0
    assert "['pytest_pii_eval.freezes.evidence_notes']" in finished.output
