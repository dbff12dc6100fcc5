"""Lost and gained cases and spans, from the audit directories of two runs."""

from __future__ import annotations

import json

import pytest

from pytest_pii_eval import Fault
from pytest_pii_eval.reports.comparing.moves import moves_between
from pytest_pii_eval.reports.comparing.runs import read_run

EXACT = ("exact", False)
LEAK = ("miss", True)


def case(case_id, outcome="passed", kind="positive"):
    """Return the result of one case."""
    return {
        "schema_version": "pii_eval.conformance_case_result.v1",
        "case_id": case_id,
        "kind": kind,
        "outcome": outcome,
    }


def row(slice_id, document_id, *states, types="email"):
    """Return the result of one document; a span of five characters for each state."""
    return {
        "schema_version": "pii_eval.slice_document_result.v1",
        "slice_id": slice_id,
        "document_id": document_id,
        "outcome": "answered",
        "reason": None,
        "gold": [
            {
                "ordinal": at,
                "type": types,
                "start": at * 10,
                "end": at * 10 + 5,
                "state": state,
                "taken_for": None,
                "leaks": leaks,
            }
            for at, (state, leaks) in enumerate(states)
        ],
        "predictions": [],
        "unmapped": 0,
        "dropped": 0,
    }


@pytest.fixture
def audit(tmp_path):
    """Write an audit directory of these results, and return it."""

    def make(name, rows, positives=(), negatives=()):
        folder = tmp_path / name
        folder.mkdir()
        files = (("slice", rows), ("positive", positives), ("negative", negatives))
        for kind, found in files:
            text = "".join(json.dumps(one) + "\n" for one in found)
            (folder / f"{kind}-results.jsonl").write_text(text, encoding="utf-8", newline="\n")
        return folder

    return make


def told(moves):
    """Return moves as tuples."""
    return [(one.direction, one.kind, one.id, one.slices, one.type, one.old, one.new) for one in moves]


def test_a_lost_span_is_named_once_with_its_slices(audit):
    """One span lost in two slices, one gained in one; what stayed is not told."""
    old = audit("old", [row("a", "d1", EXACT, EXACT), row("a", "d2", LEAK), row("b", "d1", EXACT, EXACT)])
    new = audit("new", [row("a", "d1", EXACT, LEAK), row("a", "d2", EXACT), row("b", "d1", EXACT, LEAK)])
    assert told(moves_between(old, new)) == [
        ("lost", "span", "d1#1", ["a", "b"], "email", "exact", "miss, leaks"),
        ("gained", "span", "d2#0", ["a"], "email", "miss, leaks", "exact"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "direction"),
    [
        (("shift", False), ("shift", True), "lost"),
        (("wrong_type", True), ("wrong_type", False), "gained"),
        (("exact", True), ("shift", False), "lost"),
        (("shift", False), ("wrong_type", False), None),
    ],
)
def test_a_span_that_starts_to_leak_is_lost(audit, old, new, direction):
    """Leaking counts as lost, whatever the state; a move between states that are not exact is none."""
    moves = moves_between(audit("old", [row("a", "d", old)]), audit("new", [row("a", "d", new)]))
    assert [move.direction for move in moves] == ([] if direction is None else [direction])


def test_cases_that_passed_and_do_not_now_are_lost(audit):
    """A failed positive case is lost, and a clean negative that is clean again gained."""
    old = audit("old", [], [case("p1"), case("p2", "failed")], [case("n1", "failed", "negative")])
    new = audit("new", [], [case("p1", "missing"), case("p2", "failed")], [case("n1", "passed", "negative")])
    assert told(moves_between(old, new)) == [
        ("lost", "case", "p1", [], None, "passed", "missing"),
        ("gained", "case", "n1", [], None, "failed", "passed"),
    ]


def test_without_cases_spans_alone_are_looked_at(audit):
    """A bank and a detector on one gold: only one of them has cases, and its span is told all the same."""
    old = audit("old", [row("a", "d", EXACT)], [case("p1")], [case("n1", "passed", "negative")])
    new = audit("new", [row("a", "d", ("miss", True))])
    assert [(move.kind, move.direction) for move in moves_between(old, new, cases=False)] == [
        ("span", "lost")
    ]


def test_order_of_rows_is_irrelevant(audit):
    """The same rows in another order move nothing."""
    rows = [row("a", f"d{at}", EXACT) for at in range(5)]
    assert moves_between(audit("old", rows), audit("new", rows[::-1])) == []


def test_rows_of_one_side_alone_are_a_fault(audit):
    """A document that only one directory has is told by number, not by id."""
    old = audit("old", [row("a", "canary-1", EXACT), row("a", "canary-2", EXACT)])
    new = audit("new", [row("a", "canary-1", EXACT)])
    with pytest.raises(Fault, match="1 rows of the old directory and 0 of the new one have no twin") as fault:
        moves_between(old, new)
    assert "canary" not in str(fault.value)


def test_other_gold_spans_are_a_fault(audit):
    """The same document with spans elsewhere is another gold."""
    changed = row("a", "d", EXACT)
    changed["gold"][0]["end"] += 1
    with pytest.raises(Fault, match="has other gold spans"):
        moves_between(audit("old", [row("a", "d", EXACT)]), audit("new", [changed]))


def test_a_row_that_appears_twice_is_a_fault(audit):
    """Two rows of one slice and document say nothing certain."""
    rows = [row("a", "d", EXACT)]
    with pytest.raises(Fault, match="two rows of one id"):
        moves_between(audit("old", rows * 2), audit("new", [row("a", "e", EXACT)] * 2))


def test_a_broken_row_is_told_with_its_line(audit):
    """A state that does not exist is refused with file, line and field."""
    with pytest.raises(Fault, match=r"slice-results\.jsonl:1: gold\[0\]\.state"):
        moves_between(audit("old", [row("a", "d", EXACT)]), audit("new", [row("a", "d", ("found", False))]))


def test_a_file_that_one_directory_lacks_is_a_fault(audit):
    """An audit without slice results compares with none that has them."""
    old, new = audit("old", [row("a", "d", EXACT)]), audit("new", [])
    (new / "slice-results.jsonl").unlink()
    with pytest.raises(Fault, match=r"slice-results\.jsonl: does not exist"):
        moves_between(old, new)


def test_a_directory_without_its_marker_is_a_fault(audit):
    """What no run committed may be a part of an audit."""
    with pytest.raises(Fault, match="old: is no complete audit directory"):
        read_run(audit("old", []))
