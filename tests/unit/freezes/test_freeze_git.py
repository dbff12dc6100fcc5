"""Finding the repository of a folder, whatever kind of repository it is and whatever the environment says."""

from __future__ import annotations

import os
import shutil
import sys

import pytest
from freeze_repository import Checkout, History

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.git import Repository
from pytest_pii_eval.freezes.git_folders import work_tree_of

HOOK = """
import os, pathlib
from pytest_pii_eval.freezes.git import Repository
found = Repository.around(pathlib.Path.cwd())
touched = [path.name for path in found.touched_now()]
seen = [found.top, found.head(), *touched, *(one for one in os.environ if one == "GIT_INDEX_FILE")]
pathlib.Path("told").write_text(" ".join(map(str, seen)))
"""


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    """The repository that tests only read."""
    return History(tmp_path_factory.mktemp("history") / "work")


@pytest.fixture(scope="module")
def repository(history):
    """What the package says of it."""
    return Repository.around(history.checkout.top)


def test_a_repository_is_found_from_below(history):
    """Whatever folder of the work tree is named, its top is found."""
    assert Repository.around(history.checkout.top / "odd").top == history.checkout.top


def test_the_top_is_spelled_as_it_was_asked_for(history, tmp_path):
    """Where a symlink leads to the work tree, paths stay below the symlink, as the caller's are."""
    (tmp_path / "link").symlink_to(history.checkout.top)
    found = Repository.around(tmp_path / "link" / "odd")
    assert found.top == tmp_path / "link"
    assert found.changed_by(history.side_edit) == {tmp_path / "link" / "floors"}
    assert found.shown(history.checkout.top / "floors") == "floors"


def test_a_folder_without_repository_is_a_fault(tmp_path):
    """No git at all is said so, without the path."""
    with pytest.raises(Fault, match=f"^{tmp_path.name}: lies in no git repository"):
        Repository.around(tmp_path)


def test_a_folder_that_is_not_there_is_a_fault(tmp_path):
    """A wrong folder is not a damaged repository."""
    with pytest.raises(Fault, match=r"^gone: is no folder$"):
        Repository.around(tmp_path / "gone")


def test_a_bare_repository_is_a_fault(history, tmp_path):
    """There is no work tree to hold freezes."""
    history.checkout.clone(tmp_path / "bare", "--bare")
    with pytest.raises(Fault, match="without a work tree"):
        Repository.around(tmp_path / "bare")


def test_the_inside_of_dot_git_is_a_fault(history):
    """`.git` is no work tree either."""
    with pytest.raises(Fault, match="without a work tree"):
        Repository.around(history.checkout.top / ".git")


def test_no_git_is_a_fault(history, monkeypatch, tmp_path):
    """Where git is not installed, that is what is wrong."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Fault, match="git is not installed"):
        Repository.around(history.checkout.top)


def test_a_repository_of_another_user_is_a_fault(history, monkeypatch, tmp_path):
    """What git calls dubious ownership is said with the way out, without git's words, which hold paths."""
    wrapper = tmp_path / "git"
    wrapper.write_text(
        f'#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {shutil.which("git")} "$@"\n', encoding="utf-8"
    )
    wrapper.chmod(0o700)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with pytest.raises(Fault, match="safe\\.directory") as caught:
        Repository.around(history.checkout.top)
    assert str(history.checkout.top) not in str(caught.value)


@pytest.mark.parametrize(
    "variable", ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"]
)
def test_what_a_hook_sets_is_ignored(history, monkeypatch, tmp_path, variable):
    """A hook runs with variables that name a repository; the question is about the folder asked for."""
    monkeypatch.setenv(variable, str(tmp_path))
    found = Repository.around(history.checkout.top)
    assert (found.head(), found.is_clean(history.checkout.top / "kept")) == (history.renamed, True)


def test_within_a_hook_its_commit_is_seen(history, tmp_path):
    """A hook of git in a linked work tree sees that work tree, with what is about to be committed."""
    copy = history.checkout.clone(tmp_path / "copy")
    copy.git("worktree", "add", "-q", "--detach", str(tmp_path / "tree"))
    tree, hooks = Checkout(tmp_path / "tree"), tmp_path / "hooks"
    hooks.mkdir()
    (hooks / "pre-commit").write_text(f"#!/bin/sh\nexec '{sys.executable}' -c '{HOOK}'\n", encoding="utf-8")
    (hooks / "pre-commit").chmod(0o700)
    tree.write("kept", "edited")
    tree.git("-c", f"core.hooksPath={hooks}", "commit", "-q", "--all", "-m", "hooked")
    told = (tmp_path / "tree/told").read_text(encoding="utf-8").split()
    assert told == [str(tree.top), history.renamed, "kept", "GIT_INDEX_FILE"]


def test_configuration_from_the_environment_is_ignored(history, monkeypatch):
    """Nor may a variable hide files from git."""
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.worktree")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "/")
    assert Repository.around(history.checkout.top).top == history.checkout.top


def test_a_worktree_of_its_own_is_a_repository(history, tmp_path):
    """There, `.git` is a file."""
    history.checkout.git("worktree", "add", "-q", "--detach", str(tmp_path / "tree"), history.side_edit)
    found = Repository.around(tmp_path / "tree")
    assert (found.top, found.head()) == (tmp_path / "tree", history.side_edit)
    assert found.is_clean(tmp_path / "tree" / "floors")
    assert work_tree_of(tmp_path / "tree" / "odd" / "none") == tmp_path / "tree"


def test_a_submodule_is_a_repository_of_its_own(history, tmp_path):
    """Its files are its own; the repository around it tracks the submodule as one entry."""
    outer = Checkout.new(tmp_path / "outer")
    outer.git("submodule", "--quiet", "add", f"file://{history.checkout.top}", "part")
    outer.commit()
    around, inner = Repository.around(outer.top), Repository.around(outer.top / "part")
    assert inner.top == outer.top / "part"
    assert inner.is_clean(outer.top / "part" / "kept")
    assert around.is_clean(outer.top / "part")
    assert not around.is_clean(outer.top / "part" / "kept")
    assert not around.tracks(outer.top / "part" / "kept")
    outer.write("part/kept", "edited")
    assert around.touched_now() == {outer.top / "part"}


def test_a_repository_without_commit_has_no_head(tmp_path):
    """Before the first commit nothing is held."""
    made = Checkout.new(tmp_path)
    path = made.write("floors", "open")
    found = Repository.around(tmp_path)
    with pytest.raises(Fault, match="no commit yet"):
        found.head()
    assert (found.tracks(path), found.is_clean(path), found.touched_now()) == (False, False, {path})
    made.git("add", "floors")
    assert (found.tracks(path), found.is_clean(path)) == (True, False)


def test_a_path_outside_is_a_fault(repository, tmp_path):
    """Nothing is said of files that lie elsewhere, and only the last part of their path is shown."""
    with pytest.raises(Fault, match=r"^floors: lies outside the git repository$"):
        repository.tracks(tmp_path / "floors")


def test_a_damaged_repository_is_a_fault(history, tmp_path):
    """Objects that are missing are no empty answer."""
    copy = history.checkout.clone(tmp_path / "copy")
    found = Repository.around(copy.top)
    shutil.rmtree(copy.top / ".git" / "objects")
    (copy.top / ".git" / "objects").mkdir()
    with pytest.raises(Fault, match=r"git .* failed"):
        found.touched_now()


def test_no_work_tree_holds_a_lonely_folder(tmp_path):
    """Where no `.git` is on the way up, there is none."""
    assert work_tree_of(tmp_path / "suite") is None
