"""The fast path and pytest's own protocol are the same to everyone who looks; friends and strangers work."""

from __future__ import annotations

import json
import re
import sys
import xml.etree.ElementTree as ET

import pytest

from conftest import MAIL, NAME, negative

# A stranger that listens to a hook of the run turns the fast path off.
STRANGER = "def pytest_runtest_setup(item): pass\n"
# Counts the items that take the fast path, without listening to any hook.
COUNT_FAST = """
import pathlib
from pytest_pii_eval.collection import protocol

run = protocol.run_item

def counted(item, *arguments):
    with pathlib.Path("fast.log").open("a") as log:
        log.write(item.name + "\\n")
    return run(item, *arguments)

protocol.run_item = counted
"""
MISSED = (
    "case email.02: 1 of 1 expected records not mapped (1 missed, 0 wrong canonical)\n"
    "  email bytes 20..36: missed, shadowed by the same entity's pattern at email bytes 19..36"
)
HIT = (
    "case dirty.00: 2 unexpected hits in a negative case\n"
    "  person bytes 3..23 matched\n"
    "  email bytes 28..45 matched"
)


@pytest.fixture
def flawed(suite):
    """The small suite with one missed case in the middle and one negative that hits at the end."""
    expected = suite.positives[5]["expected"][0]
    expected.update(string=MAIL[1:], start=expected["start"] + 1)
    suite.negatives.append(negative("dirty.00", f"By {NAME} and {MAIL}.", ["boundary", "negative"]))
    return suite.write()


def run_with(suite, conftest, *arguments):
    """Run under a conftest.py; return all that others see of the run."""
    suite.pytester.makeconftest(conftest)
    (suite.path / "fast.log").unlink(missing_ok=True)
    result = suite.run("-v", "--durations=3", "-vv", "--junitxml=junit.xml", "--cache-clear", *arguments)
    cache = suite.path / ".pytest_cache/v/cache/lastfailed"
    fast = suite.path / "fast.log"
    return {
        "fast": fast.read_text().split() if fast.exists() else [],
        "exit": result.ret,
        "report": suite.comparable(),
        "outcomes": result.parseoutcomes(),
        "junit": junit(suite.path / "junit.xml"),
        "last failed": json.loads(cache.read_text()),
        "lines": sorted(verbose_lines(result)),
        "slowest": any(re.search(r"\ds call +conformance-", line) for line in result.outlines),
    }


def junit(path):
    """Return the counts of a JUnit file, and name, outcome and message of each test case in it."""
    (suite,) = ET.parse(path).getroot()  # noqa: S314  # written by pytest a moment ago
    counts = {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")}
    cases = [
        (
            case.get("classname"),
            case.get("name"),
            [(child.tag, child.get("message"), child.text) for child in case],
        )
        for case in suite
    ]
    return counts, sorted(cases)


def verbose_lines(result):
    """Yield outcome and id of each line that `-v` prints, whatever the worker and the percentage."""
    for line in result.outlines:
        found = re.search(r"(PASSED|FAILED)", line)
        node = re.search(r"\S+::\S+", line)
        if found and node and not line.startswith("FAILED"):
            yield found[0], node[0]


def test_fast_path_looks_like_the_usual_one(flawed, processes):
    """Report, outcomes, JUnit, --lf cache and -v lines are equal; only the time differs."""
    fast = run_with(flawed, COUNT_FAST, *processes)
    usual = run_with(flawed, COUNT_FAST + STRANGER, *processes)
    # In one process the last item of each of the two files, and support items, always go the usual way.
    assert usual.pop("fast") == []
    quick = fast.pop("fast")
    if processes:
        assert 10 < len(quick) <= 23
    else:
        assert len(quick) == 25 - 2
        assert set(quick).isdisjoint({"dirty.00", "email.08"})
    assert fast == usual
    assert usual["exit"] == 1
    assert usual["outcomes"] == {"passed": 28, "failed": 2}
    assert usual["slowest"]
    assert usual["last failed"] == {
        "conformance-negative.jsonl::dirty.00": True,
        "conformance-positive.jsonl::email.02": True,
    }
    assert len(usual["lines"]) == 30
    counts, cases = usual["junit"]
    assert counts == {"tests": "30", "failures": "2", "errors": "0", "skipped": "0"}
    assert [case for case in cases if case[2]] == [
        ("conformance-negative.jsonl", "dirty.00", [("failure", HIT, HIT)]),
        ("conformance-positive.jsonl", "email.02", [("failure", MISSED, MISSED)]),
    ]


def test_friends_see_every_item(flawed, processes):
    """pytest-html, pytest-json-report and pytest-randomly work beside us, and miss nothing."""
    result = flawed.run(
        *processes,
        *("--html=out.html", "--self-contained-html", "--json-report", "--json-report-file=out.json"),
        "-Werror",
        friends=("html", "metadata", "pytest_jsonreport", "randomly"),
    )
    assert result.parseoutcomes() == {"passed": 28, "failed": 2}
    assert flawed.report()["complete"] is True
    rows = [*flawed.positives, *flawed.negatives]
    told = json.loads((flawed.path / "out.json").read_text(encoding="utf-8"))
    assert told["summary"] == {"passed": 28, "failed": 2, "total": 30, "collected": 30}
    names = {test["nodeid"].rpartition("::")[2]: test["outcome"] for test in told["tests"]}
    assert names.keys() > {row["case_id"] for row in rows}
    assert names["email.02"] == names["dirty.00"] == "failed"
    page = (flawed.path / "out.html").read_text(encoding="utf-8")
    assert all(row["case_id"] in page for row in rows)
    assert NAME not in page
    assert MAIL not in page


def test_hooks_of_strangers_are_called_for_each_item(flawed, processes):
    """Setup once, makereport and logreport thrice an item, as for any test."""
    flawed.pytester.makeconftest(
        """
        import os, pathlib

        def note(hook, nodeid):
            with pathlib.Path("hooks.log").open("a") as log:
                log.write(f"{hook} {nodeid}\\n")

        def pytest_runtest_setup(item):
            note("setup", item.nodeid)

        def pytest_runtest_makereport(item, call):
            note("makereport-" + call.when, item.nodeid)

        def pytest_runtest_logreport(report):
            if "PYTEST_XDIST_WORKER" not in os.environ:
                note("logreport-" + report.when, report.nodeid)
        """
    )
    assert flawed.run(*processes).parseoutcomes() == {"passed": 28, "failed": 2}
    phases = ("setup", "call", "teardown")
    hooks = ["setup", *(f"{hook}-{phase}" for hook in ("makereport", "logreport") for phase in phases)]
    ids = [f"conformance-positive.jsonl::{row['case_id']}" for row in flawed.positives]
    ids += [f"conformance-negative.jsonl::{row['case_id']}" for row in flawed.negatives]
    lines = (flawed.path / "hooks.log").read_text().splitlines()
    assert sorted(line for line in lines if "bank.json" not in line) == sorted(
        f"{hook} {nodeid}" for hook in hooks for nodeid in ids
    )


def test_missing_plugins_are_not_missed(flawed):
    """Without terminal, cache or xdist the verdict and the report are the same."""
    flawed.run()
    plain = flawed.comparable()
    silent = flawed.run("-p", "no:terminal")
    assert silent.ret == 1
    assert silent.outlines == silent.errlines == []
    assert flawed.comparable() == plain
    bare = flawed.run("-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:junitxml")
    assert bare.ret == 1
    assert bare.parseoutcomes() == {"passed": 28, "failed": 2}
    assert flawed.comparable() == plain


def test_optimised_interpreter_judges_the_same(flawed):
    """`python -O` drops assert statements, and none of our verdicts."""
    arguments = ("-O", "-m", "pytest", "-p", "no:hypothesispytest", "--pii-bank=bank.json")
    result = flawed.pytester.run(sys.executable, *arguments)
    assert result.ret == 1
    outcomes = result.parseoutcomes()
    assert (outcomes["passed"], outcomes["failed"]) == (28, 2)
    assert flawed.report()["conformance"]["missed"] == 1
    assert flawed.report()["conformance"]["unexpected_negative_matches"] == 1


def test_plugin_can_be_turned_off(suite):
    """With `-p no:pii_eval` our files are nobody's, and nothing is written."""
    result = suite.write().run("-p", "no:pii_eval", bank=None)
    assert result.ret == 5
    assert not (suite.path / ".pii_eval").exists()
