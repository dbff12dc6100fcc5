"""The rules about templates of the sealed freeze: in no train list, and in no set that people see."""

from __future__ import annotations

import hashlib
import json

import pytest
from freeze_projects import FREEZES, Project, hashed
from freeze_suites import CANARY, document, template, write_suite

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.finding import PASS
from pytest_pii_eval.freezes.rules_of_lists import (
    sealed_shares_no_template,
    sealed_templates_are_in_no_train_list,
)

NO_GIT = Fault("lies in no git repository")
DEV = {name: one for name, one in FREEZES["sets"].items() if name == "dev"}
SEALED = {name: one for name, one in FREEZES["sets"].items() if name == "sealed"}
BOTH = (sealed_templates_are_in_no_train_list, sealed_shares_no_template)


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
    """Return what the rule finds of the sealed freeze and all other sets."""
    return sealed_shares_no_template(project.standing(NO_GIT))


def with_set(project, role, folder):
    """Name a suite in the freezes file, under the name of its folder."""
    added = {folder.name: {"role": role, "suite": folder.name}}
    project.freezes(sets={**FREEZES["sets"], **added})


def by_document(project):
    """Say in the freezes file that the sealed freeze is split by document, whatever sets it has."""
    freezes = json.loads((project.top / "freezes.yaml").read_text(encoding="utf-8"))
    freezes["sets"]["sealed"]["split_key"] = "document_id"
    project.freezes(sets=freezes["sets"])


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


def in_set(shown, key):
    """Return the finding that so many are in the set of this key."""
    rest = "a score on them decides nothing; replace them"
    return ("fail", (f"{shown} of the sealed freeze are in set {key}: {rest}",))


def test_a_template_in_both_freezes_fails(project):
    """Tuning on the dev freeze would be tuning on the sealed one; ids and hashes stay out of it."""
    project.seal("a", "b", digest(template(3)))
    assert shared(project) == in_set("1 of 3 templates", "dev")


def test_a_document_in_both_freezes_fails(project):
    """Real rows are told apart by document: by the key that the commitment was made with."""
    by_document(project)
    project.seal("a", digest(document(0)), split_key="document_id")
    assert shared(project) == in_set("1 of 2 documents", "dev")


@pytest.mark.parametrize("rule", BOTH)
def test_a_commitment_by_another_key_fails(project, rule):
    """Hashes of documents are in no list of templates, whatever was trained on."""
    project.freezes(train_lists=["train/gone.jsonl"])
    project.seal("a", split_key="document_id")
    reason = (
        "the commitment to the sealed freeze is by document_id, and set sealed says template_id:"
        " commit again (pii-eval freeze commit --split-key template_id)"
    )
    assert rule(project.standing(NO_GIT)) == ("fail", (reason,))


@pytest.mark.parametrize("role", ["unit", "public"])
def test_a_template_in_a_set_for_all_fails(project, role):
    """Everybody can train on what everybody reads."""
    with_set(project, role, write_suite(project.top / "open", ["x", "y"]))
    project.seal("a", digest(template("y")), digest(template("x")))
    assert shared(project) == in_set("2 of 3 templates", "open")


def test_a_document_in_a_set_for_all_fails(project):
    """By the key of the commitment, there too, and without a provenance sidecar."""
    with_set(project, "public", write_suite(project.top / "open", ["x"] * 9))
    (project.top / "open/quality-provenance.jsonl").unlink()
    by_document(project)
    project.seal("a", digest(document(8)), split_key="document_id")
    assert shared(project) == in_set("1 of 2 documents", "open")


@pytest.mark.parametrize("role", ["unit", "public"])
def test_a_set_for_all_without_template_ids_has_none_to_share(project, role):
    """Its texts are compared in the sealed run."""
    with_set(project, role, write_suite(project.top / "open", ["x"]))
    (project.top / "open/quality-provenance.jsonl").unlink()
    assert shared(project) == PASS


@pytest.mark.parametrize("split_key", ["template_id", "document_id"])
def test_a_suite_of_cases_has_neither_templates_nor_documents(project, split_key):
    """A unit set may hold no rows at all."""
    project.write("open/notes.txt", "cases")
    with_set(project, "unit", project.top / "open")
    if split_key == "document_id":
        by_document(project)
    project.seal("a", split_key=split_key)
    assert shared(project) == PASS


@pytest.mark.parametrize("role", ["unit", "public"])
def test_a_set_whose_suite_is_not_there_fails(project, role):
    """A wrong path would be a way around."""
    with_set(project, role, project.top / "open")
    reason = "set open: open: is no directory that can be read (ENOENT)"
    assert shared(project) == ("fail", (reason,))


def test_a_set_that_breaks_its_contract_fails_without_its_text(project):
    """What cannot be read may hold anything."""
    with_set(project, "public", write_suite(project.top / "open", ["x"]))
    project.write("open/quality-provenance.jsonl", json.dumps({"template_id": CANARY}) + "\n")
    found = shared(project)
    assert found.verdict == "fail"
    assert found.reasons[0].startswith("set open: quality-provenance.jsonl:1: ")
    assert CANARY not in found.reasons[0]


def test_every_set_that_shares_is_named(project):
    """One leak does not hide another, nor does what is unknown."""
    with_set(project, "public", write_suite(project.top / "open", ["x"]))
    project.seal(digest(template("x")), digest(template(0)))
    assert [reason.split(":")[0] for reason in shared(project).reasons] == [
        "1 of 2 templates of the sealed freeze are in set dev",
        "1 of 2 templates of the sealed freeze are in set open",
    ]
    (project.top / "dev/quality-provenance.jsonl").unlink()
    assert shared(project) == in_set("1 of 2 templates", "open")


def test_without_dev_freeze_nothing_is_shared_and_nothing_shown(project):
    """What is not named cannot be compared."""
    project.freezes(sets=SEALED)
    assert shared(project) == ("not_evaluated", ("the file names no dev freeze",))


def test_a_dev_freeze_without_templates_shows_nothing(project):
    """Where templates are the key, each row needs one."""
    (project.top / "dev/quality-provenance.jsonl").unlink()
    reason = "set dev has no provenance sidecar, which says the template of each row"
    assert shared(project) == ("not_evaluated", (reason,))
