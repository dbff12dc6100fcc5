"""What git keeps of files by content: as in HEAD byte for byte, every version of one, and what it ignores."""

from __future__ import annotations

import pytest
from freeze_repository import ODD, Checkout, History

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes import git_objects
from pytest_pii_eval.freezes.git import Repository


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    """A repository that tests only read."""
    return History(tmp_path_factory.mktemp("history") / "work")


@pytest.fixture
def made(tmp_path):
    """A repository with one file, `floors`."""
    made = Checkout.new(tmp_path)
    made.commit(floors="one\ntwo\n")
    return made


def test_a_clean_filter_hides_no_edit(made):
    """Git believes that nothing was edited, as the filter gives it what was committed."""
    made.write(".gitattributes", "floors filter=hide\n")
    made.git("config", "filter.hide.clean", "git cat-file blob HEAD:floors")
    made.commit()
    made.write("floors", "edited\n")
    made.git("add", "floors")
    found = Repository.around(made.top)
    assert (found.is_clean(made.top / "floors"), found.holds(made.top / "floors")) == (True, False)


def test_line_ends_are_no_edit(made):
    """A checkout on Windows has others than the commit, and so may the commit."""
    (made.top / "floors").write_bytes(b"one\r\ntwo\r\n")
    found = Repository.around(made.top)
    assert found.holds(made.top / "floors")
    (made.top / "floors").write_bytes(b"one\rtwo\n")
    assert not found.holds(made.top / "floors")


@pytest.mark.parametrize("kind", ["gone", "folder", "symlink", "new"])
def test_what_is_no_committed_file_is_not_held(made, kind):
    """A file that is missing, new or of another kind is not as in HEAD."""
    path = made.top / "floors"
    path.rename(made.top / "moved")
    if kind == "folder":
        path.mkdir()
    if kind == "symlink":
        path.symlink_to("moved")
    found = Repository.around(made.top)
    assert not found.holds(made.top / "moved" if kind == "new" else path)


@pytest.mark.parametrize("name", ODD)
def test_a_file_of_any_name_is_held(history, name):
    """A name is no pattern and no option."""
    path = history.checkout.top / "odd" / name
    assert Repository.around(history.checkout.top).holds(path)


@pytest.mark.parametrize("name", ODD)
def test_versions_of_a_file_of_any_name_are_found(history, name):
    """A name is no pattern and no option here either."""
    found = Repository.around(history.checkout.top)
    assert found.contents("HEAD", path=history.checkout.top / "odd" / name) == [
        (history.first, name.encode())
    ]


def test_every_version_is_found_once(history):
    """On both sides of a merge, of a merge that edits by itself, and before a file was renamed."""
    found = Repository.around(history.checkout.top)
    floors = found.contents("HEAD", path=history.checkout.top / "floors")
    assert sorted(floors, key=lambda one: one[1]) == [
        (history.evil, b"0.1"),
        (history.side_edit, b"0.5"),
        (history.first, b"open"),
    ]
    ledger = found.contents("HEAD", path=history.checkout.top / "ledger")
    assert sorted(content for _, content in ledger) == [b"one", b"two"]


def test_what_lies_in_a_folder_of_the_name_is_no_version(made):
    """What is a file now may have been a folder."""
    made.write("later/inside", "inside")
    made.commit()
    made.git("rm", "-q", "-r", "later")
    revision = made.commit(later="a file")
    found = Repository.around(made.top).contents("HEAD", path=made.top / "later")
    assert found == [(revision, b"a file")]


def test_versions_that_hold_too_much_are_a_fault(history, monkeypatch):
    """What is looked through is bounded."""
    monkeypatch.setattr(git_objects, "MAX_BYTES", 7)  # 0.1, 0.5 and open are ten
    with pytest.raises(Fault, match="hold too much to be looked through"):
        Repository.around(history.checkout.top).contents("HEAD", path=history.checkout.top / "floors")


def test_a_shallow_clone_has_not_every_version(made, tmp_path_factory):
    """Though no commit that it has touched the file."""
    made.git("rm", "-q", "floors")
    made.commit(kept="kept")
    copy = made.clone(tmp_path_factory.mktemp("shallow") / "copy", "--depth", "1")
    with pytest.raises(Fault, match="is a shallow clone"):
        Repository.around(copy.top).contents("HEAD", path=copy.top / "floors")


def test_a_version_that_is_not_here_is_a_fault(made):
    """A partial clone lacks content; that is not the same as no content."""
    digest = made.git("rev-parse", "HEAD:floors")
    (made.top / ".git/objects" / digest[:2] / digest[2:]).unlink()
    with pytest.raises(Fault, match="lacks objects"):
        Repository.around(made.top).contents("HEAD", path=made.top / "floors")


def test_work_trees_share_one_folder(made, tmp_path_factory):
    """Whichever of them is asked, and however it is spelled."""
    folder = tmp_path_factory.mktemp("beside")
    made.git("worktree", "add", "-q", "--detach", str(folder / "tree"))
    (folder / "link").symlink_to(folder / "tree")
    (folder / "main").symlink_to(made.top)
    shared = (made.top / ".git").resolve()
    asked = (made.top, folder / "tree", folder / "link", folder / "main")
    assert [Repository.around(one).shared_folder for one in asked] == [shared] * 4


@pytest.mark.parametrize(
    ("name", "ignored"),
    [
        ("floors", False),
        ("new", False),
        ("kept.log", False),  # a pattern ignores it, and git tracks it
        ("new.log", True),
        ("hidden/below/anything", True),
        ("star*.log", True),
        (":(top)kept.log", True),
        ("-n.log", True),
    ],
)
def test_what_git_ignores(made, name, ignored):
    """None of these but two is there: asked is what git would do."""
    made.write(".gitignore", "*.log\nhidden/\n")
    made.write("kept.log")
    made.git("add", "-f", "kept.log")
    assert Repository.around(made.top).ignores(made.top / name) is ignored


def test_what_lies_elsewhere_is_not_ignored_but_a_fault(made, tmp_path_factory):
    """Nothing can be said of it."""
    with pytest.raises(Fault, match="outside the git repository"):
        Repository.around(made.top).ignores(tmp_path_factory.getbasetemp() / "new")
