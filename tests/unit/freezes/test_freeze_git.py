"""What git tells of files: tracked, clean, their versions, and what commits touched, on every odd repository."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from freeze_repository import Checkout

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.git import Repository, work_tree_of

ODD = [
    "with space.txt",
    "line\nfeed.txt",
    "ümläut-😀.txt",
    "star*.txt",
    ":(top)magic.txt",
    "-dash.txt",
    '"quoted".txt',
]


class History:
    """One repository with a line of history on each side of a merge, and a merge that edits by itself."""

    def __init__(self, top: Path) -> None:
        made = self.checkout = Checkout.new(top)
        for name in ODD:
            made.write(f"odd/{name}", name)
        self.first = made.commit(floors="open", ledger="one", kept="kept")
        made.branch("side")
        self.side_edit = made.commit(floors="0.5")
        self.side_revert = made.commit(floors="open")
        made.git("checkout", "-q", "main")
        self.main_edit = made.commit(ledger="two")
        self.merge = made.merge("side")
        made.branch("other", self.main_edit)
        self.other = made.commit(kept="kept still")
        made.git("checkout", "-q", "main")
        self.evil = made.merge("other", floors="0.1")
        made.git("mv", "ledger", "moved")
        self.renamed = made.commit()


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    """The repository that tests only read."""
    return History(tmp_path_factory.mktemp("history") / "work")


@pytest.fixture(scope="module")
def repository(history):
    """What the package says of it."""
    return Repository.around(history.checkout.top)


@pytest.fixture(scope="module")
def edited(tmp_path_factory):
    """A repository with every kind of edit that is not committed."""
    made = Checkout.new(tmp_path_factory.mktemp("edited") / "work")
    names = ("clean", "edited", "staged", "undone", "deleted", "dropped", "assumed", "skipped")
    made.write(".gitignore", "ignored\n")
    made.write("folder/inside", "x")
    made.write("whole/inside", "x")
    made.commit(**dict.fromkeys(names, "before"))
    for name in ("edited", "staged", "undone", "assumed", "skipped"):
        made.write(name, "after!")
    made.git("add", "staged", "undone")
    made.write("undone", "before")
    made.git("rm", "-q", "--cached", "dropped")
    (made.top / "deleted").unlink()
    made.git("update-index", "--assume-unchanged", "assumed")
    made.git("update-index", "--skip-worktree", "skipped")
    for name in ("new", "ignored", "folder/new"):
        made.write(name, "new")
    made.write("added", "new")
    made.git("add", "added")
    return made


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
    with pytest.raises(Fault, match="^gone: is no folder$"):
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
    """What git calls dubious ownership is said with the way out, and without git's words, which hold paths."""
    wrapper = tmp_path / "git"
    wrapper.write_text(
        f'#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {shutil.which("git")} "$@"\n', encoding="utf-8"
    )
    wrapper.chmod(0o700)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with pytest.raises(Fault, match="safe.directory") as caught:
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


@pytest.mark.parametrize("name", ODD)
def test_odd_names_are_names(repository, name):
    """Spaces, line feeds, other scripts, and what git takes for patterns or options name one file each."""
    path = repository.top / "odd" / name
    assert repository.tracks(path)
    assert repository.content("HEAD", path) == name.encode()


def test_odd_names_are_touched_by_their_commit(repository, history):
    """The first commit touched every file, by its own name."""
    odd = {repository.top / "odd" / name for name in ODD}
    plain = {repository.top / name for name in ("floors", "ledger", "kept")}
    assert repository.changed_by(history.first) == odd | plain


def test_a_name_that_is_a_pattern_matches_nothing_else(repository):
    """`k*` is no file here, though git would find `kept`."""
    assert not repository.tracks(repository.top / "k*")
    assert repository.content("HEAD", repository.top / "k*") is None


@pytest.mark.parametrize(
    ("name", "tracked", "clean"),
    [
        ("clean", True, True),
        ("edited", True, False),
        ("staged", True, False),
        ("undone", True, False),  # the index has the edit, the work tree has it no more
        ("deleted", True, False),
        ("dropped", True, False),  # out of the index, but in HEAD
        ("added", True, False),
        ("assumed", True, False),
        ("skipped", True, False),
        ("new", False, False),
        ("ignored", False, False),
        ("gone", False, False),
        ("folder", True, False),  # holds an untracked file
        ("whole", True, True),
    ],
)
def test_tracked_and_clean(edited, name, tracked, clean):
    """A file is clean where work tree, index and HEAD are one, though git was told not to look."""
    found = Repository.around(edited.top)
    path = edited.top / name
    assert (found.tracks(path), found.is_clean(path)) == (tracked, clean)


def test_everything_uncommitted_is_touched(edited):
    """Edits of index and work tree, removals, untracked files, and files that git was told not to watch."""
    names = "edited staged undone deleted dropped added assumed skipped new folder/new".split()
    assert Repository.around(edited.top).touched_now() == {edited.top / name for name in names}


def test_settings_of_the_repository_hide_nothing(edited):
    """`status.showUntrackedFiles` and the like are for humans."""
    edited.git("config", "status.showUntrackedFiles", "no")
    edited.git("config", "status.relativePaths", "false")
    assert edited.top / "new" in Repository.around(edited.top).touched_now()


def test_the_index_has_its_own_content(edited):
    """What is staged is told apart from what stands in the work tree."""
    found = Repository.around(edited.top)
    assert found.staged(edited.top / "undone") == b"after!"
    assert found.staged(edited.top / "new") is None


def test_content_of_a_revision(repository, history):
    """A file as a commit has it; None where it was not there."""
    path = repository.top / "floors"
    assert repository.content(history.side_edit, path) == b"0.5"
    assert repository.content(history.evil, path) == b"0.1"
    assert repository.content(history.first, repository.top / "moved") is None
    assert repository.content("HEAD", repository.top / "odd") is None


def test_content_of_an_unknown_revision_is_a_fault(repository):
    """What cannot be told is not nothing."""
    with pytest.raises(Fault, match="git ls-tree failed"):
        repository.content("0" * 40, repository.top / "floors")


def test_versions_know_every_line_of_history(repository, history):
    """An edit that its branch took back is a version, though the merge shows nothing of it."""
    found = repository.versions(repository.top / "floors")
    assert found == [history.evil, history.side_revert, history.side_edit, history.first]


def test_versions_of_a_folder_and_of_nothing(repository, history):
    """A folder has the versions of what is in it; a path that never was has none."""
    assert repository.versions(repository.top / "odd") == [history.first]
    assert repository.versions(repository.top / "never") == []


def test_replaced_history_is_not_believed(history, tmp_path):
    """`git replace` can cut history off for whoever looks; the commits that were made count."""
    copy = history.checkout.clone(tmp_path / "copy")
    copy.git("replace", "--graft", history.evil)
    found = Repository.around(copy.top)
    assert found.versions(copy.top / "ledger")[-1] == history.first


@pytest.mark.parametrize(
    ("commit", "names"),
    [
        ("side_edit", {"floors"}),
        ("merge", set()),
        ("evil", {"floors"}),
        ("renamed", {"ledger", "moved"}),
    ],
)
def test_what_a_commit_touched(repository, history, commit, names):
    """A merge touched what it has otherwise than all its parents; a rename touched both names."""
    touched = repository.changed_by(getattr(history, commit))
    assert touched == {repository.top / name for name in names}


def test_what_arrived_by_a_merge(repository, history):
    """Unlike what it touched, that is all it has otherwise than any parent."""
    assert repository.parents(history.merge) == [history.main_edit, history.side_revert]
    assert repository.changed_by(history.merge, history.side_edit) == {repository.top / "floors"}


def test_a_shallow_clone_has_no_versions(history, tmp_path):
    """History that is not there cannot be told."""
    copy = history.checkout.clone(tmp_path / "copy", "--depth", "2")
    found = Repository.around(copy.top)
    assert found.is_shallow
    for asked in (lambda: found.versions(copy.top / "floors"), lambda: found.changed_by(history.evil)):
        with pytest.raises(Fault, match="git fetch --unshallow"):
            asked()
    assert found.changed_by(history.renamed) == {copy.top / "ledger", copy.top / "moved"}


def test_a_path_outside_is_a_fault(repository, tmp_path):
    """Nothing is said of files that lie elsewhere, and only the last part of their path is shown."""
    with pytest.raises(Fault, match="^floors: lies outside the git repository$"):
        repository.tracks(tmp_path / "floors")


def test_a_damaged_repository_is_a_fault(history, tmp_path):
    """Objects that are missing are no empty answer."""
    copy = history.checkout.clone(tmp_path / "copy")
    found = Repository.around(copy.top)
    shutil.rmtree(copy.top / ".git" / "objects")
    (copy.top / ".git" / "objects").mkdir()
    with pytest.raises(Fault, match="git .* failed"):
        found.touched_now()


def test_no_work_tree_holds_a_lonely_folder(tmp_path):
    """Where no `.git` is on the way up, there is none."""
    assert work_tree_of(tmp_path / "suite") is None
