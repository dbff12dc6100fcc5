"""Where a sealed suite may lie: nowhere that git tracks it, or would."""

from __future__ import annotations

import pytest
from freeze_repository import Checkout

from pytest_pii_eval.freezes.git import Repository, refuse_sealed_place
from pytest_pii_eval.freezes.git_folders import work_tree_of


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """A repository, another one beside it, and a bare one; each with folders a suite could lie in."""
    top = tmp_path_factory.mktemp("desk")
    for name in ("work", "other"):
        made = Checkout.new(top / name)
        made.write(".gitignore", "ignored/\npartly/suite.yaml\n")
        made.write("kept/suite.yaml")
        made.write("ignored/tracked/rows.jsonl")
        made.git("add", "-f", "ignored/tracked/rows.jsonl")
        made.write("ignored/dropped/rows.jsonl")
        made.git("add", "-f", "ignored/dropped/rows.jsonl")
        made.commit()
        made.git("rm", "-q", "--cached", "ignored/dropped/rows.jsonl")
        made.write("ignored/suite/suite.yaml")
        made.write("ignored/new/suite.yaml")
        made.write("untracked/suite.yaml")
        made.write("partly/suite.yaml")
        made.write("partly/rows.jsonl")
        made.write(".git/sealed/suite.yaml")
    Checkout(top / "work").clone(top / "bare.git", "--bare")
    Checkout(top / "work").git("worktree", "add", "-q", "--detach", str(top / "tree"))
    for folder in ("free", "broken", "bare.git/sealed", "tree/sealed", "other/empty", "other/ignored/empty"):
        (top / folder).mkdir(parents=True)
    (top / "broken/.git").write_text("gitdir: /nowhere", encoding="utf-8")
    (top / "work/link").symlink_to(top / "free")
    (top / "link").symlink_to(top / "work/ignored/suite")
    (top / "free/link").symlink_to(top / "other/untracked")
    return top


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("work", "lies in the repository that it is to be kept from"),
        ("work/kept", "lies in the repository that it is to be kept from"),
        ("work/untracked", "lies in the repository that it is to be kept from"),
        ("work/ignored/suite", "lies in the repository that it is to be kept from"),
        ("work/link", "lies in the repository that it is to be kept from"),
        ("free/../work/ignored/suite", "lies in the repository that it is to be kept from"),
        ("link", "lies in the repository that it is to be kept from"),
        ("work/.git/sealed", "lies in the repository that it is to be kept from"),
        ("other/.git/sealed", "lies in the folder of a git repository"),
        ("bare.git/sealed", "lies in the folder of a git repository"),
        ("other", "lies where git tracks it, or would"),
        ("other/kept", "lies where git tracks it, or would"),
        ("other/untracked", "lies where git tracks it, or would"),
        ("other/partly", "lies where git tracks it, or would"),  # ignored but for the rows
        ("other/empty", "lies where git tracks it, or would"),
        ("other/not-there", "lies where git tracks it, or would"),
        ("other/ignored/tracked", "lies where git tracks it, or would"),
        ("other/ignored/dropped", "lies where git tracks it, or would"),  # HEAD has it
        ("free/link", "lies where git tracks it, or would"),
        ("tree/sealed", "lies where git tracks it, or would"),
        ("broken", "lies where git tracks it, or would"),
        ("other/ignored/suite", None),
        ("other/ignored/empty", None),
        ("free", None),
        ("not-there", None),
    ],
)
def test_where_a_sealed_suite_may_lie(desk, place, reason):
    """Outside every repository, or where one ignores it and is not the one that it is kept from."""
    found = refuse_sealed_place(desk / place, Repository.around(desk / "work"))
    assert (found and found.partition(";")[0]) == reason


def test_a_reason_holds_no_path(desk):
    """The machine's folders stay out of output."""
    assert str(desk) not in str(refuse_sealed_place(desk / "work", Repository.around(desk / "work")))


def test_a_repository_around_the_repository_counts(desk, tmp_path):
    """A suite beside the repository may lie in the work tree of the repository around it."""
    Checkout.new(tmp_path)
    inner = Checkout.new(tmp_path / "inner")
    (tmp_path / "sealed").mkdir()
    found = refuse_sealed_place(tmp_path / "sealed", Repository.around(inner.top))
    assert found == "lies where git tracks it, or would; move it to a folder that no git repository holds"


def test_in_doubt_a_place_is_refused(desk, monkeypatch, tmp_path):
    """Without git nobody knows what a repository tracks."""
    repository = Repository.around(desk / "work")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert refuse_sealed_place(desk / "other/ignored/suite", repository) is not None


def test_a_folder_knows_its_nearest_work_tree(desk):
    """Whether git works there or not."""
    assert work_tree_of(desk / "other/ignored/suite") == desk / "other"
    assert work_tree_of(desk / "broken/suite") == desk / "broken"
