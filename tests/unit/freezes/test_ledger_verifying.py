"""Verifying: what is told of each promotion, and where ledger and git do not agree."""

from __future__ import annotations

import json

import pytest
from ledger_repository import make, write_json
from ledger_values import BOUND, REPORT, ZERO, begun, broken, chain, commit, ended, git

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.freezes_file import read_freezes
from pytest_pii_eval.freezes.verifying import Verification, verify


@pytest.fixture
def place(tmp_path):
    """A repository with a freezes file and no ledger yet."""
    return make(tmp_path)


def test_nothing_to_tell(place):
    """A ledger without a promotion has nothing to tell, and nothing is wrong."""
    assert place.verified() == Verification((), ())


def test_promotion_that_shipped(place):
    """State, set, moments and report of a promotion are one line."""
    place.ship()
    commit(place.top)
    assert place.verified() == Verification(
        (
            (
                "rc-1: ship; set sealed-mail; started 2026-03-01T12:00:00Z, finished 2026-03-01T12:30:00Z;"
                " report matches"
            ),
        ),
        (),
    )


def test_promotion_that_did_not_ship(place):
    """A report that says so, and a ledger that says so, agree."""
    report = place.report("rc-1", chain(place.begun()), ships=False)
    end = ended(bound=place.bound(), report=report, verdict="no_ship")
    place.ledger.write_bytes(chain(place.begun(), end))
    commit(place.top)
    lines, faults = place.verified()
    assert (lines[0].split(";")[0], faults) == ("rc-1: no_ship", ())


def test_interrupted_promotions(place):
    """A killed run and one that could still say so are told alike, and who replaced them why."""
    end = broken(bound=place.bound(), at="2026-03-01T12:01:00Z")
    second = place.begun("rc-2", after="rc-1", reason="power-cut", at="2026-03-01T12:02:00Z")
    place.ledger.write_bytes(chain(place.begun(), end, second))
    commit(place.top)
    assert place.verified() == Verification(
        (
            (
                "rc-1: interrupted (started, never finished); set sealed-mail; started 2026-03-01T12:00:00Z,"
                " interrupted 2026-03-01T12:01:00Z; no report"
            ),
            (
                "rc-2: interrupted (started, never finished); set sealed-mail; started 2026-03-01T12:02:00Z;"
                " replaces rc-1 (reason power-cut); no report"
            ),
        ),
        (),
    )


def test_floors_that_the_commit_does_not_have_are_a_fault(place):
    """A promotion is held to the floors of the commit that it started from."""
    place.ledger.write_bytes(chain(place.begun(bound=place.bound(floors=ZERO))))
    assert place.verified().faults == ("rc-1: its floors are not those of the commit that it started from",)


def test_floors_set_later_are_no_fault(place):
    """What was committed behind the start changes nothing about the promotion."""
    place.ship()
    floor = {"kind": "exact_recall", "slice": "*", "type": "EMAIL", "limit": "0.5"}
    write_json(place.top / "floors.json", {"version": "pii_eval.floors.v1", "floors": [floor]})
    commit(place.top)
    assert place.verified().faults == ()


def test_floors_that_moved_later_are_no_fault(place):
    """The floors are those that the freezes file named then."""
    place.ship()
    git(place.top, "mv", "floors.json", "limits.json")
    document = json.loads((place.top / "freezes.json").read_text(encoding="utf-8"))
    write_json(place.top / "freezes.json", {**document, "floors": "limits.json"})
    commit(place.top)
    assert place.verified().faults == ()


def squashed(place, **floors):
    """Put everything that is there into one first commit, as a squash merge does, with `floors` or not."""
    if floors:
        floor = {"kind": "exact_recall", "slice": "*", "type": "EMAIL", **floors}
        write_json(place.top / "floors.json", {"version": "pii_eval.floors.v1", "floors": [floor]})
    git(place.top, "checkout", "-q", "--orphan", "squashed")
    revision = commit(place.top)
    git(place.top, "branch", "-q", "-D", "main")
    git(place.top, "reflog", "expire", "--expire=now", "--all")
    git(place.top, "gc", "-q", "--prune=now")
    return revision


def test_commit_that_a_squash_took_away_is_a_note(place):
    """Its floors are in the history still: by their fingerprint they are the same."""
    place.ship()
    squashed(place)
    lines, faults = place.verified()
    assert (lines[1:], faults) == (
        ("rc-1: the commit it started from is not here; its floors are those of another commit",),
        (),
    )


def test_floors_that_moved_since_are_found_in_the_history(place):
    """A version of the freezes file names where they lay."""
    place.ship()
    squashed(place)
    git(place.top, "mv", "floors.json", "limits.json")
    document = json.loads((place.top / "freezes.json").read_text(encoding="utf-8"))
    write_json(place.top / "freezes.json", {**document, "floors": "limits.json"})
    write_json(place.top / "limits.json", {})
    commit(place.top)
    assert place.verified().faults == ()


@pytest.mark.parametrize("limit", ["0.5", "no number"])
def test_commit_that_git_lacks_with_its_floors_is_a_fault(place, limit):
    """A promotion from floors that nobody has cannot be checked, also where others are broken."""
    place.ship()
    squashed(place, limit=limit)
    assert place.verified().faults == (
        (
            "rc-1: the commit it started from is not here, and no commit that leads to HEAD has its floors;"
            " fetch it from where it ran"
        ),
    )


def test_floors_on_another_branch_are_not_those_of_the_history(place):
    """Only what leads to HEAD is what was agreed on."""
    place.ledger.write_bytes(chain(begun(bound={**BOUND, "floors": place.bound()["floors"]})))
    git(place.top, "checkout", "-q", "-b", "other")
    git(place.top, "checkout", "-q", "--orphan", "apart")
    write_json(place.top / "floors.json", {})
    commit(place.top)
    (fault,) = place.verified().faults
    assert fault.startswith("rc-1: the commit it started from is not here, and no commit ")


def test_commit_without_floors_is_a_fault(place):
    """A promotion from a commit that has no floors cannot be checked, either."""
    git(place.top, "rm", "-q", "floors.json")
    revision = commit(place.top)
    place.ledger.write_bytes(chain(place.begun(bound=place.bound(repository=revision))))
    assert place.verified().faults == (
        (
            "rc-1: its floors cannot be told from git:"
            " floors.json: is not in the commit that the promotion started from"
        ),
    )


def test_clock_that_went_backwards_is_a_note(place):
    """An end before its start is told, and is no fault: the clock of a machine is nobody's edit."""
    place.ledger.write_bytes(chain(place.begun(), broken(bound=place.bound(), at="2026-03-01T11:00:00Z")))
    commit(place.top)
    lines, faults = place.verified()
    assert (lines[1:], faults) == (
        ("ledger.jsonl:2: is earlier than the line before: a clock went backwards",),
        (),
    )


@pytest.mark.parametrize(("known", "first"), [(0, 1), (1, 2)])
def test_lines_that_git_lacks_are_a_note(place, known, first):
    """Until the ledger is committed, git cannot show that a line was lost."""
    payload = chain(place.begun(), broken(bound=place.bound()))
    if known:
        place.ledger.write_bytes(payload.splitlines(keepends=True)[0])
        commit(place.top)
    place.ledger.write_bytes(payload)
    assert place.verified().lines[1:] == (
        f"ledger.jsonl: is not committed from line {first} on; commit it, so that no line can be lost",
    )


def test_edited_ledger_tells_nothing(place):
    """What cannot be trusted is not told, only that it cannot be."""
    place.ship()
    payload = place.ledger.read_bytes()
    place.ledger.write_bytes(payload.replace(b"rc-1", b"rc-2", 1))
    found = place.verified()
    assert (found.lines, [fault[:24] for fault in found.faults]) == ((), ["ledger.jsonl:2: previous"])


def test_no_git_is_one_fault(place):
    """Without git the reports are still compared, and that the rest could not be is said once."""
    place.ship()
    file = read_freezes(place.top / "freezes.json")
    found = verify(file, Fault("there is no git repository here"))
    assert (len(found.lines), found.faults) == (
        1,
        ("ledger.jsonl: its history cannot be checked: there is no git repository here",),
    )


def test_nothing_of_the_machine_is_told(place):
    """Neither lines nor faults hold a path, whatever is wrong."""
    place.ledger.write_bytes(chain(begun(bound=BOUND), ended(report=REPORT)))
    assert str(place.top.parent) not in str(place.verified())
