"""The rule that commitment and thresholds are not edited in one change, whatever that change is made of."""

from __future__ import annotations

import pytest
from freeze_projects import FREEZES, GATES, OPEN, SET, Project, copied, held_project
from freeze_repository import Checkout

from pytest_pii_eval.freezes.finding import PASS
from pytest_pii_eval.freezes.rules import RULES

SEAL = "freezes/sealed.commitment.json"
TOGETHER = "sealed-and-thresholds-not-in-one-change"
THRESHOLDS = ["floors.yaml", "dev/suite.yaml", "corpora.yaml", "tool.ini"]


@pytest.fixture(scope="module")
def held(tmp_path_factory):
    """A project whose setup is on `main`."""
    return held_project(tmp_path_factory.mktemp("held") / "work")


@pytest.fixture
def project(held, tmp_path):
    """A copy of it that a test may change."""
    return copied(held, tmp_path)


def ruled(project, **changes):
    """Return what a rule finds."""
    return RULES[TOGETHER](project.standing(**changes))


@pytest.mark.parametrize("name", THRESHOLDS)
def test_a_threshold_and_the_commitment_in_one_change_fail(project, name):
    """Whether in one commit or in two of one branch, and though the edit was taken back."""
    before = (project.top / name).read_text(encoding="utf-8")
    project.write(name, before + "# edited\n")
    project.checkout.commit()
    project.write(name, before)
    project.seal("c")
    project.checkout.commit()
    found = ruled(project)
    assert found == (
        "fail",
        (
            (
                f"{name} and {SEAL} are edited in one change (2 commits since main, and what is uncommitted):"
                " edit thresholds in a change of their own"
            ),
        ),
    )


@pytest.mark.parametrize("staged", [False, True])
def test_what_is_not_committed_is_in_the_change(project, staged):
    """Neither index nor work tree is a way around."""
    project.seal("c")
    project.checkout.commit()
    project.write("floors.yaml", SET)
    if staged:
        project.checkout.git("add", "floors.yaml")
        project.write("floors.yaml", OPEN)
    assert ruled(project).verdict == "fail"


def test_removing_is_editing(project):
    """A threshold that is gone holds nobody."""
    project.seal("c")
    (project.top / "corpora.yaml").unlink()
    project.checkout.git("rm", "-q", "dev/suite.yaml")
    found = ruled(project)
    assert found.verdict == "fail"
    assert found.reasons[0].startswith(f"dev/suite.yaml, corpora.yaml and {SEAL} are edited in one change")


def test_a_renamed_commitment_is_touched(project):
    """Its old name is."""
    project.checkout.git("mv", SEAL, "freezes/other.json")
    project.write("floors.yaml", SET)
    assert ruled(project).verdict == "fail"


@pytest.mark.parametrize("name", ["Floors.yaml", "DEV/suite.yaml"])
def test_another_spelling_of_a_name_is_the_same_file(project, name):
    """On some disks it is; where it is not, a name that is that close can wait for another change."""
    project.write(name, SET)
    project.seal("c")
    assert ruled(project).verdict == "fail"


def test_a_suite_in_a_submodule_is_edited_with_it(project, tmp_path):
    """Git sees another commit of the submodule, and nothing of what is in there."""
    part = Checkout.new(tmp_path / "part")
    part.commit(**{"suite.yaml": "role: public\n"})
    project.checkout.git("submodule", "--quiet", "add", f"file://{part.top}", "part")
    project.freezes(sets={**FREEZES["sets"], "part": {"role": "public", "suite": "part"}})
    project.checkout.commit()
    project.checkout.git("branch", "-f", "main")
    project.seal("c")
    assert ruled(project) == PASS
    project.write("part/suite.yaml", GATES.format("0.1"))
    found = ruled(project)
    assert found.verdict == "fail"
    assert found.reasons[0].startswith("part/suite.yaml and ")


def test_other_floors_are_an_edit_of_thresholds(project):
    """A freezes file may name floors that were there already, and nobody touched."""
    project.write("loose.yaml", SET)
    project.checkout.commit()
    project.checkout.git("branch", "-f", "main")
    project.freezes(floors="loose.yaml")
    assert ruled(project) == PASS
    project.seal("c")
    found = ruled(project)
    assert found.verdict == "fail"
    assert found.reasons[0].startswith(f"freezes.yaml and {SEAL} are edited in one change")


def sealed_elsewhere(key="sealed"):
    """Return the sets of a freezes file that names a commitment which was there already."""
    other = {"role": "sealed_freeze", "commitment": "freezes/other.json"}
    return {"dev": FREEZES["sets"]["dev"], key: other}


def prepared(project):
    """Commit, long before the change, another commitment, which the freezes file does not name."""
    kept = (project.top / SEAL).read_text(encoding="utf-8")
    project.seal("d")
    project.write("freezes/other.json", (project.top / SEAL).read_text(encoding="utf-8"))
    project.write(SEAL, kept)
    project.checkout.commit()
    project.checkout.git("branch", "-f", "main")


@pytest.mark.parametrize("committed", [False, True])
def test_another_commitment_is_another_sealed_freeze(project, committed):
    """A freezes file may name a commitment that was there already, and nobody touched."""
    prepared(project)
    project.freezes(sets=sealed_elsewhere())
    assert ruled(project) == PASS
    project.write("floors.yaml", SET)
    if committed:
        project.checkout.commit()
    found = ruled(project)
    assert found.verdict == "fail"
    assert found.reasons[0].startswith(
        "floors.yaml and freezes.yaml (it names another sealed freeze) are edited in one change ("
    )


def test_a_commitment_that_only_moves_is_the_same_freeze(project):
    """The same bytes under another name are the sealed freeze that was there before."""
    project.checkout.commit()
    project.checkout.git("branch", "-f", "main")
    project.write("freezes/other.json", (project.top / SEAL).read_text(encoding="utf-8"))
    (project.top / SEAL).unlink()
    project.freezes(sets=sealed_elsewhere())
    project.write("floors.yaml", SET)
    assert ruled(project) == PASS


@pytest.mark.parametrize("base", [None, "- no freezes file\n", {"sets": {"dev": FREEZES["sets"]["dev"]}}])
def test_a_sealed_freeze_that_was_not_named_before_is_another(project, base):
    """Who takes the file, or the set, away in one change and puts it back in the next names a new one."""
    freezes = (project.top / "freezes.yaml").read_text(encoding="utf-8")
    if isinstance(base, dict):
        project.freezes(**base)
    elif base is None:
        (project.top / "freezes.yaml").unlink()
    else:
        project.write("freezes.yaml", base)
    project.checkout.commit()
    project.checkout.git("branch", "-f", "main")
    project.write("freezes.yaml", freezes)
    assert ruled(project) == PASS
    project.write("floors.yaml", SET)
    assert ruled(project).verdict == "fail"


def test_another_key_is_another_sealed_freeze(project):
    """What the ledger calls the set is what was sealed."""
    sets = {"dev": FREEZES["sets"]["dev"], "late": FREEZES["sets"]["sealed"]}
    project.freezes(sets=sets)
    project.write("floors.yaml", SET)
    assert ruled(project).verdict == "fail"


def test_a_freezes_file_that_names_the_same_freeze_may_come_with_thresholds(project):
    """Whatever else it says."""
    project.freezes(roles=["builder", "reviewer", "third"])
    project.write("floors.yaml", SET)
    assert ruled(project) == PASS


def test_what_is_not_committed_does_not_seal_the_last_commit_anew(project):
    """On main, thresholds of the last commit and a new sealed freeze after it are two changes."""
    prepared(project)
    project.write("floors.yaml", SET)
    project.checkout.commit()
    project.checkout.git("branch", "-f", "main")
    project.freezes(sets=sealed_elsewhere())
    assert ruled(project) == PASS


def test_a_threshold_that_is_named_no_more_is_still_one(project):
    """Who edits it and takes it out of the freezes file edits it."""
    project.freezes(sets={"sealed": FREEZES["sets"]["sealed"]})
    project.write("dev/suite.yaml", GATES.format("0.1"))
    project.write("tool.ini", "floor = 0")
    project.write("corpora.yaml", "floors: none")
    project.seal("c")
    found = ruled(project)
    assert found.verdict == "fail"
    assert found.reasons[0].startswith("dev/suite.yaml, corpora.yaml, tool.ini and ")


@pytest.mark.parametrize("name", THRESHOLDS)
def test_each_by_itself_passes(project, name):
    """A change of thresholds is fine; so is one of the sealed freeze."""
    project.write(name, "edited: x\n")
    assert ruled(project) == PASS


def test_the_commitment_by_itself_passes(project):
    """With whatever else is no threshold."""
    project.seal("c")
    project.attest(by="reviewer")
    project.write("other/floors.yaml", SET)
    assert ruled(project) == PASS


def test_a_range_that_was_given_is_judged(project):
    """The option decides what one change is."""
    project.write("floors.yaml", SET)
    middle = project.checkout.commit()
    project.seal("c")
    project.checkout.commit()
    assert ruled(project, git_range=f"{middle}..HEAD") == PASS
    assert ruled(project, git_range="main").verdict == "fail"
    assert ruled(project, environment={"CI_MERGE_REQUEST_DIFF_BASE_SHA": middle}) == PASS


def test_a_project_is_set_up_in_one_change(tmp_path):
    """Floors that are open and suites without gates are no thresholds yet."""
    project = Project(tmp_path)
    assert ruled(project).verdict == "fail"  # nothing is committed, so nothing can be told
    project.checkout.commit()
    assert ruled(project) == PASS
    project.write("dev/suite.yaml", GATES.format("open"))
    project.checkout.git("commit", "-q", "--all", "--amend", "-m", "all of it")
    assert ruled(project) == PASS


def test_on_main_a_commit_and_what_follows_are_two_changes(project):
    """Who commits to a sealed freeze there may set floors next; the last commit by itself is still judged."""
    project.seal("c")
    project.checkout.commit()
    project.checkout.git("branch", "-f", "main")
    project.write("floors.yaml", SET)
    assert ruled(project) == PASS
    project.checkout.git("commit", "-q", "--all", "--amend", "-m", "both")
    project.checkout.git("branch", "-f", "main")
    project.write("notes", "anything uncommitted")
    found = ruled(project)
    assert (found.verdict, "(the last commit)" in found.reasons[0]) == ("fail", True)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("floors.yaml", SET),
        ("floors.yaml", ": broken"),
        ("floors.yaml", ""),
        ("dev/suite.yaml", GATES.format("0.5")),
        ("dev/suite.yaml", "gates: no list"),
        ("dev/suite.yaml", "- no mapping"),
    ],
)
def test_a_set_up_with_numbers_is_an_edit(tmp_path, name, text):
    """A first number is a threshold, also in the work tree alone; what is unreadable may hold one."""
    project = Project(tmp_path)
    project.write("README", "nothing yet")
    project.checkout.git("add", "README")
    project.checkout.git("commit", "-q", "-m", "first")
    project.write(name, text)
    assert ruled(project).verdict == "fail"


@pytest.mark.parametrize("staged", [False, True])
def test_a_number_that_was_taken_back_is_an_edit(held, tmp_path, staged):
    """A new file that held a number in between, in a commit or in the index, is no set-up."""
    project = copied(held, tmp_path)
    project.checkout.git("rm", "-q", "floors.yaml")
    project.checkout.commit()
    project.checkout.git("branch", "-f", "main")
    project.seal("c")
    project.write("floors.yaml", SET)
    project.checkout.git("add", "floors.yaml")
    if not staged:
        project.checkout.commit()
    project.write("floors.yaml", OPEN)
    if not staged:
        project.checkout.commit()
    assert ruled(project).verdict == "fail"


def test_without_sealed_freeze_there_is_no_such_change(project):
    """Nothing is sealed, so nothing can be shown."""
    project.freezes(sets={"dev": FREEZES["sets"]["dev"]})
    assert ruled(project) == ("not_evaluated", ("the file names no sealed freeze",))


def test_a_range_that_is_none_fails(project):
    """A wrong option is no pass either."""
    found = ruled(project, git_range="--all")
    assert found == ("fail", ("--pii-git-range: is no git range; write BASE, BASE..HEAD or BASE...HEAD",))
