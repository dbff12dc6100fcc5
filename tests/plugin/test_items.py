"""Items of one case, of one pattern or of one file: the same report, and each failed case is still told."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest

from conftest import EMAIL, MAIL, NAME, NAME_ID, negative, occurrence, positive

POSITIVE = "conformance-positive.jsonl"
NEGATIVE = "conformance-negative.jsonl"
STRANGER = "def pytest_runtest_setup(item): pass\n"
MISSED = (
    "case email.02: 1 of 1 expected records not mapped (1 missed, 0 wrong canonical)\n"
    "  email bytes 20..36: missed, shadowed by the same entity's pattern at email bytes 19..36"
)
LIMIT = (
    "case crowd.00: the scan raised more records than the limit of 3 a case (ini pii_max_matches)\n"
    "case crowd.01: the scan raised more records than the limit of 3 a case (ini pii_max_matches)"
)
HIT = (
    "case dirty.00: 2 unexpected hits in a negative case\n"
    "  person bytes 3..23 matched\n"
    "  email bytes 28..45 matched"
)
SHAKY = """
    from pytest_pii_eval.detectors.bank_detector import BankDetector

    scan = BankDetector.scan

    def shaky(self, text, **fields):
        if "per 3 for" in text:
            print(text)
            raise {error}(text)
        return scan(self, text, **fields)

    BankDetector.scan = shaky
    BankDetector.quiet = False
"""
SKIP_ONE = """
import pytest

def pytest_collection_modifyitems(items):
    for item in items:
        if item.name == "pattern-000001":
            item.add_marker(pytest.mark.skip(reason="slow"))
"""
KNOWN = ("passed", "skipped")


@pytest.fixture
def flawed(suite):
    """The small suite with a missed case, two whose scan breaks the limit, and a negative that hits."""
    expected = suite.positives[5]["expected"][0]
    expected.update(string=MAIL[1:], start=expected["start"] + 1)
    crowd = f"{MAIL} " * 4
    for ordinal in range(2):
        row = positive(f"crowd.0{ordinal}", crowd, ["html"], occurrence(crowd, MAIL, EMAIL))
        suite.positives.append(row)
    suite.negatives.append(negative("dirty.00", f"By {NAME} and {MAIL}.", ["boundary", "negative"], "named"))
    suite.pytester.makeini("[pytest]\npii_max_matches = 3\n")
    return suite.write()


def shaky(suite, error):
    """Let the engine raise `error` in the case person.03, and say its text aloud."""
    suite.pytester.makepyfile(saboteur=SHAKY.format(error=error))
    return suite.write()


def report_of(suite, *arguments):
    """Return exit status, outcomes and report of a run."""
    result = suite.run(*arguments)
    outcomes = result.parseoutcomes()
    return result.ret, outcomes.get("passed", 0), outcomes.get("failed", 0), suite.comparable()


def test_a_suite_that_holds_has_one_report(suite):
    """One case, one pattern, one file an item: 24, 3 and 2 items beside 5 of support, and one report."""
    suite.write()
    ret, passed, failed, plain = report_of(suite)
    assert (ret, passed, failed) == (0, 29, 0)
    assert report_of(suite, "--pii-items=pattern") == (0, 8, 0, plain)
    assert report_of(suite, "--pii-items=file") == (0, 7, 0, plain)


def test_a_suite_that_does_not_hold_has_one_report(flawed):
    """Misses, hits and broken limits add up alike, in one process and in two."""
    ret, passed, failed, plain = report_of(flawed)
    assert (ret, passed, failed) == (1, 28, 4)
    assert report_of(flawed, "--pii-items=pattern") == (1, 7, 2, plain)
    assert report_of(flawed, "--pii-items=pattern", "-n2") == (1, 7, 2, plain)
    assert report_of(flawed, "--pii-items=file") == (1, 5, 2, plain)
    counts = flawed.report()["conformance"]
    assert (counts["correctly_mapped"], counts["missed"], counts["failed_scans"]) == (17, 3, 2)
    assert (counts["negative_cases"], counts["unexpected_negative_matches"]) == (7, 1)
    assert flawed.report()["complete"] is True
    assert flawed.report()["selection"] == {
        "collected": 27,
        "every_item": True,
        "limit": None,
        "selected": 27,
        "whole": True,
    }


@pytest.mark.parametrize("stranger", ["", STRANGER], ids=["quick", "usual"])
def test_a_group_tells_each_failed_case(flawed, stranger):
    """Its text holds what the item of each case would say, and names show nothing of the bank."""
    flawed.pytester.makeconftest(stranger)
    result = flawed.run("--pii-items=pattern", "-vv", "--junitxml=junit.xml")
    (tests,) = ET.parse(flawed.path / "junit.xml").getroot()  # noqa: S314  # written by pytest a moment ago
    told = {case.get("name"): [child.text for child in case] for case in tests}
    email = f"pattern-000001: 3 of 11 cases do not hold\n{MISSED}\n{LIMIT}"
    reason = f"negative-named: 1 of 1 cases do not hold\n{HIT}"
    assert told["pattern-000001"] == [email]
    assert told["negative-named"] == [reason]
    assert told["pattern-000002"] == told["negative-look_alike"] == []
    assert len(told) == 9
    output = result.stdout.str()
    assert f"FAILED {POSITIVE}::pattern-000001 - pattern-000001: 3 of 11 cases do not hold" in output
    assert NAME_ID not in output
    assert NAME not in output


def test_ids_are_revealed_where_asked_for(flawed):
    """`--pii-reveal=ids` names patterns in the text of a group, as in that of a case."""
    result = flawed.run("--pii-items=file", "--pii-reveal=ids")
    result.stdout.fnmatch_lines([f"*person bytes 3..23 ({NAME_ID}/full-name) matched"])


def test_a_case_that_breaks_the_engine_costs_no_other(suite):
    """The other cases of its group count, the report is that of single cases, and no text gets out."""
    ret, _, failed, plain = report_of(shaky(suite, "ValueError"), "-psaboteur")
    assert (ret, failed) == (1, 1)
    assert suite.report()["conformance"]["correctly_mapped"] == 17
    for items in ("pattern", "file"):
        result = suite.run("-psaboteur", f"--pii-items={items}", "-s", "-l", "--tb=long", "--full-trace")
        assert result.parseoutcomes()["failed"] == 1
        assert suite.comparable() == plain
        output = result.stdout.str() + result.stderr.str()
        assert "case person.03: ValueError in saboteur.py:" in output
        assert NAME not in output


@pytest.mark.parametrize("stranger", ["", STRANGER], ids=["quick", "usual"])
@pytest.mark.parametrize(
    ("items", "held", "left", "missing"),
    [
        ("pattern", 3, "pattern-000002: 6 of 9", {"pattern-000001", "pattern-000002"}),
        ("file", 6, "all-cases: 12 of 18", {"all-cases"}),
    ],
)
def test_an_interrupt_loses_nothing_that_was_found(suite, stranger, items, held, left, missing):
    """What a group had found counts, the group is named as missing, and no text gets out."""
    suite.pytester.makeconftest(stranger)
    result = shaky(suite, "KeyboardInterrupt").run("-psaboteur", f"--pii-items={items}", "-s", "--full-trace")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    report = suite.report()
    assert report["complete"] is False
    assert report["conformance"]["correctly_mapped"] == held
    assert report["conformance"]["missed"] == 18 - held
    assert set(report["missing"]) == missing
    output = result.stdout.str() + result.stderr.str()
    assert f"{left} cases were not reached: interrupted" in output
    assert NAME not in output


def test_a_lost_group_is_missing_under_its_name(suite):
    """A skipped group is named, its cases count as missed, and the report is incomplete."""
    suite.pytester.makeconftest(SKIP_ONE)
    suite.write().run("--pii-items=pattern")
    report = suite.report()
    assert (report["complete"], report["missing"], report["missing_count"]) == (False, ["pattern-000001"], 1)
    assert (report["conformance"]["correctly_mapped"], report["conformance"]["missed"]) == (9, 9)


def test_the_audit_knows_each_case(flawed):
    """Rows and results of single cases are the same to the byte, whatever held them."""
    flawed.run("--pii-audit-dir=plain")
    flawed.run("--pii-items=pattern", "--pii-audit-dir=pattern", "-n2")
    flawed.run("--pii-items=file", "--pii-audit-dir=file")
    for name in ("positive-cases", "positive-results", "negative-cases", "negative-results"):
        held = {folder: flawed.path / folder / f"{name}.jsonl" for folder in ("plain", "pattern", "file")}
        assert held["pattern"].read_bytes() == held["plain"].read_bytes()
        assert held["file"].read_bytes() == held["plain"].read_bytes()
    assert len((flawed.path / "file/positive-results.jsonl").read_text().splitlines()) == 20


def test_the_audit_knows_cases_of_a_lost_group(suite):
    """Each case of a group that was skipped has a line of its own that says so."""
    suite.pytester.makeconftest(SKIP_ONE)
    suite.write().run("--pii-items=pattern", "--pii-audit-dir=audit")
    lines = (suite.path / "audit/positive-results.jsonl").read_text().splitlines()
    results = [json.loads(line) for line in lines]
    outcomes = {
        outcome: [one["case_id"] for one in results if one["outcome"] == outcome] for outcome in KNOWN
    }
    assert outcomes == {
        "passed": [row["case_id"] for row in suite.positives[0::2]],
        "skipped": [row["case_id"] for row in suite.positives[1::2]],
    }
    assert len(results) == 18
