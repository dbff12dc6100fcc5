"""The rules that git answers: floors apart from scores, evidence committed, a known scorer."""

from __future__ import annotations

import pytest
from freeze_projects import OPEN, SET, copied, held_project

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.finding import PASS
from pytest_pii_eval.freezes.git import Repository
from pytest_pii_eval.freezes.rules import RULES
from pytest_pii_eval.reports import provenance

SEAL = "freezes/sealed.commitment.json"
TOGETHER = "sealed-and-thresholds-not-in-one-change"
APART = "floors-set-without-sealed-scores"
COMMITTED = "evidence-is-committed"
NO_GIT = Fault("lies in no git repository")


@pytest.fixture(scope="module")
def held(tmp_path_factory):
    """A project whose setup is on `main`."""
    return held_project(tmp_path_factory.mktemp("held") / "work")


@pytest.fixture
def project(held, tmp_path):
    """A copy of it that a test may change."""
    return copied(held, tmp_path)


def ruled(project, name, **changes):
    """Return what a rule finds."""
    return RULES[name](project.standing(**changes))


def test_the_rules_have_their_names_in_order():
    """They are node ids: whoever selects one by name relies on it."""
    assert list(RULES) == [
        "dev-freeze-was-read",
        "dev-freeze-holds-its-slices",
        "sealed-templates-are-in-no-train-list",
        "sealed-shares-no-template",
        TOGETHER,
        APART,
        "scorer-revision-is-known",
        "ledger-holds",
        COMMITTED,
    ]


def test_a_project_as_it_should_be_passes_all_rules(project, monkeypatch):
    """Nothing of the setup is in the way of anything."""
    monkeypatch.setattr(provenance, "git_revision", lambda: ("a" * 40, False))
    assert {name: rule(project.standing()) for name, rule in RULES.items()} == dict.fromkeys(RULES, PASS)


@pytest.mark.parametrize("name", [TOGETHER, APART])
def test_without_git_the_rules_about_changes_fail(project, name):
    """What cannot be told is no pass."""
    assert ruled(project, name, repository=NO_GIT) == ("fail", ("lies in no git repository",))


@pytest.mark.parametrize("name", [TOGETHER, APART])
def test_a_shallow_clone_fails_the_rules_about_changes(project, tmp_path, name):
    """It says how to get the history."""
    project.write("floors.yaml", SET)
    project.checkout.commit()
    copy = project.checkout.clone(tmp_path / "shallow", "--depth", "1")
    found = ruled(project, name, repository=Repository.around(copy.top))
    assert found.verdict == "fail"
    assert "git fetch --unshallow" in found.reasons[0]


def mixed(what):
    """Return the reason that says what mixes floors and scores."""
    return (
        f"{what} sets floors and holds sealed scores (a line of the ledger, or a report):"
        " set floors from the dev freeze, in a commit without sealed scores"
    )


@pytest.mark.parametrize(
    "score", ["freezes/ledger.jsonl", "freezes/reports/rc-1.json", "freezes/reports/a/b"]
)
def test_floors_and_scores_in_one_commit_fail(project, score):
    """The ledger's lines and the reports of promotions are sealed scores."""
    project.write("floors.yaml", SET)
    project.write(score, "scores")
    commit = project.checkout.commit()
    project.write("floors.yaml", OPEN)
    project.checkout.commit()
    assert ruled(project, APART) == ("fail", (mixed(f"commit {commit[:12]}"),))


def test_floors_before_scores_pass(project):
    """Floors are set in one commit, scores come with a later one."""
    project.write("floors.yaml", SET)
    project.checkout.commit()
    project.write("freezes/ledger.jsonl", "scores")
    project.checkout.commit()
    project.write("freezes/reports/rc-1.json", "not committed yet")
    assert ruled(project, APART) == PASS


@pytest.mark.parametrize("score", ["freezes/ledger.jsonl", "freezes/reports/rc-1.json"])
def test_floors_and_scores_about_to_be_committed_fail(project, score):
    """Both are edited and neither is committed: one commit is all that is missing."""
    project.write("floors.yaml", SET)
    project.write(score, "scores")
    assert ruled(project, APART) == ("fail", (mixed("what is uncommitted"),))


def test_open_floors_may_come_with_anything(project):
    """Floors without a number were set from nothing."""
    project.write("floors.yaml", OPEN + "# edited\n")
    project.write("freezes/reports/README", "where reports go")
    assert ruled(project, APART) == PASS
    project.checkout.commit()
    assert ruled(project, APART) == PASS


def test_opening_floors_with_the_scores_fails(project):
    """A floor that was not met is not taken back in the light of the score."""
    project.write("floors.yaml", SET)
    project.checkout.commit()
    project.write("floors.yaml", OPEN)
    project.write("freezes/ledger.jsonl", "scores")
    project.checkout.git("add", "--all")
    assert ruled(project, APART) == ("fail", (mixed("what is uncommitted"),))
    commit = project.checkout.commit()
    assert ruled(project, APART) == ("fail", (mixed(f"commit {commit[:12]}"),))


def test_a_merge_of_both_passes(project):
    """A branch with floors and a branch with scores may meet."""
    project.checkout.git("checkout", "-q", "main")
    project.write("freezes/ledger.jsonl", "scores")
    project.checkout.commit()
    project.checkout.git("checkout", "-q", "change")
    project.write("floors.yaml", SET)
    project.checkout.commit()
    project.checkout.merge("main")
    assert ruled(project, APART) == PASS


def test_a_merge_that_sets_floors_itself_fails(project):
    """Whoever sets them there has the scores before their eyes."""
    project.checkout.git("checkout", "-q", "main")
    project.write("freezes/ledger.jsonl", "scores")
    project.checkout.commit()
    project.checkout.git("checkout", "-q", "change")
    commit = project.checkout.merge("main", **{"floors.yaml": SET})
    assert ruled(project, APART) == ("fail", (mixed(f"commit {commit[:12]}"),))


def test_evidence_that_is_committed_passes(project):
    """With whatever else stands uncommitted."""
    project.write("freezes/ledger.jsonl", "a line that a run just wrote")
    project.write("dev/notes.txt", "new")
    assert ruled(project, COMMITTED) == PASS


@pytest.mark.parametrize(
    "name", ["freezes.yaml", "floors.yaml", SEAL, "freezes/dev.attestation.json", "train/one.jsonl"]
)
def test_evidence_that_is_edited_is_named(project, name):
    """A run could not be bound to a commit."""
    project.freezes(train_lists=["train/one.jsonl"])
    project.write("train/one.jsonl", "")
    project.checkout.commit()
    with (project.top / name).open("a", encoding="utf-8") as handle:
        handle.write("\n")
    found = ruled(project, COMMITTED)
    assert found == ("not_evaluated", (f"{name}: not committed as in the work tree; commit it",))


@pytest.mark.parametrize(
    "name", ["freezes.yaml", "floors.yaml", SEAL, "freezes/dev.attestation.json", "train/one.jsonl"]
)
def test_a_filter_hides_no_edit_of_evidence(project, name):
    """A clean filter gives git what was committed, so that git believes nothing was edited."""
    project.freezes(train_lists=["train/one.jsonl"])
    project.write("train/one.jsonl", "")
    project.write(".gitattributes", f"{name} filter=hide\n")
    project.checkout.git("config", "filter.hide.clean", f"git cat-file blob :{name} 2>/dev/null || cat")
    project.checkout.commit()
    with (project.top / name).open("a", encoding="utf-8") as handle:
        handle.write("\n")
    project.checkout.git("add", name)
    reason = f"{name}: has other bytes than its commit, as a filter of git changes it; take the filter away"
    assert ruled(project, COMMITTED) == ("not_evaluated", (reason,))


def test_line_ends_of_a_checkout_are_no_edit_of_evidence(project):
    """As git for Windows checks files out."""
    path = project.top / "floors.yaml"
    project.checkout.git("config", "core.autocrlf", "true")
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    project.checkout.git("add", "floors.yaml")
    assert ruled(project, COMMITTED) == PASS


def test_evidence_that_is_not_there_is_named(project):
    """What is missing is not committed."""
    (project.top / SEAL).unlink()
    project.checkout.commit()
    assert ruled(project, COMMITTED).reasons[0].startswith(f"{SEAL}: ")


def test_evidence_without_git_is_not_committed(project):
    """There is no commit to be bound to."""
    assert ruled(project, COMMITTED, repository=NO_GIT) == ("not_evaluated", ("lies in no git repository",))


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ((None, None), "the scorer's git revision is unknown: "),
        (("a" * 40, None), "the scorer's git revision is unknown: "),
        (("a" * 40, True), "the scorer is no commit, as its files are edited: "),
    ],
)
def test_a_scorer_that_nobody_knows_is_said(project, monkeypatch, told, words):
    """It is recorded and cannot promote; a plain run goes on."""
    monkeypatch.setattr(provenance, "git_revision", lambda: told)
    rest = "install it from a commit (pip install git+URL@REVISION), or run it from a checkout"
    assert ruled(project, "scorer-revision-is-known") == ("not_evaluated", (words + rest,))


def test_a_known_scorer_passes(project, monkeypatch):
    """A revision, and nothing edited."""
    monkeypatch.setattr(provenance, "git_revision", lambda: ("a" * 40, False))
    assert ruled(project, "scorer-revision-is-known") == PASS


def test_a_broken_ledger_fails(project):
    """The rule says what verifying it says."""
    project.write("freezes/ledger.jsonl", "{}\n")
    assert ruled(project, "ledger-holds").verdict == "fail"
