"""Snapshots: what they hold and leave out, how they lie in a file, and what reading one refuses."""

from __future__ import annotations

import difflib
import json

import pytest
from compared_runs import LOST, WORDS, Suite, finder
from report_values import document

from pytest_pii_eval import Fault
from pytest_pii_eval.reports.comparing.compare import compare_reports
from pytest_pii_eval.reports.model import Report
from pytest_pii_eval.reports.snapshots.form import read_snapshot, render_snapshot, snapshot_of
from pytest_pii_eval.reports.write import render_json

SEVEN = (
    "{slice: wide, metric: leaks, max: 0}",
    "{slice: wide, metric: leaking_documents, max: 0}",
    "{slice: wide, metric: containment, min: 1}",
    "{slice: wide, metric: masking_precision, min: 0.5}",
    "{slice: wide, metric: recall, min: 1}",
    "{slice: wide, metric: recall, type: email, min: 1}",
    "{slice: wide, metric: recall, type: payment_card, min: 1}",
)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The report of a detector that finds every word."""
    return Suite().evaluated(tmp_path_factory.mktemp("form") / "suite")


def text_of(report):
    """Return the snapshot of a report as it lies in its file."""
    return render_snapshot(snapshot_of(report))


def hunks(old, new):
    """Return the hunks of the diff, with three lines of context, as git makes them."""
    lines = difflib.unified_diff(text_of(old).splitlines(), text_of(new).splitlines(), lineterm="", n=3)
    return [line for line in lines if line.startswith("@@")]


@pytest.mark.parametrize("slice_id", ["wide", "cards"])
@pytest.mark.parametrize("gates", [(), SEVEN], ids=["no gates", "seven gates"])
def test_a_lost_card_is_one_hunk(tmp_path, slice_id, gates):
    """One card number lost in one slice, of six types or of one, gates or none: one hunk of the diff."""
    suite = Suite()
    suite.slices = {"people": ["person"], slice_id: suite.slices[slice_id], "zz": ["email"]}
    suite.gates = [gate for gate in gates if slice_id == "wide"] or ["{slice: people, metric: leaks, max: 0}"]
    folder = tmp_path / "suite"
    old, new = suite.evaluated(folder), suite.evaluated(folder, finder(without=[LOST]))
    assert len(hunks(old, new)) == 1
    assert new.passed is (slice_id == "cards" or not gates)


def test_a_secret_lost_in_the_last_type_is_one_hunk(tmp_path):
    """The same for the type that is written last."""
    suite = Suite()
    suite.slices = {"wide": list(WORDS)}
    folder = tmp_path / "suite"
    new = suite.evaluated(folder, finder(without=[WORDS["secret"][1]]))
    assert len(hunks(suite.evaluated(folder), new)) == 1


def test_no_line_is_very_long(report):
    """A line of a slice or a type stays below what a reviewer can still follow."""
    assert max(map(len, text_of(report).splitlines())) < 500


def test_what_is_left_out_is_named(report):
    """Time, sources, versions and the verdict are not in the file but by name."""
    told = json.loads(text_of(report))
    named = {"run", "passed", "promotion", "scorer.source_sha256", "subject.fingerprint"}
    assert named <= set(told["left_out"])
    assert not {"run", "passed", "promotion", "scorer"} & set(told)
    kept = {"gold", "catalog_bindings", "slice_plan", "quality_policy", "taxonomy"}
    assert set(told["fingerprints"]) == kept


def test_another_build_and_another_time_give_the_same_bytes(report):
    """What differs between equal runs, or with every build, changes nothing."""
    changed = report.model_copy(
        update={
            "run": report.run.model_copy(update={"seconds": 99.0, "processes": 2}),
            "scorer": report.scorer.model_copy(update={"git_revision": "f" * 40, "git_dirty": True}),
            "subject": report.subject.model_copy(update={"version": "2", "libraries": {"regex": "1"}}),
            "fingerprints": {**report.fingerprints, "evaluator": "sha256:" + "3" * 64},
        }
    )
    assert text_of(changed) == text_of(report)


def test_order_of_keys_changes_nothing(report):
    """Slices in another order give the same file."""
    turned = dict(reversed(report.slices.items()))
    assert text_of(report.model_copy(update={"slices": turned})) == text_of(report)


def test_figures_are_short_strings(report):
    """By hand: two of two cards are found, none of two leaks, and no document is without gold."""
    cards = json.loads(text_of(report))["slices"]["cards"]
    assert cards["metrics"]["exact"]["recall"] == "2/2"
    assert cards["metrics"]["exact"]["f1"] == "4/4 of 2"
    assert cards["metrics"]["leaks"]["leaks"] == "0 of 2"
    assert cards["metrics"]["zero_gold"] == "null: no_zero_gold_documents"
    assert cards["metrics"]["protection_leaks"] == "as selected"
    assert cards["types"]["payment_card"]["counts"] == {"gold": 2, "gold_characters": 38, "pred": 2, "tp": 2}


@pytest.mark.parametrize("render", [render_json, text_of], ids=["report", "snapshot"])
def test_a_report_and_a_snapshot_are_read_alike(report, tmp_path, render):
    """Either file gives the snapshot."""
    file = tmp_path / "one.json"
    file.write_text(render(report), encoding="utf-8")
    assert read_snapshot(file) == snapshot_of(report)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"schema_version": "pii_eval.snapshot.v9"}, "schema_version: must be pii_eval.snapshot.v1 or"),
        ({"surprise": 1}, "has an unknown field"),
        ({"taxonomy": 5}, "taxonomy: must be a string"),
    ],
)
def test_a_broken_snapshot_is_a_fault(report, tmp_path, change, field):
    """Another version, an unknown field and a wrong type are refused with file and field."""
    file = tmp_path / "snap.json"
    file.write_text(json.dumps({**json.loads(text_of(report)), **change}), encoding="utf-8")
    with pytest.raises(Fault) as fault:
        read_snapshot(file)
    assert str(fault.value).startswith("snap.json: ")
    assert field in str(fault.value)


@pytest.mark.parametrize("figure", ["7/0", "1e3", "7", "-1/2", "null:", "1/2/3", " 1/2", "nan of 1", ""])
def test_a_figure_that_is_none_is_a_fault(report, tmp_path, figure):
    """A figure that cannot be read back is refused."""
    document = json.loads(text_of(report))
    document["slices"]["cards"]["metrics"]["exact"]["recall"] = figure
    file = tmp_path / "snap.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(Fault, match=r"snap\.json: slices"):
        read_snapshot(file)


def test_the_field_of_a_fault_is_inert(report, tmp_path):
    """The id of a slice on the way to a broken field shows no escape sequence."""
    document = json.loads(text_of(report))
    document["slices"]["\x1b[2Jcanary"] = 5
    file = tmp_path / "snap.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(Fault) as fault:
        read_snapshot(file)
    assert "\x1b" not in str(fault.value)


@pytest.mark.parametrize("leaks", ["1 of 0", "~0.5 of 2", "2/3", "3 of 2"])
def test_a_figure_that_restates_nonsense_is_none(report, tmp_path, leaks):
    """A rate that follows from a count is not made of a count that is none."""
    document = json.loads(text_of(report))
    document["slices"]["cards"]["metrics"]["leaks"]["leaks"] = leaks
    file = tmp_path / "snap.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    assert compare_reports(read_snapshot(file), report).passed is not None


def test_a_file_that_is_no_json_is_a_fault(tmp_path):
    """A Markdown file is told as what it is not."""
    file = tmp_path / "notes.md"
    file.write_text("# notes", encoding="utf-8")
    with pytest.raises(Fault, match=r"notes\.md: not valid JSON"):
        read_snapshot(file)


def test_hostile_names_stay_inert(tmp_path):
    """Escape sequences and marks of direction are written as escapes of JSON, and read back as they were."""
    name = 'a\x1b[2J\u202e"<script>\n\u2028`|'
    subject = {**document()["subject"], "name": name}
    report = Report.model_validate(document(subject=subject))
    text = text_of(report)
    assert not {"\x1b", "\u202e", "\u2028"} & set(text)
    file = tmp_path / "snap.json"
    file.write_text(text, encoding="utf-8")
    assert read_snapshot(file).subject.name == name
