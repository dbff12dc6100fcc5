"""Rules that look at one suite read it once, and anew where it changed."""

from __future__ import annotations

import pytest
from freeze_projects import FREEZES, Project
from freeze_suites import write_suite

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes import kept_commitment
from pytest_pii_eval.freezes.finding import PASS
from pytest_pii_eval.freezes.rules import RULES

NO_GIT = Fault("lies in no git repository")
BOTH = ("dev-freeze-was-read", "sealed-shares-no-template")


@pytest.fixture
def project(tmp_path):
    """A project whose dev freeze was read, and shares nothing with the sealed one."""
    return Project(tmp_path)


@pytest.fixture
def readings(monkeypatch):
    """The names of the suites that were read, in order."""
    found = []
    read = kept_commitment.commitment_of

    def told(folder, *arguments, **options):
        found.append(folder.name)
        return read(folder, *arguments, **options)

    monkeypatch.setattr(kept_commitment, "commitment_of", told)
    return found


def test_two_rules_read_the_dev_freeze_once(project, readings):
    """Its gold and its templates are told by one reading, whatever set the file names before it."""
    write_suite(project.top / "open", ["x"])
    project.freezes(sets={"open": {"role": "public", "suite": "open"}, **FREEZES["sets"]})
    standing = project.standing(NO_GIT)
    assert [RULES[name](standing) for name in BOTH] == [PASS, PASS]
    assert readings == ["dev", "open"]


def test_a_suite_that_changed_is_read_anew(project, readings):
    """Though its size stays what it was."""
    standing = project.standing(NO_GIT)
    assert RULES["dev-freeze-was-read"](standing) == PASS
    path = project.top / "dev/quality-records.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("Ada wrote.", "Ida wrote."), encoding="utf-8")
    assert RULES["dev-freeze-was-read"](standing).verdict == "fail"
    assert readings == ["dev", "dev"]


def test_a_dev_freeze_without_templates_is_attested_all_the_same(project, readings):
    """That a human read it needs no provenance."""
    (project.top / "dev/quality-provenance.jsonl").unlink()
    assert RULES["dev-freeze-was-read"](project.standing(NO_GIT)) == PASS
    assert readings == ["dev"]


def test_what_cannot_be_read_is_said_each_time(project, readings):
    """A fault is not kept."""
    project.write("dev/quality-records.jsonl", "{\n")
    standing = project.standing(NO_GIT)
    assert [RULES[name](standing).verdict for name in BOTH] == ["fail", "fail"]
    assert readings == ["dev", "dev"]


def test_another_suite_is_another_reading(project, readings):
    """However alike they are."""
    write_suite(project.top / "open", ["x"])
    standing = project.standing(NO_GIT)
    for name in ("dev", "open", "dev"):
        kept_commitment.kept_commitment(
            project.top / name, standing.kinds, split_key="document_id", root=project.top
        )
    assert readings == ["dev", "open", "dev"]
