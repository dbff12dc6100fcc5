"""The command `pii-eval compare`: what it prints, writes and returns, on files of any of the three kinds."""

from __future__ import annotations

import argparse
import json
import sys
from types import SimpleNamespace

import pytest

from pytest_pii_eval import BankDetector, evaluate, load_bank
from pytest_pii_eval.reports import compare_command
from pytest_pii_eval.reports.snapshots.form import render_snapshot, snapshot_of
from pytest_pii_eval.reports.write import render_json

BANK = {
    "schema_version": "nerb.bank.v1",
    "id": "small-bank",
    "name": "Small",
    "description": "",
    "version": "1",
    "status": "active",
    "created_at": "2026-01-01T00:00:00Z",
    "updated_at": "2026-01-01T00:00:00Z",
    "unicode_normalization": "none",
    "default_regex_flags": [],
    "entities": {},
    "metadata": {},
}
PATTERN = {
    "kind": "regex",
    "description": "",
    "status": "active",
    "priority": 100,
    "regex_flags": [],
    "metadata": {},
}
MAIL = "zq@canary.example"


def _bank(expression):
    pattern = {**PATTERN, "value": expression}
    name = {"canonical": "mail", "description": "", "status": "active", "metadata": {}}
    entity = {"description": "", "status": "active", "regex_flags": [], "metadata": {}}
    names = {"address": {**name, "patterns": {"plain": pattern}}}
    return {**BANK, "entities": {"email": {**entity, "names": names}}}


def _positive(ordinal, text):
    start = text.index(MAIL)
    record = {
        "entity_id": "email",
        "name_id": "address",
        "pattern_id": "plain",
        "pattern_kind": "regex",
        "canonical_name": "mail",
        "string": MAIL,
        "start": start,
        "end": start + len(MAIL),
    }
    schema = "nerb.enron_conformance_positive_case.v2"
    return {
        "schema_version": schema,
        "case_id": f"p{ordinal}",
        "text": text,
        "tags": ["boundary"],
        "expected": [record],
    }


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """The report of a bank that finds both addresses of a suite, and of one that finds the second alone."""
    found = {}
    for name, expression in (("all", r"[a-z]+@[a-z]+\.example"), ("one", r"(?<=for )[a-z]+@[a-z]+\.example")):
        folder = tmp_path_factory.mktemp("suite")
        rows = [_positive(0, f"Write to {MAIL}."), _positive(1, f"It is for {MAIL}.")]
        negative = {
            "schema_version": "nerb.enron_conformance_negative_case.v2",
            "case_id": "n0",
            "text": "Nothing.",
            "tags": ["negative"],
            "reason_code": "look_alike",
        }
        for kind, lines in (("positive", rows), ("negative", [negative])):
            text = "".join(json.dumps(row) + "\n" for row in lines)
            (folder / f"conformance-{kind}.jsonl").write_text(text, encoding="utf-8", newline="\n")
        bank = folder / "bank.json"
        bank.write_text(json.dumps(_bank(expression)), encoding="utf-8")
        found[name] = evaluate(folder, BankDetector(load_bank(bank)))
    return found


@pytest.fixture
def desk(reports, tmp_path, monkeypatch, capsys):
    """The files of both runs in a working directory, and `run`, which returns status and both outputs."""
    monkeypatch.chdir(tmp_path)
    for name, report in reports.items():
        (tmp_path / f"{name}.json").write_text(render_json(report), encoding="utf-8")
        (tmp_path / f"{name}.snapshot.json").write_text(
            render_snapshot(snapshot_of(report)), encoding="utf-8"
        )

    def run(*arguments):
        parser = argparse.ArgumentParser(prog="pii-eval compare")
        compare_command.add_arguments(parser)
        code = compare_command.run_command(parser.parse_args(arguments))
        return (code, *capsys.readouterr())

    return SimpleNamespace(run=run, path=tmp_path)


def audit(desk, name, outcomes):
    """Write the audit directory of the run `name`, whose positive cases came out like this."""
    folder = desk.path / f"{name}-audit"
    folder.mkdir()
    schema = "pii_eval.conformance_case_result.v1"
    rows = [
        {"schema_version": schema, "case_id": f"p{at}", "kind": "positive", "outcome": outcome}
        for at, outcome in enumerate(outcomes)
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "positive-results.jsonl").write_text(text, encoding="utf-8", newline="\n")
    (folder / "negative-results.jsonl").write_bytes(b"")
    (folder / "aggregate.json").write_bytes((desk.path / f"{name}.json").read_bytes())
    (folder / "COMMITTED").write_bytes(b"pii_eval.private_directory.v1\n")
    return folder.name


@pytest.mark.parametrize("old", ["all.json", "all.snapshot.json"])
@pytest.mark.parametrize("new", ["all.json", "all.snapshot.json"])
def test_the_same_run_passes(desk, old, new):
    """A report and a snapshot of one run compare in any order: nothing moved, status 0."""
    code, out, err = desk.run(old, new)
    assert (code, err) == (0, "")
    assert "verdict: pass, no regressions; 0 figures worse, 0 better, " in out


@pytest.mark.parametrize(
    ("old", "noted"), [("all.json", True), ("all.snapshot.json", False)], ids=["report", "snapshot"]
)
def test_other_sources_of_the_scorer_are_noted(desk, old, noted):
    """Two reports that other sources scored are compared with a note; a snapshot does not say its sources."""
    report = json.loads((desk.path / "all.json").read_text(encoding="utf-8"))
    report["scorer"]["source_sha256"] = "sha256:" + "9" * 64
    (desk.path / "other.json").write_text(json.dumps(report), encoding="utf-8")
    code, out, _ = desk.run(old, "other.json")
    assert code == 0
    assert ("note: the two runs were scored by different sources of pytest-pii-eval" in out) is noted


def test_a_regression_returns_one(desk):
    """A case that is no longer mapped is named with its counts, first of all."""
    code, out, _ = desk.run("all.json", "one.snapshot.json")
    assert code == 1
    lines = out.splitlines()
    assert lines[0].startswith("verdict: FAIL, ")
    assert "REGRESSION: conformance: recall 1.0 (2/2) -> 0.5000 (1/2)" in lines
    assert "REGRESSION: conformance, email: missed 0 -> 1" in lines
    assert "REGRESSION: gate conformance.recall: pass -> fail" in lines


def test_a_gain_returns_zero(desk):
    """The other way round it is better, and passes."""
    code, out, _ = desk.run("one.json", "all.json")
    assert code == 0
    assert "better: conformance: recall 0.5000 (1/2) -> 1.0 (2/2)" in out


def test_a_refusal_returns_two(desk):
    """An incomplete run is not compared, and the words say what to do."""
    broken = json.loads((desk.path / "all.json").read_text(encoding="utf-8"))
    (desk.path / "broken.json").write_text(json.dumps({**broken, "complete": False}), encoding="utf-8")
    code, out, err = desk.run("broken.json", "all.json")
    assert code == 2
    assert "not compared (incomplete): the old run is incomplete" in out
    assert err == "pii-eval compare: not compared; what refuses is told above\n"


def test_two_audit_directories_name_what_moved(desk):
    """The lost case is named by its id."""
    code, out, err = desk.run(
        audit(desk, "all", ["passed", "passed"]), audit(desk, "one", ["failed", "passed"])
    )
    assert (code, err) == (1, "")
    assert "moves: 1 lost, 0 gained\nlost: case p0: passed -> failed\n" in out


def test_a_case_that_another_makes_up_for_is_lost_all_the_same(desk):
    """One case lost and one gained: no figure moved, and the run is worse; every form says so."""
    (desk.path / "two.json").write_bytes((desk.path / "all.json").read_bytes())
    directories = audit(desk, "all", ["failed", "passed"]), audit(desk, "two", ["passed", "failed"])
    code, out, _ = desk.run(*directories, "--markdown=m.md")
    assert code == 1
    assert "verdict: FAIL, 1 regression; 0 figures worse" in out
    markdown = (desk.path / "m.md").read_text(encoding="utf-8")
    assert markdown.startswith("## pii-eval compare: FAIL (regressions: 1)\n")
    assert "- Against the baseline: cases lost 1, unchanged" in markdown


def test_a_directory_and_a_file_compare_without_moves(desk):
    """The figures are compared, and a line says what the moves need."""
    code, out, err = desk.run(audit(desk, "all", ["passed", "passed"]), "all.json")
    assert code == 0
    assert "moves" not in out
    assert err == "pii-eval compare: lost and gained spans need two audit directories\n"


def test_json_and_markdown_are_written(desk, monkeypatch):
    """Each form goes where it was asked for; the terminal form stays on standard output."""
    page = SimpleNamespace(render_comparison=lambda comparison: f"# {comparison.passed}\n")
    monkeypatch.setitem(sys.modules, "pytest_pii_eval.reports.markdown", SimpleNamespace(comparison=page))
    monkeypatch.setitem(sys.modules, "pytest_pii_eval.reports.markdown.comparison", page)
    code, out, _ = desk.run("all.json", "one.json", "--json=c.json", "--markdown=c.md")
    assert code == 1
    assert "REGRESSION" in out
    told = json.loads((desk.path / "c.json").read_text(encoding="utf-8"))
    assert (told["schema_version"], told["passed"]) == ("pii_eval.comparison.v1", False)
    assert (desk.path / "c.md").read_text(encoding="utf-8") == "# False\n"


def test_json_on_standard_output_is_all_there(desk):
    """`-` gives the JSON form alone, for a pipe."""
    code, out, _ = desk.run("all.json", "all.json", "--json=-")
    assert code == 0
    assert json.loads(out)["passed"] is True


def test_a_tolerance_is_taken(desk):
    """What may be lost is said by name, with the prefix of conformance."""
    allowed = ["--tolerance=conformance_recall=0.5", "--tolerance=conformance_missed=1"]
    code, out, _ = desk.run("all.json", "one.json", *allowed)
    assert code == 1  # the gate of the recall held, and does not now
    assert "worse: conformance: recall 1.0 (2/2) -> 0.5000 (1/2) (tolerance 0.5)" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["none.json", "all.json"], "none.json: does not exist"),
        (["all.json", "."], "is no complete audit directory"),
        (["all.json", "all.json", "--tolerance=speed=1"], "tolerance 1 names no metric"),
        (["all.json", "all.json", "--json=-", "--markdown=-"], "--json and --markdown name the same target"),
        (["all.json", "all.json", "--json=one.json/c.json"], "a file cannot be read or written (E"),
    ],
)
def test_what_cannot_be_done_returns_two(desk, arguments, words):
    """A missing file, a folder that is no audit, an unknown metric: one line, and status 2."""
    code, out, err = desk.run(*arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert str(desk.path) not in err


def test_a_tolerance_without_a_value_is_a_usage_error(desk):
    """The parser ends with 2 and says the form."""
    with pytest.raises(SystemExit) as end:
        desk.run("all.json", "all.json", "--tolerance=recall")
    assert end.value.code == 2


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("all.json", "an output cannot replace what it is made of"),
        ("notes.txt", "notes.txt: --json: was not written by pii-eval"),
        ("link.json", "link.json: --json: is a symlink"),
        (".git/config", "config: --json: lies in the folder of git"),
    ],
)
def test_what_is_not_ours_is_left_as_it_is(desk, target, words):
    """Neither what is compared, nor a file of somebody else's, nor what a link leads to is replaced."""
    (desk.path / "notes.txt").write_text("mine", encoding="utf-8")
    (desk.path / "link.json").symlink_to(desk.path / "one.json")
    before = {path.name: path.read_bytes() for path in desk.path.iterdir() if path.is_file()}
    code, _, err = desk.run("all.json", "one.json", f"--json={target}")
    assert code == 2
    assert words in err
    assert {path.name: path.read_bytes() for path in desk.path.iterdir() if path.is_file()} == before
