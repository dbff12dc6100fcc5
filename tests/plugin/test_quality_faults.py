"""Detectors that give no answer, workers that die: what is counted, what is named, how the run ends."""

from __future__ import annotations

import sys

import pytest
from quality_suite import COUNT_SCANS, DOCUMENT, record
from warm_process import SENT_TO_THE_DEAD

from conftest import MAIL, NAME, literal, regex

MISSED = "their gold counts as missed and leaked"
# Dies once, in the document that eight items want; the marker file keeps the next worker alive.
DIES_ONCE = """
import os, pathlib, signal
from pytest_pii_eval.detectors.bank_detector import BankDetector

scan_counted = BankDetector.detect

def dying(self, text, **limits):
    if text.startswith("Order"):
        try:
            pathlib.Path("died").touch(exist_ok=False)
        except FileExistsError:
            pass
        else:
            os.kill(os.getpid(), signal.SIGKILL)
    return scan_counted(self, text, **limits)

BankDetector.detect = dying
"""
RAISES = """
from pytest_pii_eval.detectors.bank_detector import BankDetector

detect = BankDetector.detect

def raising(self, text, **limits):
    if text.startswith("Zephyrine"):
        raise LookupError(text)
    return detect(self, text, **limits)

BankDetector.detect = raising
"""


def counts(quality, slice_id, *names):
    """Return counts of a slice of the last report."""
    told = quality.told(slice_id)["counts"]
    return [told[name] for name in names]


def test_scans_over_a_limit_are_counted_and_named(quality, processes):
    """A scan too long and one of too many matches: gold missed and leaked, reasons and first line, exit 1."""
    quality.pytester.makeini("[pytest]\npii_max_matches = 3\npii_time_limit = 1")
    patterns = quality.bank["entities"]["email"]["names"]["address"]["patterns"]
    patterns["slow"] = regex(r"(?<=!)(a|aa)+(?=\$)")
    quality.records += [
        record(f"{DOCUMENT}.slow", f"!{'a' * 5_000} {NAME}", ["contact"], (NAME, "person")),
        record(f"{DOCUMENT}.many", f"{MAIL} " * 4, ["contact"], (MAIL, "email")),
    ]
    result = quality.write().run(*processes, "--pii-max-leaks=2")
    assert result.ret == 1
    result.stdout.fnmatch_lines_random(
        [
            (
                "shard-00001: 2 of 7 documents have no answer (1 match_limit, 1 time_limit; first at line 6);"
                f" {MISSED}"
            ),
            "slice contact: 1 *",
            "  max-leaks: leaks 3, must be at most 2 (support 7)",
        ]
    )
    report = quality.report()
    assert report["complete"] is report["passed"] is False
    assert report["missing"] == report["crashed"] == []
    assert counts(quality, "contact", "documents", "failed_documents") == [7, 2]
    # Of seven gold spans the three of before are exact; the stranger and both of the failed documents leak.
    assert quality.values("contact", "recall", "leaks", "leaking_documents") == [(3, 7), 3, 3]
    assert quality.values("contact", "protection_leaks", "containment", "false_alarm_rate") == [
        3,
        (4, 7),
        (1, 2),
    ]
    assert quality.values("people", "recall", "leaks", "failed_documents") == [(1, 3), 1, 0]


def test_a_failed_scan_without_gold_is_no_quiet_document(quality):
    """Where a document without gold has no answer, nobody can say how many false alarms there are."""
    quality.pytester.makeini("[pytest]\npii_max_matches = 3")
    quality.records.append(record(f"{DOCUMENT}.many", f"{MAIL} " * 4, ["contact"]))
    assert quality.write().run().ret == 1
    assert quality.values("contact", "false_alarm_rate", "recall") == ["failed_documents", (3, 5)]


def test_a_failed_scan_in_a_single_slice_is_not_hidden(quality):
    """A slice that runs alone, without the item of its shard, is as incomplete as the whole run."""
    quality.pytester.makeini("[pytest]\npii_max_matches = 1")
    result = quality.write().run("-k", "people or short")
    assert result.ret == 1
    assert quality.report()["complete"] is False
    assert counts(quality, "mail.short", "documents", "failed_documents") == [1, 1]
    assert quality.values("mail.short", "recall", "leaks") == [(0, 2), 2]
    assert quality.values("people", "recall", "leaks") == [(1, 3), 1]


def test_a_detector_that_raises_costs_its_document(quality, processes):
    """An exception is no answer for one document: named by its type, counted, and never shown."""
    quality.pytester.makeconftest(RAISES)
    result = quality.write().run(*processes, "-l", "--tb=long")
    assert result.ret == 1
    assert result.parseoutcomes()["failed"] == 1
    result.stdout.fnmatch_lines(
        [f"shard-00001: * have no answer (1 LookupError in conftest.py:7; first at line 2); {MISSED}"]
    )
    assert NAME not in result.stdout.str()
    assert quality.report()["complete"] is False
    assert quality.values("people", "recall", "leaks", "failed_documents") == [(0, 3), 2, 1]
    assert quality.values("mail", "recall", "leaks", "failed_documents") == [(2, 2), 0, 0]


def test_predictions_are_capped(quality):
    """A document may raise 100,000 predictions; one more, and it has no answer."""
    names = quality.bank["entities"]["person"]["names"]
    (name,) = names.values()
    name["patterns"]["x"] = literal("%", left_boundary="none", right_boundary="none")
    quality.records += [
        record(f"{DOCUMENT}.full", "%" * 100_000, ["contact"]),
        record(f"{DOCUMENT}.over", "%" * 100_001, ["contact"]),
    ]
    result = quality.write().run()
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [f"shard-00001: 1 of 7 documents have no answer (1 match_limit; first at line 7); {MISSED}"]
    )
    assert counts(quality, "contact", "documents", "failed_documents") == [7, 1]
    # Three exact of 5 + 100,000 predictions.
    assert quality.values("contact", "precision", "recall") == [(3, 100_005), (3, 5)]


def test_predictions_of_a_run_are_capped(quality, processes):
    """More predictions in a run than its limit make it incomplete: here five, and a limit of five or four."""
    quality.write()
    assert quality.run(*processes, "--pii-max-predictions=5").ret == 0
    assert quality.run(*processes, "--pii-max-predictions=4", "--pii-shard-size=1").ret == 1
    assert quality.report()["complete"] is False


@pytest.mark.parametrize("name", ["people", "shard-00001"])
def test_an_item_that_cannot_be_set_up_is_a_hole(quality, processes, name):
    """An item that fails without evidence is named as missing: what it would have counted is not known."""
    quality.pytester.makeconftest(
        f"""
        def pytest_runtest_setup(item):
            if item.name == "{name}":
                raise LookupError("not today")
        """
    )
    result = quality.write().run(*processes)
    assert result.ret == 1
    report = quality.report()
    assert report["complete"] is report["passed"] is False
    assert report["missing"] == [name]
    assert ("quality_protocol" in report["fingerprints"]) is (name == "people")
    assert quality.values("contact", "recall") == [(3, 5)]


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is not known there")
@pytest.mark.parametrize("schedule", ["load", "worksteal"])
def test_a_worker_killed_in_a_shard_costs_one_item(quality, schedule):
    """The lock of a dead worker is free: others take its shard over; one item is named, all else counted."""
    quality.pytester.makeconftest(COUNT_SCANS + DIES_ONCE)
    result = quality.write().run("-n2", f"--dist={schedule}", "--pii-shard-size=1")
    assert (quality.path / "died").exists()
    if SENT_TO_THE_DEAD in result.stdout.str():
        quality.scans()  # forgets them
        (quality.path / "died").unlink()
        quality.run("-n2", f"--dist={schedule}", "--pii-shard-size=1")
    report = quality.report()
    assert report["complete"] is report["passed"] is False
    assert report["missing"] == []
    (crashed,) = report["crashed"]
    assert crashed in {"shard-00005", "contact", "mail", "people"}
    figures = {"contact": [(3, 5), 1], "mail": [(2, 2), 0], "people": [(1, 3), 1]}
    for slice_id, wanted in figures.items():
        if slice_id != crashed:
            assert quality.values(slice_id, "recall", "leaks") == wanted
    assert ("quality_protocol" in report["fingerprints"]) is (not crashed.startswith("shard"))
    # The scan that died did not reach the counter; nothing else is scanned twice.
    scans = quality.scans()
    assert len(scans) == len(set(scans)) == 5


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is not known there")
def test_a_worker_that_is_not_replaced_leaves_named_gaps(quality):
    """What never ran is missing by name, whatever the other worker still did; the run ends with 1."""
    quality.pytester.makeconftest(DIES_ONCE)
    result = quality.write().run("-n2", "--max-worker-restart=0", "--pii-shard-size=1")
    assert result.ret == 1
    report = quality.report()
    assert report["complete"] is False
    assert len(report["crashed"]) == 1
    assert report["missing_count"] == len(report["missing"])
    heard = result.parseoutcomes()["passed"] + result.parseoutcomes().get("skipped", 0)
    assert report["missing_count"] >= 5 + 7 + 1 - 1 - heard
