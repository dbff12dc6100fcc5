"""Annotations: workflow commands that GitHub understands, and that nothing in a report can forge."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

from pytest_pii_eval.reports.comparing.model import Change, Comparison, Refusal, Side
from pytest_pii_eval.reports.model import Gate, MetricReport, Report
from pytest_pii_eval.session.annotations import annotations, print_annotations
from pytest_pii_eval.settings import Outputs, default_settings

SHA = "sha256:" + "0" * 64
SIDE = Side(kind="bank", name="small", scorer_version="1")
HOSTILE = (
    "a%0Ab,c:d",
    "x\n::error::forged",
    "\r\n::add-mask::x",
    "\x1b[2J",
    "\u202egnp",
    "::",
    "]]>",
    "n" * 10_000,
)


REFUSAL = Refusal(part="gold", side="both", words="the gold differs")


def gate(name="max-leaks", slice_id="cards", **fields):
    """Return a failed gate."""
    own = {"metric": "leaks", "direction": "max", "value": 1, "limit": 0, "support": 8, "verdict": "fail"}
    return Gate.model_validate({"id": name, "slice": slice_id, **own, **fields})


def report(*gates, **fields):
    """Return a report of these gates, without slices; it failed where any gate did."""
    own = {
        "complete": True,
        "missing": [],
        "missing_count": 0,
        "crashed": [],
        "selection": {"whole": True, "collected": 1, "selected": 1},
        "scorer": {"version": "1", "source_sha256": SHA, "git_revision": None, "git_dirty": None},
        "subject": {"kind": "bank", "name": "b", "version": "1", "libraries": {}, "fingerprint": SHA},
        "conformance": None,
        "gates": [one.model_dump() for one in gates],
        "fingerprints": {},
        "passed": not any(one.verdict == "fail" for one in gates),
        "run": {
            "started": "2026-01-01T00:00:00+00:00",
            "seconds": 1,
            "python": "3",
            "platform": "linux",
            "pytest": "9",
            "processes": 1,
        },
    }
    return Report.model_validate({**own, **fields})


def comparison(*refusals, regressions=0):
    """Return a comparison that refuses, or that holds so many regressions."""
    counts = [
        MetricReport(value=number, numerator=number, denominator=None, support=8) for number in range(2)
    ]
    changes = [
        Change(
            slice=f"slice.{number:02}",
            type="payment",
            metric="leaks",
            old=counts[0],
            new=counts[1],
            difference=1,
            trend="worse",
            judged=True,
            tolerance=None,
            regression=True,
        )
        for number in range(regressions)
    ]
    empty = {"notes": [], "gates": [], "unchanged": 0}
    passed = None if refusals else not changes
    return Comparison(old=SIDE, new=SIDE, refusals=list(refusals), changes=changes, passed=passed, **empty)


def test_a_failed_gate_is_an_error():
    """Slice, metric, value, limit and support, under a title whose colon is escaped."""
    assert annotations(report(gate()), None) == [
        "::error title=pii-eval%3A gate::slice cards: leaks 1, must be at most 0 (support 8)"
    ]


def test_a_run_that_passes_says_nothing():
    """No failure, no regression: no annotation."""
    assert annotations(report(gate(verdict="pass")), comparison()) == []


def test_failed_conformance_is_an_error():
    """The counts of the cases in one line; its own gates are not told again."""
    conformance = {
        "evaluated": True,
        "active_patterns": 1,
        "patterns_with_positive_cases": 1,
        "positive_case_rows": 4,
        "approved_positive_cases": 4,
        "correctly_mapped": 3,
        "missed": 1,
        "wrong_canonical": 0,
        "negative_cases": 5,
        "unexpected_negative_matches": 2,
        "failed_scans": 0,
        "recall": 0.75,
        "passed": False,
        "by_entity": {},
        "by_tag": {},
    }
    judged = gate("conformance.recall", None, metric="recall", direction="exact", value=0.75, limit=1.0)
    (line,) = annotations(report(judged, conformance=conformance), None)
    assert line == (
        "::error title=pii-eval%3A conformance::conformance recall 0.7500: 3/4 mapped, 1 missed,"
        " 0 wrong canonical; 2/5 negatives hit"
    )


def test_an_incomplete_run_is_an_error():
    """What is lacking, in counts."""
    lacking = {"complete": False, "missing": ["a"], "missing_count": 1, "passed": False}
    assert annotations(report(**lacking), None) == [
        "::error title=pii-eval%3A incomplete::1 item without a verdict"
    ]


def test_regressions_come_first():
    """What was lost against the baseline stands before what failed."""
    moved = "slice slice.00, type payment: 1 more leak (0 -> 1 of 8 gold spans)"
    assert annotations(report(gate()), comparison(regressions=1)) == [
        f"::error title=pii-eval%3A regression::{moved}",
        "::error title=pii-eval%3A gate::slice cards: leaks 1, must be at most 0 (support 8)",
    ]


def test_a_refused_comparison_is_an_error():
    """A baseline that could not be compared is no regression that did not happen."""
    assert annotations(report(), comparison(REFUSAL)) == [
        "::error title=pii-eval%3A baseline::not compared: the gold differs"
    ]


def test_a_run_that_was_narrowed_is_no_error():
    """Nobody expects a limited run to be compared, so that is no failure."""
    refusal = Refusal(part="limited", side="new", words="the new run is limited")
    assert annotations(report(), comparison(refusal)) == []


@pytest.mark.parametrize(("number", "lines"), [(10, 10), (11, 11), (500, 11)])
def test_ten_are_told_and_the_rest_is_counted(number, lines):
    """GitHub shows ten errors of a step; a warning, which it shows beside them, counts the others."""
    told = annotations(report(*(gate(slice_id=f"slice.{one:03}") for one in range(number))), None)
    assert len(told) == lines
    assert all(line.startswith("::error ") for line in told[:10])
    if number > 10:
        assert told[10] == f"::warning title=pii-eval%3A more::{number - 10} more failures: see the report"


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_name_forges_a_command(text):
    """Ids, metrics and reasons with line ends, commands and escapes stay data of the one line they are in."""
    hostile = gate(text, text, metric=text, reason=text, type=text)
    failed = report(hostile, gate(text, None), promotion=None, missing=[text])
    refusal = Refusal(part="gold", side="both", words=text)
    told = annotations(failed, comparison(refusal))
    assert len(told) == 3
    for line in told:
        assert re.fullmatch(r"::error title=pii-eval%3A (gate|baseline)::[ -\x24\x26-\U0010ffff%]+", line)
        assert not re.search(r"[\x00-\x1f\x7f\u2028\u2029\u202e]", line)
        assert re.sub("%25|%0A|%0D|%3A", "", line).count("%") == 0
        assert len(line) < 1_500


@pytest.mark.parametrize(("moved", "number"), [(None, 1), (comparison(), 1), (comparison(REFUSAL), 0)])
def test_what_could_not_be_done_is_an_error(tmp_path, moved, number):
    """A page that could not be written is told once; a refused comparison stands for its own problem."""
    lines = []
    settings = default_settings(tmp_path, outputs=Outputs(github_annotations=True))
    published = SimpleNamespace(report=report(), comparison=moved, problems=["no page: 100%"])
    terminal = SimpleNamespace(write_line=lines.append)
    print_annotations(terminal, settings, published, {"GITHUB_ACTIONS": "true"})
    assert lines.count("::error title=pii-eval%3A problem::no page: 100%25") == number


@pytest.mark.parametrize(
    ("asked", "environment", "printed"),
    [
        (True, {"GITHUB_ACTIONS": "true"}, 1),
        (True, {"GITHUB_ACTIONS": "false"}, 0),
        (True, {}, 0),
        (False, {"GITHUB_ACTIONS": "true"}, 0),
    ],
)
def test_they_are_printed_where_asked_for_and_read(tmp_path, asked, environment, printed):
    """Only with the option, and only where a workflow says that it reads what is printed."""
    lines = []
    terminal = SimpleNamespace(write_line=lines.append)
    settings = default_settings(tmp_path, outputs=Outputs(github_annotations=asked))
    published = SimpleNamespace(report=report(gate()), comparison=None, problems=[])
    print_annotations(terminal, settings, published, environment)
    assert len(lines) == printed
