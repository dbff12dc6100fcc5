"""One report whatever the order and the number of processes; and what a worker that dies leaves behind."""

from __future__ import annotations

import random
import sys
from typing import Any

import pytest
from warm_process import SENT_TO_THE_DEAD

from conftest import MAIL, NAME, negative

_DIES_IN_A_HOOK = """
    import os, pathlib, signal

    def pytest_runtest_call(item):
        if item.name == "person.04":
            {death}
"""
# Patched where it is defined, so that no hook of a stranger turns the fast path off.
_DIES_IN_THE_SCAN = """
    import os, signal
    from pytest_pii_eval.detectors.bank_detector import BankDetector

    scan = BankDetector.scan

    def dying(self, text, **limits):
        if text.startswith("Päper 4 "):
            {death}
        return scan(self, text, **limits)

    BankDetector.scan = dying
"""
_EXIT = "os._exit(1)"
_KILL = "os.kill(os.getpid(), signal.SIGKILL)"


def report_text(suite):
    """Return the report as it lies on disk, without its `run` part."""
    text = (suite.path / ".pii_eval/report.json").read_text(encoding="utf-8")
    before, _, rest = text.partition('\n  "run": {')
    inside, _, after = rest.partition("\n  }")
    assert '"seconds"' in inside
    return before + after


def flawed(suite):
    """Give the suite one missed case, one negative that hits, and two files of positives."""
    suite.positives[5]["expected"][0].update(
        string=MAIL[1:], start=suite.positives[5]["expected"][0]["start"] + 1
    )
    suite.negatives.append(negative("dirty.00", f"By {NAME} and {MAIL}.", ["boundary", "negative"]))
    suite.write()
    suite.write_rows("conformance-positive.jsonl", suite.positives[:7])
    suite.write_rows("conformance-positive-more.jsonl", suite.positives[7:])
    return suite


def test_report_is_the_same_for_every_schedule(suite):
    """Serial, two workers under each schedule, and two that run everything each: the same bytes."""
    assert flawed(suite).run().ret == 1
    serial = report_text(suite)
    assert '"correctly_mapped": 17,' in serial
    for schedule in ("load", "worksteal", "loadscope", "loadfile"):
        result = suite.run("-n2", f"--dist={schedule}")
        assert result.ret == 1
        assert result.parseoutcomes() == {"passed": 28, "failed": 2}
        assert report_text(suite) == serial
        assert suite.report()["run"]["processes"] == 2
    assert suite.run("--dist=each", "--tx=2*popen").parseoutcomes() == {"passed": 56, "failed": 4}
    assert report_text(suite) == serial


def test_report_is_the_same_for_every_order(suite):
    """Shuffled items, files named in another order, shuffled rows and reordered keys: the same bytes."""
    flawed(suite).run()
    plain = report_text(suite)
    for seed in (1, 2, 3):
        result = suite.run("-v", f"--randomly-seed={seed}", friends=("randomly",))
        result.assert_outcomes(passed=28, failed=2)
        assert report_text(suite) == plain
    names = ["conformance-positive-more.jsonl", "conformance-negative.jsonl", "conformance-positive.jsonl"]
    suite.run(*names).assert_outcomes(passed=28, failed=2)
    assert report_text(suite) == plain
    shuffle = random.Random(7).shuffle  # noqa: S311  # an order, not a secret
    suite.bank = reordered(suite.bank)
    shuffle(suite.positives)
    shuffle(suite.negatives)
    for row in (*suite.positives, *suite.negatives):
        row["tags"].reverse()
    suite.positives = [reordered(row) for row in suite.positives]
    suite.negatives = [reordered(row) for row in suite.negatives]
    (suite.path / "conformance-positive-more.jsonl").unlink()
    suite.write().run().assert_outcomes(passed=28, failed=2)
    assert report_text(suite) == plain


def reordered(value: Any) -> Any:
    """Return a JSON value with the keys of every object in reverse order."""
    if isinstance(value, dict):
        return {key: reordered(value[key]) for key in reversed(value)}
    return value


def test_content_changes_the_report(suite):
    """Control for the tests above: another text in one row changes its fingerprint and the comparison's."""
    suite.write().run()
    before = suite.report()["fingerprints"]
    suite.negatives[0]["text"] += "."
    suite.write().run()
    after = suite.report()["fingerprints"]
    assert {name for name in before if before[name] != after[name]} == {"comparison", "negative_cases"}


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is not known there")
@pytest.mark.parametrize(
    ("conftest", "schedule"),
    [
        (_DIES_IN_A_HOOK.format(death=_EXIT), "load"),
        (_DIES_IN_THE_SCAN.format(death=_KILL), "load"),
        (_DIES_IN_THE_SCAN.format(death=_EXIT), "worksteal"),
    ],
    ids=["hook", "scan-killed", "scan-exits"],
)
def test_dead_worker_costs_one_case(suite, conftest, schedule):
    """A worker that dies in a case costs that case alone: it is named as crashed, and counts as missed."""
    suite.pytester.makeconftest(conftest)
    result = suite.write().run("-n2", f"--dist={schedule}")
    if SENT_TO_THE_DEAD in result.stdout.str():
        result = suite.run("-n2", f"--dist={schedule}")
    assert result.parseoutcomes() == {"passed": 28, "failed": 1}
    assert result.ret == 1
    report = suite.report()
    assert report["crashed"] == ["person.04"]
    assert report["missing"] == []
    assert report["complete"] is False
    assert report["passed"] is False
    conformance = report["conformance"]
    assert conformance["approved_positive_cases"] == 18
    assert conformance["correctly_mapped"] == 17
    assert conformance["missed"] == 1
    assert conformance["recall"] == 17 / 18
    result.stdout.fnmatch_lines(["incomplete*1 item whose worker crashed"])


def test_lost_workers_leave_named_gaps(suite):
    """Where dead workers are not replaced, what never ran is listed as missing and counts as missed."""
    suite.pytester.makeconftest(_DIES_IN_THE_SCAN.format(death=_EXIT))
    result = suite.write().run("-n2", "--max-worker-restart=0")
    assert result.ret == 1
    report = suite.report()
    assert report["crashed"] == ["person.04"]
    heard = result.parseoutcomes()["passed"]
    assert report["missing_count"] == 29 - 1 - heard
    assert len(report["missing"]) == report["missing_count"]
    assert report["complete"] is False
    conformance = report["conformance"]
    assert conformance["approved_positive_cases"] == 18
    assert conformance["correctly_mapped"] + conformance["missed"] == 18
    lost = {name for name in report["missing"] if name.startswith(("person.", "email."))}
    assert conformance["missed"] == len(lost) + 1


def test_only_worker_lost_at_the_start_is_reported(suite):
    """A single worker that dies in its first case leaves a report that counts everything as missed."""
    suite.pytester.makeconftest(_DIES_IN_THE_SCAN.format(death=_EXIT))
    suite.positives = [row for row in suite.positives if row["case_id"] == "person.04"]
    suite.write()
    result = suite.run("-n1", "--max-worker-restart=0", "conformance-positive.jsonl")
    assert result.ret == 1
    report = suite.report()
    assert report["complete"] is False
    assert report["passed"] is False
    assert report["crashed"] == ["person.04"]
