"""The rules about templates of the sealed freeze: in no train list, and not in the dev freeze."""

from __future__ import annotations

import hashlib
import json

import pytest
from freeze_projects import FREEZES, Project, hashed
from freeze_suites import CANARY, document, template

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.finding import PASS
from pytest_pii_eval.freezes.rules_of_lists import (
    dev_and_sealed_share_no_template,
    sealed_templates_are_in_no_train_list,
)

NO_GIT = Fault("lies in no git repository")
DEV = {name: one for name, one in FREEZES["sets"].items() if name == "dev"}
SEALED = {name: one for name, one in FREEZES["sets"].items() if name == "sealed"}
BOTH = (sealed_templates_are_in_no_train_list, dev_and_sealed_share_no_template)


@pytest.fixture
def project(tmp_path):
    """A project whose sealed freeze has two templates that nobody trained on."""
    return Project(tmp_path)


def trained(project, **lists):
    """Return what the rule finds where these train lists are given: each the hashes of its templates."""
    for name, hashes in lists.items():
        project.write(f"train/{name}.jsonl", "".join(f'{{"template_sha256":"{one}"}}\n' for one in hashes))
    project.freezes(train_lists=[f"train/{name}.jsonl" for name in lists])
    return sealed_templates_are_in_no_train_list(project.standing(NO_GIT))


def shared(project):
    """Return what the rule finds of dev and sealed freeze."""
    return dev_and_sealed_share_no_template(project.standing(NO_GIT))


def digest(name):
    """Return the hash of an id."""
    return "sha256:" + hashlib.sha256(name.encode()).hexdigest()


def test_nothing_trained_passes(project):
    """The file states it, and the report repeats it."""
    assert sealed_templates_are_in_no_train_list(project.standing(NO_GIT)) == PASS


def test_lists_without_sealed_templates_pass(project):
    """However often a hash stands there."""
    assert trained(project, one=[hashed("c"), hashed("c")], two=[hashed("d")]) == PASS


def test_a_sealed_template_that_was_trained_on_fails(project):
    """It says how many of how many, by list, and no hash."""
    found = trained(
        project, one=[hashed("a"), hashed("c")], two=[hashed("b"), hashed("a")], three=[hashed("d")]
    )
    rest = "a score on them decides nothing; replace them"
    assert found == (
        "fail",
        (
            f"1 of 2 templates of the sealed freeze are in train list train/one.jsonl: {rest}",
            f"2 of 2 templates of the sealed freeze are in train list train/two.jsonl: {rest}",
        ),
    )


def test_an_empty_list_shows_nothing(project):
    """No row is no proof that nothing was trained on."""
    reason = (
        "train list train/none.jsonl is empty, which shows nothing: give the list, or state train_lists: none"
    )
    assert trained(project, none=[], one=[hashed("c")]) == ("not_evaluated", (reason,))


def test_a_leak_is_said_although_another_list_is_empty(project):
    """What is known to be broken is not hidden behind what is unknown."""
    assert trained(project, none=[], one=[hashed("a")]).verdict == "fail"


def test_a_list_that_is_missing_fails(project):
    """It is named by its path in the project."""
    project.freezes(train_lists=["train/gone.jsonl"])
    found = sealed_templates_are_in_no_train_list(project.standing(NO_GIT))
    assert found == ("fail", ("train/gone.jsonl: does not exist",))


@pytest.mark.parametrize(
    "line",
    [
        CANARY,
        json.dumps({"template_sha256": CANARY}),
        json.dumps({CANARY: 1}),
        '{"template_sha256":"sha256:AA"}',
    ],
)
def test_a_broken_list_fails_without_its_text(project, line):
    """File and line are said; ids in place of hashes are not repeated."""
    project.write("train/one.jsonl", line + "\n")
    project.freezes(train_lists=["train/one.jsonl"])
    found = sealed_templates_are_in_no_train_list(project.standing(NO_GIT))
    assert found.verdict == "fail"
    assert found.reasons[0].startswith("train/one.jsonl:1: ")
    assert CANARY not in found.reasons[0]


@pytest.mark.parametrize("rule", BOTH)
def test_without_sealed_freeze_nothing_can_be_said(project, rule):
    """There is nothing to be kept apart."""
    project.freezes(sets=DEV)
    assert rule(project.standing(NO_GIT)) == ("not_evaluated", ("the file names no sealed freeze",))


@pytest.mark.parametrize("rule", BOTH)
def test_without_commitment_the_command_is_said(project, rule):
    """A sealed freeze that nobody committed to is not known."""
    (project.top / "freezes/sealed.commitment.json").unlink()
    reason = (
        "the sealed freeze has no commitment yet: pii-eval freeze commit, into freezes/sealed.commitment.json"
    )
    assert rule(project.standing(NO_GIT)) == ("not_evaluated", (reason,))


@pytest.mark.parametrize("rule", BOTH)
def test_a_commitment_without_templates_shows_nothing(project, rule):
    """An empty set shares nothing with anything."""
    project.seal()
    reason = "the commitment to the sealed freeze holds no template, which shows nothing"
    assert rule(project.standing(NO_GIT)) == ("not_evaluated", (reason,))


@pytest.mark.parametrize("rule", BOTH)
def test_a_broken_commitment_fails_without_its_text(project, rule):
    """Whatever stands there stays there."""
    project.write("freezes/sealed.commitment.json", json.dumps({"gold": CANARY}) + "\n")
    found = rule(project.standing(NO_GIT))
    assert found.verdict == "fail"
    assert found.reasons[0].startswith("sealed.commitment.json: ")
    assert CANARY not in found.reasons[0]


def test_apart_freezes_pass(project):
    """No template of the dev freeze is in the sealed one."""
    assert shared(project) == PASS


def test_a_template_in_both_freezes_fails(project):
    """Tuning on the dev freeze would be tuning on the sealed one; ids and hashes stay out of it."""
    project.seal("a", "b", digest(template(3)))
    rest = "a score on them decides nothing; replace them"
    assert shared(project) == (
        "fail",
        (f"1 of 3 templates of the sealed freeze are in the dev freeze: {rest}",),
    )


def test_a_document_in_both_freezes_fails(project):
    """Real rows are told apart by document: by the key that the commitment was made with."""
    project.seal("a", digest(document(0)), split_key="document_id")
    rest = "a score on them decides nothing; replace them"
    assert shared(project) == (
        "fail",
        (f"1 of 2 documents of the sealed freeze are in the dev freeze: {rest}",),
    )


def test_without_dev_freeze_nothing_is_shared_and_nothing_shown(project):
    """What is not named cannot be compared."""
    project.freezes(sets=SEALED)
    assert shared(project) == ("not_evaluated", ("the file names no dev freeze",))


def test_a_dev_freeze_without_templates_fails(project):
    """Where templates are the key, each row needs one."""
    (project.top / "dev/quality-provenance.jsonl").unlink()
    assert shared(project).verdict == "fail"
