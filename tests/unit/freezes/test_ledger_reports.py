"""The reports of promotions: the one that the ledger is bound to, and those that it should know of."""

from __future__ import annotations

import json

import pytest
from ledger_repository import REPORT, make, verdicts, write_json
from ledger_values import ZERO, chain, commit, ended
from ship_values import PLAN, binding, floors, report

from pytest_pii_eval.freezes.shipping import ship_parts

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


GATE = {
    "id": "floors[0]",
    "metric": "recall",
    "direction": "min",
    "value": 0.5,
    "limit": 0.9,
    "support": 2,
    "verdict": "fail",
}
RULE_FAILED = {"ledger-holds": {"verdict": "fail", "reasons": []}}
RULE_UNTOLD = {"ledger-holds": {"verdict": "not_evaluated", "reasons": []}}


def no_ship(place, **changes):
    """Write the ledger of one promotion that did not ship, and its report with `changes`."""
    report = place.report("rc-1", chain(place.begun()), **{"ships": False, **changes})
    end = ended(bound=place.bound(), report=report, verdict="no_ship")
    place.ledger.write_bytes(chain(place.begun(), end))


def test_the_parts_are_those_of_a_ship_verdict():
    """The names by which reports are held are those that a sealed run writes."""
    parts = ship_parts(report(), binding(), plan=PLAN, floors=floors(), freezes=binding().freezes, failures=0)
    assert parts.keys() == verdicts().keys()


@pytest.mark.parametrize("change", ["none", "without", "more"])
def test_a_verdict_of_other_parts_is_a_fault(place, change):
    """Nobody leaves a part out, and whoever adds one judged by other rules."""
    parts = verdicts(more="pass") if change == "more" else verdicts()
    if change == "without":
        del parts["domain"]
    place.ship(parts={} if change == "none" else parts)
    assert place.verified().faults == ("rc-1.json: promotion.parts: contradicts the ship verdict",)


@pytest.mark.parametrize("verdict", ["fail", "not_evaluated"])
def test_a_part_that_does_not_pass_ships_nothing(place, verdict):
    """Report and last line may have been edited together: the part speaks against both."""
    place.ship(parts=verdicts(floors=verdict))
    assert place.verified().faults == ("rc-1.json: promotion.ships: contradicts the ship verdict",)


def test_a_verdict_without_a_failing_part_ships(place):
    """A report cannot withhold what all its parts give."""
    no_ship(place, parts=verdicts())
    assert place.verified().faults == ("rc-1.json: promotion.ships: contradicts the ship verdict",)


@pytest.mark.parametrize(
    ("field", "part", "outside"),
    [
        ("scorer.git_revision", "scorer", {"scorer": {**REPORT["scorer"], "git_revision": "0" * 40}}),
        ("scorer.git_revision", "scorer", {"scorer": {**REPORT["scorer"], "git_revision": None}}),
        ("scorer.source_sha256", "scorer", {"scorer": {**REPORT["scorer"], "source_sha256": ZERO}}),
        ("subject.fingerprint", "bound", {"subject": {**REPORT["subject"], "fingerprint": ZERO}}),
    ],
)
def test_another_scorer_or_detector_than_bound_is_a_fault(place, field, part, outside):
    """Whether it ships or not, but where the part that speaks of it fails: then the report says so itself."""
    fault = (f"rc-1.json: {field}: contradicts the ship verdict",)
    place.ship(outside=outside)
    assert place.verified().faults == fault
    no_ship(place, outside=outside)
    assert place.verified().faults == fault
    no_ship(place, outside=outside, parts=verdicts(**{part: "fail"}))
    assert place.verified().faults == ()


@pytest.mark.parametrize(
    ("field", "outside"),
    [
        ("passed", {"passed": False}),
        ("passed", {"passed": None}),
        ("complete", {"complete": False}),
        ("complete", {"consistent": False}),
        ("complete", {"selection": {"whole": False, "collected": 3, "selected": 2}}),
        ("missing_count", {"missing_count": 1}),
        ("missing_count", {"missing": ["an item"]}),
        ("missing_count", {"crashed": ["an item"]}),
        ("scorer.git_dirty", {"scorer": {**REPORT["scorer"], "git_dirty": True}}),
        ("subject.replayed", {"subject": {**REPORT["subject"], "replayed": True}}),
        ("evidence_notes", {"evidence_notes": ["too_few_documents"]}),
        ("gates", {"gates": [GATE]}),
        ("run.gates", {"run": {**REPORT["run"], "gates": [GATE]}}),
        ("freeze_rules", {"freeze_rules": {}}),
        ("freeze_rules", {"freeze_rules": RULE_FAILED}),
        ("freeze_rules", {"freeze_rules": RULE_UNTOLD}),
    ],
)
def test_what_speaks_against_shipping_is_a_fault_where_it_ships(place, field, outside):
    """Whatever its parts say; a promotion that does not ship may have all of it."""
    place.ship(outside=outside)
    assert place.verified().faults == (
        f"rc-1.json: {field}: is nothing that ships, and the verdict says ship",
    )
    no_ship(place, outside=outside)
    assert place.verified().faults == ()


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
