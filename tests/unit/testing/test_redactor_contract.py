"""The contract of redactors: a correct one passes, a broken one fails the test named after its fault."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest

pytest.importorskip("hypothesis", reason="the contracts need the extra `testing`")

from pytest_pii_eval.testing.redaction_texts import IDENTIFIERS
from pytest_pii_eval.testing.redactor_contract import RedactorContract

CONTRACTS = """
import pytest
import broken_redactors as redactors
from pytest_pii_eval.testing import RedactorContract

def contract(name, make, detector=None, **declared):
    parts = {"redactor": pytest.fixture(lambda self: make()), "examples": 5, "long_text": 30_000, **declared}
    if detector is not None:
        parts["detector"] = pytest.fixture(lambda self: detector())
    globals()[f"Test{name}"] = type(f"Test{name}", (RedactorContract,), parts)

for name, one in list(vars(redactors).items()):
    if isinstance(one, type) and issubclass(one, redactors.Correct):
        contract(name, one)
contract("MasksAgainDeclared", redactors.MasksAgain, idempotent=True)
contract("Idempotent", redactors.Correct, idempotent=True)
contract("Stars", redactors.Stars, restores=False, reports_ranges=False)
contract("StarsDeclaredWrongly", redactors.Stars, restores=False)
contract("StarsDeclaredToRestore", redactors.Stars, reports_ranges=False)
contract("CountsOnDeclared", redactors.CountsOn, deterministic=False)
contract("WithDetector", redactors.Correct, redactors.Behind)
contract("WithOtherDetector", redactors.Correct, redactors.BehindWithoutPhones)
contract("OneIdentifier", redactors.Correct, identifiers=(("email", "k.osei@example.org"),))
contract("OtherPlaceholder", redactors.Correct, placeholder="#+")

class TestNoRedactor(RedactorContract):
    pass
"""

STAYS = "characters_of_an_identifier_stay"
FAULTS = {
    "Correct": [],
    "LeavesLastCharacter": [STAYS],
    "MasksNothing": [STAYS],
    "ReplacesEverywhere": ["a_longer_value_stays_around_another"],
    "MasksTheFirstOnly": ["a_repeated_identifier_stays"],
    "MasksTheFirstEight": ["a_repeated_identifier_stays"],
    "MergesAcrossCommas": ["an_adjacent_identifier_stays"],
    "ShiftsRanges": ["reported_ranges_are_not_those_removed"],
    "ReportsBytes": ["reported_ranges_are_shifted_by_unusual_characters"],
    "ReportsRepeatsOnce": ["a_repeated_identifier_stays"],
    "CutsByUtf16": ["an_identifier_stays_among_unusual_characters"],
    "ReadsTheBeginning": ["an_identifier_stays_in_a_long_text"],
    "TidiesLineEnds": ["unusual_characters_are_changed"],
    "Shouts": ["kept_text_is_changed"],
    "ReturnsText": ["mask_gives_no_redaction"],
    "CountsOn": ["an_answer_depends_on_earlier_texts"],
    "RaisesWithText": ["an_exception_holds_text"],
    "RestoreRaisesWithText": ["an_exception_holds_text"],
    "Exits": ["mask_gives_no_redaction"],
    "RestoresOnce": ["restore_mixes_repeated_values"],
    "RestoresTouchingAsOne": ["restore_mixes_adjacent_values"],
    "RestoresByPart": ["restore_mixes_values_inside_other_values"],
    "TakesTextForPlaceholders": ["restore_takes_text_for_a_placeholder"],
    "RestoresTidied": ["restore_changes_unusual_characters"],
    "RestoresTrimmed": ["a_text_without_identifiers_is_not_restored"],
    "RestoresShort": ["restore_changes_a_long_text"],
    "RestoresNothing": ["a_plain_text_is_not_restored"],
    "RemembersTheLatest": ["restore_knows_the_latest_text_only"],
    "MasksAgain": [],
    "MasksAgainDeclared": ["a_masked_text_is_masked_again"],
    "Idempotent": [],
    "Stars": [],
    "StarsDeclaredWrongly": ["reported_ranges_are_not_those_removed"],
    "StarsDeclaredToRestore": ["a_plain_text_is_not_restored"],
    "CountsOnDeclared": [],
    "OneIdentifier": [],
    "WithDetector": [],
    "WithOtherDetector": ["removed_ranges_are_not_those_the_detector_protects"],
    "OtherPlaceholder": ["kept_text_is_changed"],
}


class Run(NamedTuple):
    """Outcomes and messages of each test by class, and everything that one run wrote."""

    outcomes: dict[str, dict[str, str]]
    messages: dict[tuple[str, str], str]
    output: str

    def of(self, class_, outcome):
        """Return the tests of a class that came out so."""
        return [test for test, other in self.outcomes[class_].items() if other == outcome]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Run all contracts once."""
    return run_contracts(tmp_path_factory.mktemp("contracts"), "-rA")


def run_contracts(directory, *arguments):
    """Run contracts in a process of its own, as talkative as a user may have it."""
    (directory / "test_contracts.py").write_text(CONTRACTS, encoding="utf-8")
    (directory / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n", encoding="utf-8")
    plugins = [f"-pno:{name}" for name in ("cacheprovider", "hypothesispytest", "randomly", "xdist")]
    talk = ["--assert=plain", "-vv", "-l", "--tb=long", "--junitxml=junit.xml", "-ojunit_logging=all"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *plugins, *talk, *arguments],
        cwd=directory,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    junit = (directory / "junit.xml").read_text(encoding="utf-8")
    return read(junit, done.stdout + done.stderr + junit)


def read(junit, output):
    outcomes, messages = {}, {}
    for case in ET.fromstring(junit).iter("testcase"):  # noqa: S314  # written by the run above
        class_ = case.get("classname").rpartition(".")[2].removeprefix("Test")
        test = case.get("name").removeprefix("test_")
        verdict = next((child for child in case if child.tag in ("failure", "error", "skipped")), None)
        outcomes.setdefault(class_, {})[test] = "passed" if verdict is None else verdict.tag
        messages[class_, test] = "" if verdict is None else verdict.get("message")
    return Run(outcomes, messages, output)


@pytest.mark.parametrize("class_", FAULTS)
def test_each_fault_fails_the_test_named_after_it(run, class_):
    """A correct redactor passes; one with one fault fails one test."""
    unwell = {
        test: outcome for test, outcome in run.outcomes[class_].items() if outcome in ("failure", "error")
    }
    assert unwell == dict.fromkeys(FAULTS[class_], "failure")


def test_every_redactor_was_run(run):
    """No class is left out of the table, and each ran every test of the contract."""
    tests = {name.removeprefix("test_") for name in vars(RedactorContract) if name.startswith("test_")}
    assert run.outcomes.keys() == {*FAULTS, "NoRedactor"}
    assert all(outcomes.keys() == tests for outcomes in run.outcomes.values())


def test_every_test_of_the_contract_has_a_redactor_that_fails_it(run):
    """No test is there that cannot fail."""
    tests = {name.removeprefix("test_") for name in vars(RedactorContract) if name.startswith("test_")}
    assert {fault for faults in FAULTS.values() for fault in faults} == tests


def test_no_text_is_shown(run):
    """Neither values nor words around them are in the output, with -l and --tb=long, or in JUnit."""
    assert shown_in(run.output) == []


def test_no_text_is_shown_in_a_full_trace(tmp_path):
    """--full-trace shows the frames of tests that fail, with -l their variables: no text is among them."""
    run = run_contracts(tmp_path, "--full-trace", "-k", f"{STAYS} and (Leaves or Shouts or CutsByUtf16)")
    assert run.of("LeavesLastCharacter", "failure") == [STAYS]
    assert "def outside(" in run.output
    assert shown_in(run.output) == []


def shown_in(output):
    return [text for text in ("please", "gather", *(value for _, value in IDENTIFIERS)) if text in output]


def test_a_correct_redactor_skips_only_what_it_does_not_declare(run):
    """A skip has a reason that the class can do something about."""
    skipped = {test: run.messages["Correct", test] for test in run.of("Correct", "skipped")}
    assert skipped == {
        "a_masked_text_is_masked_again": "the class declares idempotent = False",
        "removed_ranges_are_not_those_the_detector_protects": "the class has no fixture `detector`",
    }


def test_a_mask_of_stars_is_judged_without_ranges_and_restore(run):
    """What a class declares away is skipped with that reason; all else is judged by alignment."""
    reasons = {run.messages["Stars", test] for test in run.of("Stars", "skipped")}
    assert reasons == {
        "the class declares restores = False",
        "the class declares reports_ranges = False",
        "the class declares idempotent = False",
        "the class has no fixture `detector`",
    }
    assert STAYS in run.of("Stars", "passed")
    assert "an_identifier_stays_in_a_long_text" in run.of("Stars", "passed")


def test_texts_that_cannot_be_made_are_no_success(run):
    """One identifier is in no pair, adjacent or nested: those tests are skipped, not passed."""
    reason = "no text of this kind can be made of `identifiers`"
    skipped = [
        test for test in run.outcomes["OneIdentifier"] if run.messages["OneIdentifier", test] == reason
    ]
    assert sorted(skipped) == [
        "a_longer_value_stays_around_another",
        "an_adjacent_identifier_stays",
        "restore_mixes_adjacent_values",
        "restore_mixes_values_inside_other_values",
    ]


def test_what_follows_from_a_fault_is_skipped_for_it(run):
    """Where identifiers stay in plain text, the special texts say nothing new."""
    reason = "the same fault shows on simpler texts, where another test fails for it"
    assert run.messages["LeavesLastCharacter", "a_repeated_identifier_stays"] == reason


def test_a_class_without_a_redactor_is_told_so(run):
    """The fixture is missing in every test."""
    assert set(run.outcomes["NoRedactor"].values()) == {"error"}
    assert "TestNoRedactor needs a fixture `redactor`" in run.output


@pytest.mark.parametrize(
    ("class_", "test", "message"),
    [
        (
            "LeavesLastCharacter",
            STAYS,
            "1 of 1 planted identifiers keep characters in their place, the first at code points 7..26",
        ),
        (
            "ShiftsRanges",
            "reported_ranges_are_not_those_removed",
            (
                "1 ranges are reported and 1 removed;"
                " they differ first at code points 8..27 and code points 7..26"
            ),
        ),
        (
            "RestoresNothing",
            "a_plain_text_is_not_restored",
            "restore gives another text: 22 code points, different from code point 7 on",
        ),
    ],
)
def test_a_failure_says_fault_counts_and_offsets(run, class_, test, message):
    """`please ` has 7 code points, the first value 19, ` table` 6; `<EMAIL_1>` has 9."""
    sample = "an identifier within a text (32 code points)"
    assert run.messages[class_, test] == f"Failed: {sample}: {message}"
