"""What a CI system gets: the JUnit file of a run, and its exit status."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from quality_suite import DOCUMENT

from conftest import MAIL, NAME, negative

TALKS = """
import logging, os, sys
from pytest_pii_eval.detectors.bank_detector import BankDetector

detect, scan = BankDetector.detect, BankDetector.scan

def loud(asked):
    def talking(self, text, **limits):
        print(text)
        print(text, file=sys.stderr)
        os.write(1, text.encode())
        logging.getLogger("engine").error(text)
        return asked(self, text, **limits)
    return talking

BankDetector.detect, BankDetector.scan = loud(detect), loud(scan)
BankDetector.quiet = False  # as any engine but ours
"""
LOGGED = ("-ojunit_logging=all", "-ojunit_log_passing_tests=true")
BREAKS = """
from pytest_pii_eval.session import build

def broken(*_, **__):
    raise RuntimeError("Zephyrine")

build.build_report = broken
"""
INTERRUPTS = """
from pytest_pii_eval.detectors.bank_detector import BankDetector

def interrupted(self, text, **limits):
    raise KeyboardInterrupt

BankDetector.detect = interrupted
"""


def cases(folder):
    """Return the test cases of the JUnit file: class, name, and what stands in each."""
    (suite,) = ET.parse(folder / "junit.xml").getroot()  # noqa: S314  # written by pytest a moment ago
    assert suite.find("properties") is None
    return {(one.get("classname"), one.get("name")): list(one) for one in suite}


def messages(folder):
    """Return the messages of the failed test cases, by name, line by line."""
    return {
        name: child.get("message").split("\n")
        for (_, name), children in cases(folder).items()
        for child in children
        if child.tag == "failure"
    }


@pytest.mark.parametrize("logged", [("-n2",), LOGGED], ids=["n2", "logged"])
def test_slices_are_test_cases_with_aggregate_messages(quality, logged):
    """A message says the verdict, then each failed gate; no word of a text stands in the file.

    That holds for a detector that prints, logs and writes to descriptors, whatever pytest is told to keep.
    """
    quality.pytester.makeconftest(TALKS)
    quality.only("contact", "people").write()
    assert quality.run(*logged, "--junitxml=junit.xml", "--pii-max-leaks=0").ret == 1
    assert cases(quality.path).keys() == {
        ("quality-records.jsonl", "shard-00001"),
        ("quality-slices.jsonl", "contact"),
        ("quality-slices.jsonl", "people"),
    }
    assert messages(quality.path) == {
        "contact": ["slice contact: 1 complaint", "  max-leaks: leaks 1, must be at most 0 (support 5)"],
        "people": ["slice people: 1 complaint", "  max-leaks: leaks 1, must be at most 0 (support 3)"],
    }
    text = (quality.path / "junit.xml").read_text(encoding="utf-8")
    assert [word for word in (*NAME.split(), MAIL, DOCUMENT, "Canaryborn", "shipped") if word in text] == []


def test_cases_are_test_cases_with_counts(suite):
    """A case fails with counts in its first line, without the text it failed on; nothing else is kept."""
    suite.pytester.makeconftest(TALKS)
    suite.negatives.append(negative("dirty.00", f"By {NAME} and {MAIL}.", ["boundary", "negative"]))
    assert suite.write().run("--junitxml=junit.xml").ret == 1
    assert messages(suite.path) == {
        "dirty.00": [
            "case dirty.00: 2 unexpected hits in a negative case",
            "  person bytes 3..23 matched",
            "  email bytes 28..45 matched",
        ]
    }
    found = cases(suite.path)
    assert found["conformance-positive.jsonl", "person.00"] == []
    assert {child.tag for children in found.values() for child in children} == {"failure"}


def test_a_run_in_which_everything_holds_ends_with_0(quality):
    """Status 0: nothing failed."""
    assert quality.only("mail").write().run().ret == 0


def test_a_part_of_a_suite_in_which_nothing_failed_ends_with_0(quality):
    """Status 0 without a verdict: a part cannot pass for the whole."""
    assert quality.only("mail", "people").write().run("-kmail").ret == 0
    assert quality.report()["passed"] is None


@pytest.mark.parametrize(
    "argument",
    ["--pii-max-leaks=0", "--pii-markdown=bank.json/x.md"],
    ids=["gate", "markdown"],
)
def test_what_failed_or_could_not_be_written_ends_with_1(quality, argument):
    """Status 1: a gate, or a file that was asked for."""
    assert quality.only("people").write().run(argument).ret == 1


def test_a_baseline_that_does_not_fit_ends_a_run_with_1(quality):
    """Status 1, though the report passes: what cannot be compared is not as good as before."""
    quality.only("people").write().run("--pii-report=before.json")
    quality.record("meeting")["gold_spans"].pop()
    assert quality.write().run("--pii-baseline=before.json").ret == 1
    assert quality.report()["passed"] is True


def test_a_broken_file_or_an_interruption_ends_with_2(quality):
    """Status 2: nothing ran, or not to its end."""
    quality.only("mail").write()
    (quality.path / "quality-slices.jsonl").write_text("{}\n", encoding="utf-8")
    assert quality.run().ret == 2
    quality.write()
    quality.pytester.makeconftest(INTERRUPTS)
    assert quality.run().ret == 2


def test_an_internal_error_ends_with_3(quality):
    """Status 3, and one line that names the kind of error, not what it says."""
    quality.pytester.makeconftest(BREAKS)
    result = quality.only("mail").write().run()
    assert result.ret == 3
    assert "Zephyrine" not in result.stdout.str() + result.stderr.str()
    result.stdout.fnmatch_lines(["pii-eval: the run was not judged: *RuntimeError*"])


def test_an_option_that_makes_no_sense_ends_with_4(quality):
    """Status 4: nothing was collected, here for want of the baseline."""
    assert quality.only("mail").write().run("--pii-baseline=nowhere.json").ret == 4
    assert not (quality.path / ".pii_eval").exists()


def test_a_selection_of_nothing_ends_with_5(quality):
    """Status 5: no item is left, and no report is written."""
    assert quality.only("mail").write().run("-knothing").ret == 5
    assert not (quality.path / ".pii_eval").exists()
