"""Ways to ship what should not ship, or to see what should not be seen: each is refused, or told."""

from __future__ import annotations

import json
import shutil

import pytest
from freeze_project import CANARIES, make_project

from pytest_pii_eval.freezes.ledger_disk import locked_folder


def refused(project, *arguments: str, promotion: str = "rc-1") -> str:
    """Return what a sealed run says that starts nothing."""
    before = project.ledger()
    finished = project.run_sealed(promotion, *arguments)
    assert finished.returncode == 4, finished.output
    assert project.ledger() == before
    assert finished.leaks() == []
    return finished.output


def test_a_commitment_that_hides_a_template_is_found_out(project):
    """Template hashes are counted again from the sealed suite, once the ledger knows of the run."""
    path = project.path / "freezes" / "sealed.json"
    commitment = json.loads(path.read_text())
    commitment["templates"].pop()
    path.write_text(json.dumps(commitment, sort_keys=True, separators=(",", ":")) + "\n")
    project.commit("Hide one")
    finished = project.run_sealed("rc-1")
    assert finished.returncode == 4
    assert "it has other templates" in finished.output
    assert project.events() == [("rc-1", "started", None), ("rc-1", "interrupted", None)]


def test_a_commitment_by_document_id_hides_nothing(project):
    """A commitment by another split key than the freezes file says is refused."""
    arguments = ("--out", "freezes/sealed.json", "--replace", "--split-key", "document_id")
    project.command("freeze", "commit", str(project.sealed), *arguments)
    project.commit("By document")
    project.commit("And on")
    assert "sealed-templates-are-in-no-train-list" in refused(project)


def test_a_file_that_changes_while_the_run_goes_on_does_not_ship(project):
    """Whoever writes into the vault behind the start has not been scored on what was committed to."""
    sidecar = project.sealed / "quality-provenance.jsonl"
    finder = project.path / "finder.py"
    touch = f"        import os; os.utime({str(sidecar)!r})\n        spans = ["
    finder.write_text(finder.read_text().replace("        spans = [", touch))
    project.commit("Touch")
    assert project.run_sealed("rc-1").returncode == 1
    reasons = project.report()["promotion"]["parts"]["bound"]["reasons"]
    assert reasons == ["somebody wrote to it while the run went on: quality-provenance.jsonl"]


def test_a_sealed_text_that_people_read_is_found_out(project):
    """A copy of a sealed document in another set, under other ids, ends the run before it scores."""
    records = [
        json.loads(line) for line in (project.sealed / "quality-records.jsonl").read_text().splitlines()
    ]
    unit = project.path / "unit"
    make_project.write_suite(unit, range(12, 13))
    rows = [json.loads(line) for line in (unit / "quality-records.jsonl").read_text().splitlines()]
    rows[0]["document"]["text"] = records[0]["document"]["text"]
    rows[0]["gold_spans"] = []
    make_project.write_rows(unit / "quality-records.jsonl", rows)
    freezes = project.path / "freezes.yaml"
    freezes.write_text(freezes.read_text().replace("sets:\n", "sets:\n  unit: {role: unit, suite: unit}\n"))
    project.commit("Copy one")
    finished = project.run_sealed("rc-1")
    assert finished.returncode == 4
    assert "shares 1 texts with the set unit, which people read" in finished.output
    assert finished.leaks() == []


def test_a_copy_without_its_role_is_known_by_its_gold(project, processes):
    """A plain run refuses the sealed freeze under another name and without suite.yaml."""
    copy = project.path / "other"
    shutil.copytree(project.sealed, copy)
    (copy / "suite.yaml").unlink()
    finished = project.run("other", *processes)
    assert finished.returncode in (1, 2)
    assert "other: holds what the sealed freeze holds" in finished.output


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("freezes/ledger.jsonl", "is evidence that the freezes file names"),
        ("freezes/reports/rc-1.json", "is evidence that the freezes file names"),
        ("freezes/floors.yaml", "is no report of pii-eval, and is left as it is"),
    ],
)
def test_a_report_replaces_no_evidence(project, target, told):
    """A report may not go where the freezes file keeps what a promotion rests on."""
    finished = project.run("dev", f"--pii-report={target}")
    assert finished.returncode == 4
    assert told in finished.output


def test_an_id_that_another_branch_knows_is_spent(project):
    """A promotion that ran on another branch does not run again here."""
    assert project.run_sealed("rc-1").returncode == 0
    project.git("checkout", "-q", "-b", "elsewhere")
    project.commit("Promotion rc-1")
    project.git("checkout", "-q", "main")
    assert project.ledger() == []
    assert "the promotion started already: the ledger in commit" in refused(project)


def test_an_id_is_spent_though_its_commit_is_gone(project):
    """A clone remembers its sealed runs: a reset behind the commit of the ledger frees no id."""
    assert project.run_sealed("rc-1").returncode == 0
    project.commit("Promotion rc-1")
    project.git("reset", "-q", "--hard", "HEAD~1")
    assert project.ledger() == []
    assert "rc-1 ran in this clone before" in refused(project)


def test_floors_stay_though_the_run_is_on_another_branch(project):
    """What another branch showed about the sealed freeze lowers no floor here."""
    (project.path / "overlooked.txt").write_text("email\n")
    project.commit("Overlook addresses")
    project.git("checkout", "-q", "-b", "elsewhere")
    assert project.run_sealed("rc-1").returncode == 1
    project.commit("Promotion rc-1")
    project.git("checkout", "-q", "main")
    assert project.run("dev").returncode == 0
    project.command("freeze", "set-floors", ".pii_eval/report.json", "--replace")
    project.commit("Lower them")
    assert "the floors are not those that rc-1 ran this sealed freeze on" in refused(
        project, promotion="rc-2"
    )


def test_evidence_may_move_to_another_folder(project):
    """Moving commitment and floors together edits neither, and a promotion ships."""
    project.git("mv", "freezes", "evidence")
    freezes = project.path / "freezes.yaml"
    freezes.write_text(freezes.read_text().replace("freezes/", "evidence/"))
    project.commit("Move")
    finished = project.run_sealed("rc-1")
    assert finished.returncode == 0, finished.output


def test_a_commit_while_the_run_goes_on_does_not_ship(project):
    """The run is bound to a commit, and HEAD stays there until it ends."""
    finder = project.path / "finder.py"
    step = "        import subprocess; subprocess.run(['git', 'checkout', '-q', 'HEAD~1'])\n        spans = ["
    finder.write_text(finder.read_text().replace("        spans = [", step))
    project.commit("Step back")
    assert project.run_sealed("rc-1").returncode == 1
    reasons = project.report()["promotion"]["parts"]["bound"]["reasons"]
    assert any("HEAD" in reason for reason in reasons)


def test_work_trees_of_one_repository_run_one_after_the_other(project):
    """The lock is that of the repository, not of one of its work trees."""
    with locked_folder(project.path / ".git" / "ledger.jsonl"):
        assert "another sealed run is going on" in refused(project)


def test_a_slip_of_the_pen_spends_no_id(project):
    """A path that does not exist ends the run before the ledger is touched."""
    assert "1 of the paths on the command line do not exist" in refused(project, "nowhere")


def test_floors_stay_once_the_sealed_freeze_ran(project):
    """Whoever lowers floors behind a sealed run seals another freeze first."""
    (project.path / "overlooked.txt").write_text("email\n")
    project.commit("Overlook addresses")
    assert project.run_sealed("rc-1").returncode == 1
    project.commit("Promotion rc-1")
    floors = project.path / "freezes" / "floors.yaml"
    floors.write_text(floors.read_text().replace("1.0000", "0.0000"))
    project.commit("Lower them")
    assert "the floors are not those that rc-1 ran this sealed freeze on" in refused(
        project, promotion="rc-2"
    )


def test_floors_of_ones_own_start_nothing(project):
    """A number that was edited by hand is none that a report on the dev freeze gave."""
    floors = project.path / "freezes" / "floors.yaml"
    floors.write_text(floors.read_text().replace("1.0000", "0.1000"))
    project.commit("Edit")
    project.commit("And on")
    assert "the floors are not as pii-eval freeze set-floors wrote them" in refused(project)


def test_what_is_not_committed_starts_nothing(project):
    """A detector that was edited after the last commit is bound to nothing."""
    finder = project.path / "finder.py"
    finder.write_text(finder.read_text() + "# edited\n")
    assert "not everything is committed: finder.py" in refused(project)


def test_suites_beside_the_sealed_freeze_are_left_out(project, processes):
    """What else the command line names has no part in the verdict: slices are those of the sealed freeze."""
    finished = project.run_sealed("rc-1", "dev", *processes)
    assert finished.returncode == 0, finished.output
    assert {one["role"] for one in project.report()["slices"].values()} == {"sealed_freeze"}


def test_a_small_freeze_is_no_evaluation(project):
    """A sealed freeze below the stated minimum does not ship, and a plain run says so too."""
    freezes = project.path / "freezes.yaml"
    freezes.write_text(freezes.read_text().replace("minimum_documents: 20", "minimum_documents: 25"))
    project.commit("Ask for more")
    assert project.run_sealed("rc-1").returncode == 1
    assert project.report()["evidence_notes"] == ["fewer_than_25_documents"]
    assert project.report()["promotion"]["parts"]["evidence"]["verdict"] == "fail"


def test_a_narrow_range_hides_no_change(project):
    """On a branch that changed both, a range that leaves one commit out does not help."""
    project.git("checkout", "-q", "-b", "work")
    (project.sealed / "suite.yaml").write_text("role: sealed_freeze\n# read again\n")
    project.command("freeze", "commit", str(project.sealed), "--out", "freezes/sealed.json", "--replace")
    project.commit("Seal again")
    floors = project.path / "freezes" / "floors.yaml"
    floors.write_text(floors.read_text().replace("1.0000", "0.5000"))
    project.commit("Lower a floor")
    assert "sealed-and-thresholds-not-in-one-change" in refused(project, "--pii-git-range=HEAD~1")


def test_a_merge_makes_no_mixed_change_good(project):
    """What one branch mixed stays mixed once it is merged, and once something else came behind."""
    project.git("checkout", "-q", "-b", "work")
    (project.sealed / "suite.yaml").write_text("role: sealed_freeze\n# read again\n")
    project.command("freeze", "commit", str(project.sealed), "--out", "freezes/sealed.json", "--replace")
    project.commit("Seal again")
    project.write_floors(make_project.FLOORS)
    project.commit("Open the floors")
    project.git("checkout", "-q", "main")
    project.git("merge", "-q", "--no-ff", "--no-edit", "work")
    project.commit("Something else")
    assert "freezes/sealed.json are edited in one change (commit " in refused(project)
    project.git("mv", "freezes/sealed.json", "freezes/other.json")
    freezes = project.path / "freezes.yaml"
    freezes.write_text(freezes.read_text().replace("sealed.json", "other.json"))
    project.commit("Rename it")
    assert "freezes/sealed.json are edited in one change (commit " in refused(project)


def test_a_freezes_file_that_is_named_is_there(project):
    """A slip in the name of the freezes file does not switch its rules off."""
    finished = project.run("dev", "--pii-freezes=frezes.yaml")
    assert finished.returncode == 4
    assert "--pii-freezes: names no file" in finished.output


@pytest.mark.parametrize("stage", ["Origins.learn", "Gold.add"])
def test_an_interrupt_shows_no_frame_of_the_freeze(project, processes, stage):
    """Under --full-trace -l an interrupt in the middle of a document shows none of it."""
    holder, name = stage.split(".")
    module = {"Origins": "origins", "Gold": "membership"}[holder]
    (project.path / "stopping.py").write_text(
        f"""
from pytest_pii_eval.collection.quality.{module} import {holder}

def stop(self, one):
    raise KeyboardInterrupt

{holder}.{name} = stop
"""
    )
    project.commit("Stop")
    finished = project.run_sealed("rc-1", "-p", "stopping", "--full-trace", "-l", "-vvv", *processes)
    assert finished.returncode != 0
    # The traces show this project's own folder; a document would show more than that.
    assert not [canary for canary in CANARIES if canary in finished.output]
    assert project.events() == [("rc-1", "started", None), ("rc-1", "interrupted", None)]
