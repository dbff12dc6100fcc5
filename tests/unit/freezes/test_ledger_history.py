"""The ledger against git: lines are put behind, and never taken away; what git cannot tell is a fault."""

from __future__ import annotations

import pytest
from ledger_repository import make, write_freezes
from ledger_values import LONG, begun, chain, commit, ended, git

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.freezes_file import read_freezes
from pytest_pii_eval.freezes.verifying import ledger_faults

LINES = LONG.splitlines(keepends=True)
SHORT = b"".join(LINES[:2])


@pytest.fixture
def place(tmp_path):
    """A repository with a freezes file and no ledger yet."""
    return make(tmp_path)


def committed(place, payload):
    """Commit a ledger, and return the first characters of the commit."""
    place.ledger.write_bytes(payload)
    return commit(place.top)[:12]


def test_no_ledger_yet_is_no_fault(place):
    """Before the first promotion there is nothing to lose."""
    assert place.faults() == ()


def test_lines_put_behind_are_no_fault(place):
    """Every version is a beginning of the next one, committed or not."""
    committed(place, SHORT)
    committed(place, b"".join(LINES[:4]))
    place.ledger.write_bytes(LONG)
    assert place.faults() == ()


@pytest.mark.parametrize("left", [b"", SHORT], ids=["emptied", "last lines removed"])
def test_lines_removed_from_the_end_are_a_fault(place, left):
    """The chain cannot see it, and git does; the commit is named."""
    revision = committed(place, LONG)
    place.ledger.write_bytes(left)
    assert place.faults() == (
        (
            f"ledger.jsonl: is not what commit {revision} has with lines put behind it;"
            " restore the ledger from git"
        ),
    )


def test_removed_ledger_is_a_fault(place):
    """A ledger that git has and the folder lacks was removed."""
    committed(place, SHORT)
    place.ledger.unlink()
    assert len(place.faults()) == 1


def test_removal_that_was_committed_is_a_fault(place):
    """Committing the removal does not make it good."""
    revision = committed(place, LONG)
    committed(place, SHORT)
    assert [revision in fault for fault in place.faults()] == [True]


def test_another_ledger_is_a_fault(place):
    """A ledger that was begun anew is whole by itself, and not what git has."""
    committed(place, SHORT)
    place.ledger.write_bytes(chain(begun("rc-7")))
    assert len(place.faults()) == 1


def test_lines_lost_in_a_merge_are_a_fault(place):
    """Both sides of a merge ran a promotion: the ledger keeps one, and the other is missed."""
    committed(place, chain(begun("rc-1"), ended("rc-1")))
    git(place.top, "checkout", "-q", "-b", "other")
    lost = committed(place, chain(begun("rc-1"), ended("rc-1"), begun("rc-2")))
    git(place.top, "checkout", "-q", "main")
    committed(place, chain(begun("rc-1"), ended("rc-1"), begun("rc-3")))
    git(place.top, "merge", "-q", "-s", "ours", "other")
    assert [lost in fault for fault in place.faults()] == [True]


def test_detached_head_has_a_history(place):
    """No branch is needed to tell what was there."""
    committed(place, LONG)
    git(place.top, "checkout", "-q", "--detach")
    place.ledger.write_bytes(SHORT)
    assert len(place.faults()) == 1


def test_ledger_under_another_name_begins_with_all_lines(place):
    """A ledger that the freezes file names elsewhere now must still have the lines of the old place."""
    committed(place, SHORT)
    write_freezes(place.top, ledger="new.jsonl")
    (place.top / "new.jsonl").write_bytes(SHORT)
    moved = place.faults()
    (place.top / "new.jsonl").write_bytes(b"")
    assert (moved, len(place.faults())) == ((), 1)


def test_shallow_clone_is_a_fault(place, tmp_path_factory):
    """A clone without history cannot show that lines were removed, and says what to do."""
    committed(place, SHORT)
    committed(place, LONG)
    clone = tmp_path_factory.mktemp("clone")
    git(clone, "clone", "-q", "--depth", "1", f"file://{place.top}", ".")
    faults = place._replace(top=clone).faults()
    assert len(faults) == 1
    assert faults[0].startswith("ledger.jsonl: its history cannot be checked: is a shallow clone")


def test_no_git_is_a_fault(place):
    """Without a repository nobody can tell."""
    file = read_freezes(place.top / "freezes.json")
    assert ledger_faults(file, Fault("there is no git repository here")) == (
        "ledger.jsonl: its history cannot be checked: there is no git repository here",
    )


def test_ledger_in_another_repository_is_a_fault(place):
    """A repository inside the repository keeps the ledger from the history of the freezes file."""
    (place.top / "inner").mkdir()
    git(place.top / "inner", "init", "-q")
    write_freezes(place.top, ledger="inner/ledger.jsonl")
    assert place.faults() == (
        (
            "ledger.jsonl: its history cannot be checked: lies in another git repository"
            " than the freezes file; keep both in one"
        ),
    )


def test_edited_ledger_has_both_faults(place):
    """An edit breaks the chain, and is not what git has."""
    committed(place, LONG)
    place.ledger.write_bytes(LONG.replace(b'"ship"', b'"no_ship"', 1))
    chained, known = place.faults()
    assert chained.startswith("ledger.jsonl:3: previous: ")
    assert known.startswith("ledger.jsonl: is not what commit ")


def test_linked_ledger_is_a_fault(place):
    """A ledger that is a symlink is not read."""
    (place.top / "real.jsonl").write_bytes(LONG)
    place.ledger.symlink_to("real.jsonl")
    assert place.faults() == ("ledger.jsonl: is a symlink; name the real file",)
