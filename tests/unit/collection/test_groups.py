"""Running a group of cases: a sum, the texts of the first failures, and a case that breaks alone."""

from __future__ import annotations

import json

import pytest

from pytest_pii_eval.collection.groups import GroupRun, run_group
from pytest_pii_eval.collection.subjects import BankSubject
from pytest_pii_eval.collection.suite import Suite
from pytest_pii_eval.contracts.bank import parse_bank
from pytest_pii_eval.contracts.cases import Case, Expected
from pytest_pii_eval.detectors.bank_detector import BankDetector
from pytest_pii_eval.settings import default_settings

PATTERN = {
    "kind": "regex",
    "value": "TCK-[0-9]{3}",
    "description": "",
    "status": "active",
    "priority": 1,
    "regex_flags": [],
    "metadata": {},
}
PART = {"description": "", "status": "active", "metadata": {}}
NAME = {"canonical": "ticket code", "patterns": {"plain": PATTERN}, **PART}
BANK = {
    "schema_version": "nerb.bank.v1",
    "id": "tickets",
    "name": "Tickets",
    "version": "1",
    "created_at": "2026-01-01T00:00:00Z",
    "updated_at": "2026-01-01T00:00:00Z",
    "unicode_normalization": "none",
    "default_regex_flags": [],
    "entities": {"ticket": {"regex_flags": [], "names": {"code": NAME}, **PART}},
    **PART,
}


class Brittle(BankDetector):
    """Breaks on the texts that say so."""

    def scan(self, text, *, max_matches=100_000):
        """Scan, or raise what the text names."""
        if text == "interrupt":
            raise KeyboardInterrupt
        if text.startswith("break"):
            raise SystemExit(text)
        return super().scan(text, max_matches=max_matches)


@pytest.fixture
def suite(tmp_path) -> Suite:
    """A suite whose bank knows tickets."""
    return Suite(default_settings(tmp_path), BankSubject(Brittle(parse_bank(BANK)), 100))


def found(number) -> Case:
    """Return a positive case that holds."""
    return Case(f"p.{number}", "positive", "See TCK-123.", ("casing",), (Expected(4, 11, 0),))


def hit(number) -> Case:
    """Return a negative case in which a ticket is found."""
    return Case(f"n.{number}", "negative", "TCK-123", ("negative",), (), "look_alike")


def test_a_group_adds_up(suite) -> None:
    """Three that hold and one that does not: counts by entity and tag, and one text."""
    outcome = run_group(suite, [found(1), found(2), hit(1), found(3)])
    value = json.loads(outcome.evidence)
    assert value == {
        "left": 0,
        "sum": {
            "n": [3, 1, 1, 0],
            "e": {"ticket": [3, 0, 0, 1, 0, 1]},
            "t": {"casing": [3, 0, 0, 0], "negative": [0, 0, 1, 1]},
        },
    }
    assert outcome.failures == ["case n.1: 1 unexpected hits in a negative case\n  ticket bytes 0..7 matched"]


def test_an_empty_group_is_nothing(suite) -> None:
    """No case, no count and no failure."""
    assert run_group(suite, []) == ('{"left":0,"sum":{"n":[0,0,0,0],"e":{},"t":{}}}', [])


def test_failures_beyond_fifty_are_counted(suite) -> None:
    """Of 53 failures the first 50 are told, then how many more there are; all of them count."""
    outcome = run_group(suite, (hit(number) for number in range(53)))
    assert len(outcome.failures) == 51
    assert outcome.failures[49].startswith("case n.49: ")
    assert outcome.failures[50] == "and 3 more failed cases"
    assert json.loads(outcome.evidence)["sum"]["n"] == [0, 53, 53, 0]


def test_a_case_that_breaks_costs_no_other(suite) -> None:
    """What is raised in one case is its failure, told without text; nothing of it is counted."""
    broken = found(2)._replace(text="break into TCK-123")
    outcome = run_group(suite, [found(1), broken, found(3)])
    (failure,) = outcome.failures
    assert failure.startswith("case p.2: SystemExit in test_groups.py:")
    assert "TCK" not in failure
    assert json.loads(outcome.evidence)["sum"]["n"] == [2, 0, 0, 0]


def test_an_interrupt_passes_through(suite) -> None:
    """It leaves what was found, and says how far the group came."""
    run = GroupRun(suite)
    with pytest.raises(KeyboardInterrupt):
        run.take([found(1), found(2)._replace(text="interrupt"), found(3)])
    assert run.done == 1
    value = json.loads(run.outcome(left=2).evidence)
    assert (value["left"], value["sum"]["n"]) == (2, [1, 0, 0, 0])


def test_the_audit_asks_for_each_case(suite, tmp_path) -> None:
    """Where an audit will be written the evidence of each case travels along, null where it broke."""
    suite.settings = suite.settings._replace(audit_dir=tmp_path / "audit")
    outcome = run_group(suite, [found(1), hit(1), found(2)._replace(text="break")])
    assert json.loads(outcome.evidence)["cases"] == {
        "p.1": '{"k":"positive","t":["casing"],"o":[[0,0]]}',
        "n.1": '{"k":"negative","t":["negative"],"h":1,"e":["ticket"]}',
        "p.2": None,
    }
