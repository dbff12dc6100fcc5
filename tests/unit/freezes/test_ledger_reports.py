"""The reports of promotions: the one that the ledger is bound to, and those that it should know of."""

from __future__ import annotations

import json

import pytest
from ledger_repository import make, write_json
from ledger_values import ZERO, chain, commit, ended

CANARY = "Vaxholm Tintomara"


@pytest.fixture
def place(tmp_path):
    """A repository with a freezes file and no ledger yet."""
    return make(tmp_path)


def test_report_of_an_interrupted_promotion_is_a_note(place):
    """A run killed between report and ledger leaves a report that decides nothing."""
    place.ledger.write_bytes(chain(place.begun()))
    place.report("rc-1", chain(place.begun()))
    commit(place.top)
    lines, faults = place.verified()
    assert (lines[1:], faults) == (
        ("rc-1.json: is the report of a promotion that was interrupted; it decides nothing",),
        (),
    )


def test_missing_report_is_a_fault(place):
    """A verdict without its report cannot be checked."""
    place.ship()
    (place.top / "reports" / "rc-1.json").unlink()
    assert place.verified().faults == (
        "rc-1.json: is missing: it is the report of a promotion that finished; restore it from git",
    )


def test_edited_report_is_a_fault(place):
    """A report is bound by every byte, white space too."""
    place.ship()
    report = place.top / "reports" / "rc-1.json"
    report.write_bytes(report.read_bytes() + b"\n")
    assert place.verified().faults == (
        "rc-1.json: is not the report that the ledger is bound to; restore it from git",
    )


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", "rc-2"),
        ("set", "other"),
        ("gold", ZERO),
        ("detector", ZERO),
        ("floors", ZERO),
        ("ships", False),
    ],
)
def test_report_that_says_something_else_is_a_fault(place, field, value):
    """A report that the ledger is bound to, and that speaks of another run, is told with the field."""
    place.ship(**{field: value})
    assert place.verified().faults == (f"rc-1.json: promotion.{field}: is not what the ledger has",)


def test_report_of_another_start_is_a_fault(place):
    """A report whose run started with a line that is not there shows that lines are lost."""
    place.ship(started=ZERO)
    assert [fault.split(":")[1] for fault in place.verified().faults] == [
        " promotion.started",
        " is the report of a sealed run that the ledger does not have",
    ]


def test_report_without_a_promotion_is_a_fault(place):
    """The report of a plain run is no report of a sealed one."""
    report = place.write_report("rc-1", None)
    place.ledger.write_bytes(chain(place.begun(), ended(bound=place.bound(), report=report)))
    assert place.verified().faults == ("rc-1.json: promotion.id: is not what the ledger has",)


def test_report_that_is_none_is_a_fault(place):
    """Bytes that the ledger is bound to and that are no report are told without a word of them."""
    (place.top / "reports").mkdir()
    payload = json.dumps(CANARY).encode()
    (place.top / "reports" / "rc-1.json").write_bytes(payload)
    # printf '"Vaxholm Tintomara"' | sha256sum
    report = "sha256:fa8c0ab6ab537ecd78c46e23df68780b344316d2595fed7677306b4331273a38"
    place.ledger.write_bytes(chain(place.begun(), ended(bound=place.bound(), report=report)))
    faults = place.verified().faults
    assert (faults, CANARY in str(faults)) == (("rc-1.json: must be an object",), False)


def test_report_of_a_run_that_the_ledger_lacks_is_a_fault(place):
    """Where lines were removed before anything was committed, the report gives it away."""
    place.ship()
    place.ledger.unlink()
    assert place.verified().faults == (
        "rc-1.json: is the report of a sealed run that the ledger does not have: were lines removed from it?",
    )


def test_report_under_another_name_gives_it_away_too(place):
    """The hash of the start counts, not the name of the file."""
    place.report("rc-1", chain(place.begun(at="2026-02-01T00:00:00Z")), name="old")
    place.ship()
    assert [fault.split(":")[0] for fault in place.verified().faults] == ["old.json"]


def test_other_reports_in_the_folder_are_left_alone(place):
    """The report of a plain run, and files that are no reports, are nobody's sealed run."""
    place.ship()
    place.write_report("nightly", None)
    write_json(place.top / "reports" / "other.json", {"promotion": CANARY})
    (place.top / "reports" / "notes.txt").write_text(CANARY, encoding="utf-8")
    assert place.verified().faults == ()


def test_folder_of_reports_that_is_a_symlink_is_a_fault(place):
    """Reports are read where the freezes file says, not elsewhere."""
    place.ship()
    (place.top / "reports").rename(place.top / "moved")
    (place.top / "reports").symlink_to("moved")
    assert place.verified().faults == (
        "rc-1.json: is reached through a symlink; name the real folder",
        "reports: is no folder whose reports can be listed",
    )
