"""Sealed runs of a generated project: once a promotion, and never where anything stands in the way."""

from __future__ import annotations

import json
import subprocess

import pytest
from freeze_project import clean_environment


def test_a_promotion_ships_once(project, processes):
    """The first run ships, and the second of its id starts nothing: the ledger stays as it was."""
    first = project.run_sealed("rc-1", *processes)
    assert first.returncode == 0, first.output
    assert "ship         yes: rc-1" in first.output
    assert project.events() == [("rc-1", "started", None), ("rc-1", "finished", "ship")]
    second = project.run_sealed("rc-1", *processes)
    assert second.returncode == 4
    assert "a promotion runs once" in second.output
    assert len(project.ledger()) == 2
    assert first.leaks() == second.leaks() == []
    assert "ship" in project.command("freeze", "verify-ledger")


def test_serial_and_two_processes_give_one_sealed_report(project):
    """But for promotion and run, the reports of a serial and a parallel sealed run are equal."""
    reports = []
    for promotion, arguments in (("rc-1", ()), ("rc-2", ("-n2",))):
        assert project.run_sealed(promotion, *arguments).returncode == 0
        report = json.loads((project.path / "freezes" / "reports" / f"{promotion}.json").read_text())
        assert report["promotion"].pop("id") == promotion
        del report["run"], report["promotion"]["started"]
        reports.append(report)
        project.commit(f"Promotion {promotion}")
    assert reports[0] == reports[1]


def test_leaking_a_secret_does_not_ship(project, processes):
    """A detector that overlooks secrets is told so by part, and its promotion ends as no_ship."""
    (project.path / "overlooked.txt").write_text("secret\n")
    project.commit("Overlook secrets")
    finished = project.run_sealed("rc-1", *processes)
    assert finished.returncode == 1
    assert "ship         NO: rc-1; failing: leakage, floors" in finished.output
    assert project.events()[-1] == ("rc-1", "finished", "no_ship")
    assert project.report()["promotion"]["parts"]["leakage"]["reasons"][0] == (
        "slice everything: 4 of 4 documents with high-severity gold leak from protection output; 0 may"
    )
    assert finished.leaks() == []


def test_floors_edited_with_the_sealed_file_are_refused(project):
    """One change with another commitment and another floor starts no sealed run."""
    floors = project.path / "freezes" / "floors.yaml"
    floors.write_text(floors.read_text().replace("1.0000", "0.5000"))
    (project.sealed / "suite.yaml").write_text("role: sealed_freeze\n# read again\n")
    project.command("freeze", "commit", str(project.sealed), "--out", "freezes/sealed.json", "--replace")
    project.commit("Both at once")
    finished = project.run_sealed("rc-1")
    assert finished.returncode == 4
    assert "sealed-and-thresholds-not-in-one-change: " in finished.output
    assert "freezes/floors.yaml" in finished.output
    assert project.ledger() == []


def test_a_template_that_was_trained_on_is_refused(project):
    """A sealed template in a train list starts no sealed run, and fails its item in a plain one."""
    project.write_train_list("tpl-elsewhere", "tpl-7")
    project.commit("Train")
    finished = project.run_sealed("rc-1")
    assert finished.returncode == 4
    assert "sealed-templates-are-in-no-train-list: 1 of 6 templates" in finished.output
    assert project.ledger() == []
    plain = project.run("freezes.yaml")
    assert plain.returncode == 1
    assert "FAILED freezes.yaml::sealed-templates-are-in-no-train-list" in plain.output
    assert finished.leaks() == plain.leaks() == []


def test_an_empty_train_list_is_a_fact_and_no_pass(project):
    """A train list without rows is told as a skip, and starts no sealed run."""
    project.write_train_list()
    project.commit("Train nothing")
    finished = project.run_sealed("rc-1")
    assert finished.returncode == 4
    assert "train list freezes/train.jsonl is empty" in finished.output
    plain = project.run("freezes.yaml", "-rs")
    assert plain.returncode == 0
    assert "train list freezes/train.jsonl is empty" in plain.output


def test_only_in_domain_slices_do_not_ship(project, processes):
    """Where the card lists what the sealed freeze is made of, the promotion does not ship."""
    freezes = project.path / "freezes.yaml"
    freezes.write_text(freezes.read_text().replace("[webmail]", "[webmail, tickets]"))
    project.commit("Train on tickets")
    finished = project.run_sealed("rc-1", *processes)
    assert finished.returncode == 1
    assert "ship         NO: rc-1; failing: " in finished.output
    assert project.report()["promotion"]["parts"]["domain"]["verdict"] == "fail"
    assert "FAILED freezes.yaml::a-promotion-gate-is-out-of-domain" in finished.output
    assert project.report()["slices"]["everything"]["in_domain"] is True


def test_a_detector_without_a_card_does_not_ship(project):
    """Where nobody says what the detector trained on, nobody can tell, and the promotion does not ship."""
    freezes = project.path / "freezes.yaml"
    freezes.write_text(freezes.read_text().replace("finder:Finder", "another"))
    project.commit("Lose the card")
    assert project.run_sealed("rc-1").returncode == 1
    assert project.report()["slices"]["everything"]["in_domain"] is None
    assert project.report()["promotion"]["parts"]["domain"]["verdict"] == "fail"


def test_an_edited_ledger_is_detected(project):
    """A verdict that was changed by hand breaks the chain, and nothing starts on top of it."""
    (project.path / "overlooked.txt").write_text("secret\n")
    project.commit("Overlook secrets")
    assert project.run_sealed("rc-1").returncode == 1
    ledger = project.path / "freezes" / "ledger.jsonl"
    ledger.write_text(ledger.read_text().replace('"no_ship"', '"ship"'))
    project.command("freeze", "verify-ledger", status=1)
    (project.path / "overlooked.txt").unlink()
    project.commit("Find them again")
    finished = project.run_sealed("rc-2")
    assert finished.returncode == 4
    assert "ledger-holds" in finished.output


def test_open_floors_start_nothing(project):
    """A floor that nobody set keeps the sealed run from starting."""
    floors = project.path / "freezes" / "floors.yaml"
    floors.write_text(floors.read_text().replace("limit: 0.0000", "limit: open"))
    project.commit("Open a floor")
    finished = project.run_sealed("rc-1")
    assert finished.returncode == 4
    assert "1 of 3 floors are open" in finished.output


def test_gold_that_changed_after_the_attestation_starts_nothing(project):
    """The dev freeze is to be read again where its gold is another one."""
    records = project.path / "dev" / "quality-records.jsonl"
    records.write_text(records.read_text().replace("today", "to-day"))
    project.commit("Edit")
    finished = project.run_sealed("rc-1")
    assert finished.returncode == 4
    assert "dev-freeze-was-read" in finished.output
    assert finished.leaks() == []


def test_another_sealed_freeze_than_the_committed_one_is_not_scored(project):
    """Files that differ in content are found out before any item runs; the ledger says interrupted."""
    records = project.sealed / "quality-records.jsonl"
    records.write_text(records.read_text().replace("today", "now..", 1))
    finished = project.run_sealed("rc-1")
    assert finished.returncode == 4
    assert "is not the sealed freeze that was committed to: it has other files" in finished.output
    assert project.events() == [("rc-1", "started", None), ("rc-1", "interrupted", None)]
    assert finished.leaks() == []


def test_a_sealed_freeze_within_git_is_refused(project):
    """A copy of the sealed freeze in the repository starts nothing, ignored by git or not."""
    inside = project.path / "sealed"
    subprocess.run(["cp", "-r", str(project.sealed), str(inside)], check=True)  # noqa: S607  # as it is found
    project.sealed = inside
    finished = project.run_sealed("rc-1")
    assert finished.returncode == 4
    assert "--pii-sealed-suite" in finished.output
    assert project.ledger() == []


def test_nothing_else_runs_a_sealed_freeze(project, processes):
    """A plain run refuses the suite, whatever it is called, and so does predict."""
    finished = project.run(str(project.sealed), f"--rootdir={project.path}", *processes)
    assert finished.returncode in (1, 2)
    assert "is a sealed freeze: only pytest --pii-sealed runs it" in finished.output
    arguments = ("--detector", "finder:Finder", "--out", "predictions.jsonl")
    told = project.command("predict", str(project.sealed), *arguments, status=1)
    assert "is a sealed freeze" in told


def test_two_processes_race_and_one_starts(project):
    """Of two runs of one promotion at the same time exactly one starts, and ships."""
    command = [*project.started(), f"--pii-detector={project.detector}", *project.sealed_arguments("rc-1")]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    both = [
        subprocess.Popen(command, cwd=project.path, env=clean_environment(), text=True, **pipes)
        for _ in range(2)
    ]
    outputs = [one.communicate()[0] for one in both]
    assert sorted(one.returncode for one in both) == [0, 4], outputs
    assert project.events() == [("rc-1", "started", None), ("rc-1", "finished", "ship")]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--pii-limit=3",),
        ("--pii-types=email",),
        ("--pii-reveal=text",),
        ("--pii-audit-dir=audit",),
        ("--collect-only",),
        ("--pdb",),
        ("--pii-corpus=gretel",),
        ("--pii-max-dropped=5",),
        ("--continue-on-collection-errors",),
        ("-x",),
        ("-k", "everything"),
        ("--pii-gate-output=selected",),
    ],
    ids=lambda arguments: arguments[0].lstrip("-").partition("=")[0],
)
def test_what_makes_a_run_less_than_sealed_is_refused(project, arguments):
    """A sealed run is whole and shows no text: such an option ends it before the ledger is touched."""
    finished = project.run_sealed("rc-1", *arguments)
    assert finished.returncode == 4
    assert project.ledger() == []
