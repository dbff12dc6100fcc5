"""One change: the range that a run finds or is given, and everything that it and the work tree touch."""

from __future__ import annotations

import pytest
from freeze_repository import Checkout

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.changes import changes_of
from pytest_pii_eval.freezes.git import Repository


class Project:
    """`main` with two commits, and a branch with an edit, an edit taken back, and a merge of `main`."""

    def __init__(self, top) -> None:
        made = self.checkout = Checkout.new(top)
        made.write(".gitignore", "ignored\n")
        self.first = made.commit(a="1", b="1", c="1")
        self.fork = made.commit(a="2")
        made.branch("feature")
        self.edit = made.commit(b="2")
        self.back = made.commit(b="1")
        made.git("checkout", "-q", "main")
        self.main = made.commit(c="2")
        made.git("checkout", "-q", "feature")
        self.merge = made.merge("main")
        made.git("mv", "a", "d")
        self.renamed = made.commit()


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """The repository that tests only read."""
    return Project(tmp_path_factory.mktemp("project") / "work")


def told(checkout, given=None, **environment):
    """Return the names that the change touches, its base, and how many commits it has."""
    (change,) = changes_of(Repository.around(checkout.top), given, environment)
    return (
        {path.relative_to(checkout.top).as_posix() for path in change.paths},
        change.base,
        len(change.commits),
    )


def fault_of(checkout, given=None, **environment):
    """Return what is wrong with a range."""
    with pytest.raises(Fault) as caught:
        changes_of(Repository.around(checkout.top), given, environment)
    assert str(checkout.top) not in str(caught.value)
    return str(caught.value)


def cloned(project, folder, name, *options):
    """Return a clone with one branch checked out, which takes `main` for the remote's main branch."""
    copy = project.checkout.clone(folder / "clone", "--branch", name, *options)
    if "refs/remotes/origin/main" in copy.git("for-each-ref", "--format=%(refname)"):
        copy.git("remote", "set-head", "origin", "main")
    return copy


@pytest.fixture
def branch(project, tmp_path):
    """A clone in which `feature` is checked out and nothing else is local."""
    return cloned(project, tmp_path, "feature")


def test_a_branch_is_all_that_it_is_ahead_of_main(project):
    """An edit that was taken back counts, a rename is both names, and what came from main does not count."""
    assert told(project.checkout) == ({"a", "b", "d"}, project.main, 4)


def test_the_words_say_which_range_it_is(project):
    """A reader of the finding sees what was looked at."""
    (change,) = changes_of(Repository.around(project.checkout.top), None, {})
    assert change.words == "4 commits since main, and what is uncommitted"


def test_the_remote_main_is_found(project, branch):
    """In a clone, what the remote has as its main branch is compared with."""
    for name in ("main", "origin/main", "origin/HEAD"):
        branch.git("tag", name, project.renamed)  # git would find these first
    assert told(branch) == ({"a", "b", "d"}, project.main, 4)
    branch.git("remote", "set-head", "origin", "--delete")
    assert told(branch) == ({"a", "b", "d"}, project.main, 4)


def test_what_is_not_committed_belongs_to_the_change(branch):
    """Index, work tree and untracked files count; ignored ones do not."""
    branch.write("c", "edited")
    branch.write("d", "edited")
    branch.git("add", "d")
    branch.write("folder/new", "new")
    branch.write("ignored", "new")
    assert told(branch)[0] == {"a", "b", "c", "d", "folder/new"}


def test_an_edit_within_a_merge_counts(project, branch):
    """A merge that edits by itself touched what neither side has."""
    branch.branch("other", project.fork)
    branch.merge("origin/main", c="3")
    assert told(branch)[0] == {"c"}


def test_branches_that_merged_each_other_have_several_bases(tmp_path):
    """What the main branch has by any of them is not of the change."""
    made = Checkout.new(tmp_path)
    made.commit(a="1")
    made.branch("feature")
    made.commit(b="1")
    made.git("checkout", "-q", "main")
    made.commit(c="1")
    made.git("branch", "before")
    made.merge("feature")
    made.git("checkout", "-q", "feature")
    made.merge("before")
    made.commit(d="1")
    assert told(made)[::2] == ({"d"}, 2)


def test_on_main_the_change_is_the_last_commit(project, branch):
    """Where nothing is ahead, the newest commit is judged by itself."""
    branch.git("checkout", "-q", "--detach", project.main)
    assert told(branch) == ({"c"}, project.fork, 1)


def test_on_main_what_is_not_committed_is_a_change_of_its_own(project, branch):
    """It will be another commit there; the newest is judged all the same."""
    branch.git("checkout", "-q", "--detach", project.main)
    path = branch.write("a", "edited")
    last, now = changes_of(Repository.around(branch.top), None, {})
    assert (last.paths, last.base, last.words) == ({branch.top / "c"}, project.fork, "the last commit")
    assert (now.paths, now.base, now.words) == ({path}, project.main, "what is uncommitted")


def test_a_merge_on_main_is_all_that_it_merged(project, tmp_path):
    """A pull request that was merged stays one change."""
    copy = cloned(project, tmp_path, "main")
    copy.merge("origin/feature")
    copy.git("update-ref", "refs/remotes/origin/main", "HEAD")
    assert told(copy) == ({"a", "b", "d"}, project.main, 5)


def test_the_first_commit_is_everything_in_it(project, branch):
    """There is nothing before it."""
    branch.git("checkout", "-q", "--detach", project.first)
    assert told(branch) == ({".gitignore", "a", "b", "c"}, None, 1)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("GITHUB_BASE_REF", "release/1"),
        ("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "release/1"),
        ("CHANGE_TARGET", "release/1"),
        ("BITBUCKET_PR_DESTINATION_BRANCH", "release/1"),
        ("SYSTEM_PULLREQUEST_TARGETBRANCH", "refs/heads/release/1"),
        ("CI_MERGE_REQUEST_DIFF_BASE_SHA", "SHA"),
    ],
)
def test_a_ci_says_what_a_pull_request_goes_into(project, branch, variable, value):
    """Its variable is believed before the main branch is looked for."""
    branch.git("update-ref", "refs/remotes/origin/release/1", project.edit)
    found = told(branch, **{variable: value.replace("SHA", project.edit)})
    assert found == ({"b", "c", "a", "d"}, project.edit, 4)


def test_an_empty_variable_says_nothing(project):
    """GitHub sets it to nothing where there is no pull request."""
    assert told(project.checkout, GITHUB_BASE_REF="")[1] == project.main


@pytest.mark.parametrize("value", ["gone", "-x", "a b", "main\n", "$(true)"])
def test_a_variable_that_names_nothing_here_is_a_fault(branch, value):
    """A base that was not fetched is no reason to look at less."""
    assert fault_of(branch, GITHUB_BASE_REF=value).startswith("GITHUB_BASE_REF: ")


@pytest.mark.parametrize(
    "given", ["{fork}", "{fork}..", "{fork}..HEAD", "{fork}...HEAD", "{fork}..feature", "main~1"]
)
def test_a_range_that_was_given_is_taken(project, given):
    """A base alone, or a base and a tip; three dots mean what a pull request means by them."""
    found = told(project.checkout, given.format(fork=project.fork), GITHUB_BASE_REF="gone")
    assert found == ({"a", "b", "c", "d"}, project.fork, 5)


def test_a_range_may_end_before_head(project):
    """Then later commits are not of it."""
    assert told(project.checkout, f"{project.fork}..{project.edit}") == ({"b"}, project.fork, 1)


@pytest.mark.parametrize(
    "given",
    [
        "",
        "..",
        "..HEAD",
        "--output=x",
        "-n1..HEAD",
        "main..-n1",
        "main HEAD",
        "main..HEAD..x",
        "^main",
        "main:a",
        "main\n",
    ],
)
def test_what_is_no_range_never_reaches_git(project, monkeypatch, tmp_path, given):
    """Options, several revisions and whatever else a shell or git would act on are refused."""
    assert "--pii-git-range: is no git range" in fault_of(project.checkout, given)


def test_a_range_of_unknown_revisions_is_a_fault(project):
    """Nothing is guessed in their place."""
    assert "--pii-git-range: names no commit that is here" in fault_of(project.checkout, "gone..HEAD")


def test_a_range_that_head_does_not_come_from_is_a_fault(project, branch):
    """The work tree belongs to HEAD; a range elsewhere says nothing of it."""
    branch.git("checkout", "-q", "--detach", project.main)
    assert "HEAD does not come from" in fault_of(branch, f"{project.fork}..{project.edit}")


def test_history_without_a_common_commit_is_a_fault(branch):
    """There is no base then."""
    branch.git("checkout", "-q", "--orphan", "alone")
    branch.commit()
    assert "HEAD shares no history" in fault_of(branch)


def test_no_main_branch_is_a_fault(tmp_path):
    """A repository that calls it otherwise says so by the option."""
    made = Checkout.new(tmp_path)
    first = made.commit(a="1")
    made.git("branch", "-q", "-m", "trunk")
    assert "git knows no main branch to compare with; or give the range by --pii-git-range" in fault_of(made)
    assert told(made, "trunk") == ({"a"}, None, 1)
    assert first == made.git("rev-parse", "HEAD")


def test_no_commit_is_a_fault(tmp_path):
    """Nothing is held before the first commit."""
    assert "no commit yet" in fault_of(Checkout.new(tmp_path))


@pytest.mark.parametrize("depth", ["1", "2"])
def test_a_shallow_clone_that_lacks_part_of_the_range_is_a_fault(project, tmp_path, depth):
    """Whether the base is missing or a commit of the range has lost its parents."""
    copy = cloned(project, tmp_path, "feature", "--depth", depth, "--no-single-branch")
    assert "git fetch --unshallow" in fault_of(copy)


def test_a_shallow_clone_that_holds_the_range_is_enough(project, tmp_path):
    """What lies before the base is not asked for."""
    copy = cloned(project, tmp_path, "main", "--depth", "2")
    assert told(copy) == ({"c"}, project.fork, 1)


def test_a_shallow_clone_without_the_base_is_a_fault(project, tmp_path):
    """A clone of the branch alone does not even know main."""
    copy = cloned(project, tmp_path, "feature", "--depth", "2")
    copy.git("remote", "set-head", "origin", "--delete")
    assert "git fetch --unshallow" in fault_of(copy)
