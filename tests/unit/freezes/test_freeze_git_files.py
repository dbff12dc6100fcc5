"""What git tells of files as they are: tracked or not, clean or not, and everything that is not committed."""

from __future__ import annotations

import pytest
from freeze_repository import Checkout

from pytest_pii_eval.freezes.git import Repository


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
    names = [
        "edited",
        "staged",
        "undone",
        "deleted",
        "dropped",
        "added",
        "assumed",
        "skipped",
        "new",
        "folder/new",
    ]
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
