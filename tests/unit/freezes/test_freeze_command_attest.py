"""`pii-eval freeze attest`: who attests what, where it is written, and what is not attested."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from freeze_desk import FreezeDesk
from freeze_suites import document, origin_row, record_row, write_rows, write_suite

from pytest_pii_eval.contracts.commitment_model import read_attestation, read_commitment


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


def test_a_role_attests_what_it_has_read(desk, run):
    """Who is a role, when is today, and what is the gold as it is."""
    run("attest", "dev", "--by=builder")
    found = read_attestation(desk / "dev.attestation.json")
    assert (found.set, found.by, found.documents) == ("dev", "builder", 3)
    assert found.at == datetime.now(UTC).date().isoformat()
    (desk / "dev" / "suite.yaml").write_text("role: sealed_freeze\n")
    run("commit", "dev", "--out=as-sealed.json")
    assert read_commitment(desk / "as-sealed.json").gold == found.gold


def test_it_says_what_it_attests(run):
    """The line says who has read how many documents."""
    today = datetime.now(UTC).date().isoformat()
    told = f"dev: attests that builder has read 3 documents, on {today}\n"
    assert run("attest", "dev", "--by=builder") == (0, told, "")


def test_gold_that_changed_is_attested_anew(desk, run):
    """An attestation takes the place of the one before, and is of another gold."""
    run("attest", "dev", "--by=builder")
    before = read_attestation(desk / "dev.attestation.json").gold
    write_rows(desk / "dev" / "quality-records.jsonl", [record_row(document(0), "Ada once more")])
    write_rows(desk / "dev" / "quality-provenance.jsonl", [origin_row(document(0), "one")])
    assert run("attest", "dev", "--by=builder")[0] == 0
    assert read_attestation(desk / "dev.attestation.json").gold != before


def test_no_other_file_is_taken_for_an_attestation(desk, run):
    """A misspelt path in the freezes file does not cost a file."""
    (desk / "dev.attestation.json").write_text("mine")
    line = "dev.attestation.json: is there and is no attestation; remove it, or name another file\n"
    assert run("attest", "dev", "--by=builder") == (1, "", line)
    assert (desk / "dev.attestation.json").read_text() == "mine"


@pytest.mark.parametrize("key", ["open", "sealed", "gone"])
def test_only_the_dev_freeze_is_attested(run, key):
    """Nobody reads a sealed freeze, and a public set needs no reader."""
    line = "freezes.yaml: sets: only the dev freeze is attested; here, that is dev\n"
    assert run("attest", key, "--by=builder") == (1, "", line)


@pytest.mark.parametrize("role", ["tester", "gone"])
def test_who_attests_is_a_reader(desk, run, role):
    """A role that does not read the set has not read it."""
    rule = "does not hold the role that was given; it attests who reads the set"
    line = f"freezes.yaml: sets.dev.readers: {rule}\n"
    assert run("attest", "dev", f"--by={role}") == (1, "", line)
    assert not (desk / "dev.attestation.json").exists()


def test_a_sealed_suite_is_not_attested(desk, run):
    """A suite file that says sealed is not read for the dev freeze's sake."""
    (desk / "dev" / "suite.yaml").write_text("role: sealed_freeze\n")
    line = "suite.yaml: role: says that the suite has another role than dev_freeze\n"
    assert run("attest", "dev", "--by=builder") == (1, "", line)


def test_a_freezes_file_elsewhere_is_named(desk, run):
    """Its paths are those beside it."""
    (desk / "inner").mkdir()
    write_suite(desk / "inner" / "dev", [1])
    (desk / "freezes.yaml").rename(desk / "inner" / "freezes.yaml")
    assert run("attest", "dev", "--by=builder")[2] == "freezes.yaml: does not exist\n"
    assert run("attest", "dev", "--by=builder", "--freezes=inner/freezes.yaml")[0] == 0
    assert read_attestation(desk / "inner" / "dev.attestation.json").documents == 1
