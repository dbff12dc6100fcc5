"""What git tells of history: versions of a file, what commits touched, and what a clone does not have."""

from __future__ import annotations

import pytest
from freeze_repository import ODD, History

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.git import Repository


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    """The repository that tests only read."""
    return History(tmp_path_factory.mktemp("history") / "work")


@pytest.fixture(scope="module")
def repository(history):
    """What the package says of it."""
    return Repository.around(history.checkout.top)


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


def test_what_a_merge_and_another_commit_touched(repository, history):
    """Of a merge that made nothing of its own, and a commit beside it, it is what the commit touched."""
    assert repository.parents(history.merge) == [history.main_edit, history.side_revert]
    assert repository.changed_by(history.merge, history.side_edit) == {repository.top / "floors"}


def test_a_shallow_clone_has_no_versions(history, tmp_path):
    """History that is not there cannot be told."""
    copy = history.checkout.clone(tmp_path / "copy", "--depth", "2")
    found = Repository.around(copy.top)
    assert found.is_shallow
    for asked in (
        lambda: found.versions(copy.top / "floors"),
        lambda: found.commits("HEAD"),
        lambda: found.changed_by(history.evil),
    ):
        with pytest.raises(Fault, match="git fetch --unshallow"):
            asked()
    assert found.changed_by(history.renamed) == {copy.top / "ledger", copy.top / "moved"}
