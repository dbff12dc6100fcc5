"""The comparison in lines for a terminal: what comes first, what is cut, and what stays inert."""

from __future__ import annotations

import pytest

from pytest_pii_eval.reports.comparing.model import Change, Comparison, GateChange, Move, Refusal, Side
from pytest_pii_eval.reports.comparing.text import comparison_line, comparison_lines
from pytest_pii_eval.reports.model import MetricReport

HOSTILE = "\x1b[2J\u202e<script>\n|`" + "x" * 10_000


def change(metric, old, new, *, regression=False, **fields):
    """Return a change of a count, for the worse where nothing else is said."""
    told = [MetricReport(value=float(one), numerator=one, denominator=None, support=4) for one in (old, new)]
    own = {"slice": "a", "type": None, "trend": "worse", "tolerance": "0" if regression else None}
    return Change(
        **{**own, **fields},
        metric=metric,
        old=told[0],
        new=told[1],
        difference=float(new - old),
        judged=regression,
        regression=regression,
    )


def comparison(**fields):
    """Return a comparison of a detector with itself, with these fields."""
    side = Side(kind="detector", name="words", scorer_version="1")
    own = {"old": side, "new": side, "refusals": [], "notes": [], "changes": [], "gates": [], "unchanged": 0}
    own["passed"] = True
    return Comparison(**{**own, **fields})


def test_order_of_lines():
    """Verdict, gates that were lost, regressions, worse, better, moves, notes."""
    lines = comparison_lines(
        comparison(
            passed=False,
            changes=[
                change("leaks", 0, 1, regression=True, type="email"),
                change("dropped", 0, 1),
                change("unmapped", 2, 1, trend="better"),
            ],
            gates=[GateChange(id="g", slice="a", old="pass", new="fail", regression=True)],
            moves=[
                Move(
                    kind="span",
                    id="d#0",
                    slices=["a"],
                    type="email",
                    old="exact",
                    new="miss",
                    direction="lost",
                )
            ],
            notes=["other sources"],
        ),
        whole=True,
    )
    assert lines == [
        "verdict: FAIL, 2 regressions; 2 figures worse, 1 better, 0 as they were",
        "REGRESSION: gate g of slice a: pass -> fail",
        "REGRESSION: slice a, email: leaks 0 -> 1",
        "worse: slice a: dropped 0 -> 1",
        "better: slice a: unmapped 2 -> 1",
        "moves: 1 lost, 0 gained",
        "lost: span email d#0 in a: exact -> miss",
        "note: other sources",
    ]


def test_a_run_shows_regressions_alone():
    """At the end of a run what is better or only shown is counted, and no more."""
    lines = comparison_lines(comparison(changes=[change("dropped", 0, 1)]))
    assert lines == ["verdict: pass, no regressions; 1 figures worse, 0 better, 0 as they were"]


def test_figures_that_say_the_same_are_counted():
    """A leak on protection ranges alike is not shown twice; one that differs is."""
    alike = [
        change("leaks", 0, 1, regression=True),
        change("protection_leaks", 0, 1, regression=True),
        change("leaks", 0, 1, regression=True, slice="b"),
        change("protection_leaks", 0, 2, regression=True, slice="b"),
    ]
    assert comparison_lines(comparison(passed=False, changes=alike))[1:] == [
        "REGRESSION: slice a: leaks 0 -> 1",
        "REGRESSION: slice b: leaks 0 -> 1",
        "REGRESSION: slice b: protection_leaks 0 -> 2",
        "REGRESSION: 1 more figure of the same, in another way or over all types",
    ]


def test_the_first_twenty_moves_are_shown():
    """Of 23 moves the last line counts three."""
    moves = [
        Move(kind="case", id=f"c{at:02}", slices=[], type=None, old="passed", new="failed", direction="lost")
        for at in range(23)
    ]
    lines = comparison_lines(comparison(moves=moves), whole=True)
    assert lines[1:3] == ["moves: 23 lost, 0 gained", "lost: case c00: passed -> failed"]
    assert len(lines) == 23
    assert lines[-1] == "and 3 more; the JSON form has all of them"


def test_a_quiet_run_names_what_refuses():
    """In a few words: each part once, or how many regressions."""
    refused = [Refusal(part=part, side="new", words="w") for part in ("partial", "gold", "gold")]
    assert comparison_line(comparison(refusals=refused, passed=None)) == "not compared (gold, partial)"
    assert comparison_line(comparison()) == "no regressions"


@pytest.mark.parametrize("whole", [True, False])
def test_hostile_names_stay_inert(whole):
    """Names of subjects, slices, types, metrics, gates and cases hold nothing that a terminal obeys."""
    hostile = Side(kind="bank", name=HOSTILE, scorer_version="1")
    told = comparison(
        old=hostile,
        passed=False,
        changes=[change(HOSTILE, 0, 1, regression=True, slice=HOSTILE, type=HOSTILE)],
        gates=[GateChange(id=HOSTILE, slice=HOSTILE, old="pass", new="fail", regression=True)],
        moves=[
            Move(
                kind="span",
                id=HOSTILE,
                slices=[HOSTILE],
                type=HOSTILE,
                old=HOSTILE,
                new="miss",
                direction="lost",
            )
        ],
        notes=[HOSTILE],
    )
    refused = comparison(refusals=[Refusal(part="gold", side="both", words=HOSTILE)], passed=None)
    for line in [*comparison_lines(told, whole=whole), *comparison_lines(refused, whole=whole)]:
        assert line.isprintable()
        assert len(line) < 6_000
