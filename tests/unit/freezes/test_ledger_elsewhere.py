"""An id that was started on another branch, or in a ledger at another place, is used."""

from __future__ import annotations

import json

import pytest
from ledger_repository import make, write_freezes
from ledger_values import begun, chain, commit, ended, git

from pytest_pii_eval.contracts.freezes_file import read_freezes
from pytest_pii_eval.freezes.git import Repository
from pytest_pii_eval.freezes.ledger_history import started_elsewhere

CANARY = "Vaxholm Tintomara"


@pytest.fixture
def place(tmp_path):
    """A repository with a freezes file and no ledger yet, on `main`."""
    return make(tmp_path)


def elsewhere(place, promotion="rc-1"):
    """Return what is said of a promotion."""
    file = read_freezes(place.top / "freezes.json")
    return started_elsewhere(file, Repository.around(place.top), promotion)


def other_branch(place, payload, *, name="ledger.jsonl"):
    """Commit a ledger on a branch of its own, return to `main`, and return the commit's first characters."""
    git(place.top, "checkout", "-q", "-b", "other")
    (place.top / name).write_bytes(payload)
    revision = commit(place.top)[:12]
    git(place.top, "checkout", "-q", "main")
    return revision


def said(revision):
    """Return the reason that names this commit."""
    return f"the promotion started already: the ledger in commit {revision} has its start; take another id"


def test_an_id_that_nobody_started_is_free(place):
    """Other ids may have started anywhere."""
    other_branch(place, chain(begun("rc-2"), ended("rc-2")))
    assert elsewhere(place) is None


def test_a_repository_without_commit_has_no_start(tmp_path):
    """There is nothing to look through."""
    git(tmp_path, "init", "-q")
    write_freezes(tmp_path)
    file = read_freezes(tmp_path / "freezes.json")
    assert started_elsewhere(file, Repository.around(tmp_path), "rc-1") is None


@pytest.mark.parametrize(("started", "asked"), [("rc-1", "rc-1"), ("rc-1", "RC-1"), ("RC-1", "rc-1")])
def test_a_start_on_another_branch_is_found(place, started, asked):
    """Also where somebody spells the id otherwise, as its report would be one file on some disks."""
    revision = other_branch(place, chain(begun("rc-0"), ended("rc-0"), begun(started)))
    assert elsewhere(place, asked) == said(revision)


def test_a_start_that_only_a_tag_leads_to_is_found(place):
    """The branch may be gone."""
    revision = other_branch(place, chain(begun()))
    git(place.top, "tag", "kept", "other")
    git(place.top, "branch", "-q", "-D", "other")
    assert elsewhere(place) == said(revision)


def test_a_start_that_a_remote_has_is_found(place, tmp_path_factory):
    """What was fetched counts."""
    revision = other_branch(place, chain(begun()))
    clone = tmp_path_factory.mktemp("clone")
    git(clone, "clone", "-q", f"file://{place.top}", ".")
    assert elsewhere(place._replace(top=clone)) == said(revision)


def test_a_start_in_another_work_tree_is_found(place, tmp_path_factory):
    """Its HEAD may be on no branch."""
    tree = tmp_path_factory.mktemp("beside") / "tree"
    git(place.top, "worktree", "add", "-q", "--detach", str(tree))
    (tree / "ledger.jsonl").write_bytes(chain(begun()))
    revision = commit(tree)[:12]
    assert elsewhere(place) == said(revision)


def test_a_start_that_was_removed_is_found(place):
    """A commit that takes lines away leaves them in the commit before."""
    place.ledger.write_bytes(chain(begun()))
    revision = commit(place.top)[:12]
    place.ledger.unlink()
    commit(place.top)
    assert elsewhere(place) == said(revision)


def test_a_start_in_a_ledger_elsewhere_is_found(place):
    """Where the freezes file of another branch names another ledger, that is looked at too."""
    git(place.top, "checkout", "-q", "-b", "moved")
    write_freezes(place.top, ledger="new.jsonl")
    (place.top / "new.jsonl").write_bytes(chain(begun()))
    revision = commit(place.top)[:12]
    git(place.top, "checkout", "-q", "main")
    assert elsewhere(place) == said(revision)


def test_versions_that_do_not_parse_hide_nothing(place):
    """A broken ledger, or a broken freezes file, is passed over, and what starts in it is found."""
    git(place.top, "checkout", "-q", "-b", "broken")
    (place.top / "freezes.json").write_text(CANARY, encoding="utf-8")
    place.ledger.write_bytes(
        b"\xff\n[[[\n[]\n7\n{}\n" + b"[" * 100_000 + b"\n" + json.dumps({"event": "started"}).encode() + b"\n"
    )
    commit(place.top)
    git(place.top, "checkout", "-q", "main")
    revision = other_branch(place, CANARY.encode() + b"\n" + chain(begun()))
    assert elsewhere(place) == said(revision)


def test_an_end_is_no_start(place):
    """A line that ends a promotion, or names it as replaced, starts nothing."""
    other_branch(place, chain(ended("rc-1"), begun("rc-2", after="rc-1", reason="killed")))
    assert elsewhere(place) is None


def test_a_shallow_clone_cannot_tell(place, tmp_path_factory):
    """What is not here may have the start."""
    clone = tmp_path_factory.mktemp("clone")
    place.ledger.write_bytes(chain(begun("rc-7")))
    commit(place.top)
    git(clone, "clone", "-q", "--depth", "1", f"file://{place.top}", ".")
    found = elsewhere(place._replace(top=clone))
    assert found.startswith(
        "whether the promotion started elsewhere in the repository cannot be told: is a shallow clone"
    )
