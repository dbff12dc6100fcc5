"""`pii-eval freeze commit`, how the actions of others are reached, and how a failure is told."""

from __future__ import annotations

import errno
import json
import subprocess
from typing import get_args

import pytest
from freeze_desk import FreezeDesk
from freeze_suites import CANARY, kinds, rows_of

from pytest_pii_eval.cli import main
from pytest_pii_eval.contracts.commitment_model import read_commitment
from pytest_pii_eval.contracts.freezes_model import SplitKey
from pytest_pii_eval.contracts.suite_model import Role
from pytest_pii_eval.freezes import command_actions, command_arguments, outputs
from pytest_pii_eval.freezes.committing import check_files


@pytest.fixture
def freeze_desk(tmp_path, monkeypatch, capsys):
    """A desk that is the working directory."""
    monkeypatch.chdir(tmp_path)
    return FreezeDesk(tmp_path, capsys)


@pytest.fixture
def desk(freeze_desk):
    """The working directory."""
    return freeze_desk.folder


@pytest.fixture
def run(freeze_desk):
    """Runs an action; returns its status and both streams."""
    return freeze_desk.run


def test_a_commitment_is_written_and_told_in_numbers(desk, run):
    """It counts, and holds of the files that were committed to."""
    told = "sealed.json: 3 documents, 3 gold spans, 2 templates (as hashes)\n"
    assert run("commit", "sealed", "--out=sealed.json") == (0, told, "")
    check_files(desk / "sealed", read_commitment(desk / "sealed.json"), kinds, contents=True)
    assert CANARY not in (desk / "sealed.json").read_text()


def test_document_ids_are_committed_to_where_they_split(run):
    """Real rows are known by their document ids."""
    told = "sealed.json: 3 documents, 3 gold spans, 3 document ids (as hashes)\n"
    assert run("commit", "sealed", "--out=sealed.json", "--split-key=document_id") == (0, told, "")


def test_a_suite_that_is_not_sealed_is_not_committed_to(desk, run):
    """A suite that plain runs read is no sealed freeze."""
    line = "suite.yaml: role: must be sealed_freeze, so that no other run reads the suite\n"
    assert run("commit", "dev", "--out=dev.json") == (1, "", line)
    assert not (desk / "dev.json").exists()


def test_a_taxonomy_that_lies_elsewhere_is_refused(desk, run):
    """What a commitment does not bind could be edited between two sealed runs."""
    types = {"version": "1", "types": {"email": "contact", "person": "name"}}
    (desk / "kinds.json").write_text(json.dumps(types))
    (desk / "sealed" / "suite.yaml").write_text("role: sealed_freeze\ntaxonomy: ../kinds.json\n")
    line = "suite.yaml: taxonomy: must lie beside, to belong to the suite\n"
    assert run("commit", "sealed", "--out=sealed.json") == (1, "", line)


def test_a_commitment_replaces_nothing_unless_told_to(desk, run):
    """An old commitment is what a ledger may speak of."""
    (desk / "sealed.json").write_text("old")
    line = "sealed.json: exists already; name a new file, or give --replace\n"
    assert run("commit", "sealed", "--out=sealed.json") == (1, "", line)
    assert (desk / "sealed.json").read_text() == "old"
    assert run("commit", "sealed", "--out=sealed.json", "--replace")[0] == 0
    assert read_commitment(desk / "sealed.json").documents == 3


@pytest.mark.parametrize(
    ("out", "line"),
    [
        ("sealed/quality-records-2.jsonl", "is the name of a file of a suite; name another file"),
        ("sealed/suite.yaml", "is the name of a file of a suite; name another file"),
        ("gone/sealed.json", "lies in a folder that does not exist; create it first"),
        ("link.json", "is a symlink; name the real file"),
        ("dev", "is no file; name one"),
    ],
)
def test_a_file_goes_where_it_harms_nothing(desk, run, out, line):
    """No output becomes part of a suite, or goes through a link."""
    (desk / "link.json").symlink_to(desk / "elsewhere.json")
    status, _, err = run("commit", "sealed", f"--out={out}", "--replace")
    assert (status, err) == (1, f"{out.rsplit('/', 1)[-1]}: {line}\n")
    assert not (desk / "elsewhere.json").exists()


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (KeyboardInterrupt(), 130, "interrupted; nothing was written"),
        (OSError(errno.ENOSPC, CANARY), 1, "cannot be read or written (ENOSPC); nothing was written"),
        (KeyError(CANARY), 1, "KeyError in test_freeze_command.py"),
    ],
)
def test_a_failure_is_told_in_one_line(run, monkeypatch, error, status, line):
    """Ctrl-C, a full disk, and a defect of ours: one line without paths and ids."""

    def fails(*_):
        raise error

    monkeypatch.setattr(outputs, "write_atomically", fails)
    code, out, err = run("commit", "sealed", "--out=sealed.json")
    assert (code, out, err.count("\n")) == (status, "", 1)
    assert err.startswith(f"pii-eval freeze commit: {line}")


def test_a_disk_that_refuses_leaves_the_old_file(desk, run, monkeypatch):
    """What stood there stands there still, and no half file beside it."""
    run("commit", "sealed", "--out=sealed.json")
    before = (desk / "sealed.json").read_bytes()

    def full(_):
        raise OSError(errno.ENOSPC, CANARY)

    monkeypatch.setattr("os.fsync", full)
    assert run("commit", "sealed", "--out=sealed.json", "--replace")[0] == 1
    assert (desk / "sealed.json").read_bytes() == before
    assert {path.name for path in desk.iterdir()} == {"dev", "sealed", "freezes.yaml", "sealed.json"}


@pytest.mark.parametrize(
    ("options", "floors", "how"),
    [
        ([], "floors.yaml", {"slack": "0", "replace": False}),
        (
            ["--floors=other.yaml", "--slack=0.01", "--replace"],
            "other.yaml",
            {"slack": "0.01", "replace": True},
        ),
    ],
)
def test_floors_are_set_in_the_file_that_is_named(desk, run, monkeypatch, options, floors, how):
    """Without --floors, it is the one of the freezes file; the lines come from whoever sets them."""
    asked = []

    def set_floors(*given, **how):
        asked.append((*given, how))
        return ["a line"]

    monkeypatch.setattr(command_actions, "set_floors", set_floors)
    assert run("set-floors", "report.json", *options) == (0, "a line\n", "")
    assert asked == [(desk / "report.json", desk / floors, {**how, "root": desk})]


def test_a_ledger_without_git_does_not_verify(run):
    """What cannot be told is not a pass."""
    status, _, err = run("verify-ledger")
    assert status == 1
    assert "git" in err


def test_a_ledger_of_a_repository_is_verified(desk, run):
    """No sealed run yet, and nothing is wrong with that."""
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.test"]
    (desk / "floors.yaml").write_text(
        "version: pii_eval.floors.v1\n"
        "floors:\n  - {kind: exact_recall, slice: '*', type: email, limit: open}\n"
    )
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "all"], check=True)
    status, _, err = run("verify-ledger")
    assert (status, err) == (0, "")


@pytest.mark.parametrize(
    "arguments", [[], ["seal"], ["set-floors", "r.json", "--slack=-1"], ["attest", "a b", "--by=c"]]
)
def test_wrong_usage_is_told_as_such(arguments):
    """Status 2, as everywhere."""
    with pytest.raises(SystemExit) as ended:
        main(["freeze", *arguments])
    assert ended.value.code == 2


def test_the_arguments_know_the_words_of_the_files():
    """Roles and split keys on the command line are those of the models, in their order."""
    assert get_args(SplitKey) == command_arguments.SPLIT_KEYS
    assert get_args(Role) == command_arguments.ROLES


def test_schemas_speak_of_the_files_that_are_written(desk, run, capsys):
    """The fields of a commitment as it is written are those of its schema."""
    run("commit", "sealed", "--out=sealed.json")
    main(["schema", "freeze-commitment"])
    schema = json.loads(capsys.readouterr().out)
    assert rows_of(desk / "sealed.json")[0].keys() == schema["properties"].keys()
