"""The one-line form of a fault."""

from __future__ import annotations

import pickle

import pytest

from pytest_pii_eval.contracts.faults import Fault


@pytest.mark.parametrize(
    ("fault", "line"),
    [
        (Fault("is bad"), "is bad"),
        (Fault("is bad", file="a.jsonl"), "a.jsonl: is bad"),
        (Fault("is bad", line=3), "line 3: is bad"),
        (Fault("is bad", file="a\x1b[2J\r\n\u202eb ż🙂"), r"a\x1b[2J\r\n\u202eb ż🙂: is bad"),
        (Fault("is bad", field="text"), "text: is bad"),
        (Fault("is bad", file="a.jsonl", line=3), "a.jsonl:3: is bad"),
        (
            Fault("is bad", file="a.jsonl", line=3, field="expected[0].end"),
            "a.jsonl:3: expected[0].end: is bad",
        ),
    ],
)
def test_text_is_place_field_and_rule(fault, line) -> None:
    """A fault reads file:line, field, rule, and leaves out what it does not know."""
    assert str(fault) == line


def test_at_fills_only_what_was_unknown() -> None:
    """A place that is already known is not replaced, the others are filled in."""
    fault = Fault("is bad", file="inner", line=0).at(file="outer", line=7, field="text")
    assert (fault.file, fault.line, fault.field) == ("inner", 0, "text")


def test_at_leaves_the_original_alone() -> None:
    """Filling in a place makes a new fault."""
    fault = Fault("is bad")
    fault.at(file="a.jsonl")
    assert fault.file is None


def test_survives_pickling() -> None:
    """A fault that travels between processes keeps rule and place."""
    fault = pickle.loads(pickle.dumps(Fault("is bad", file="a", line=2, field="f")))  # noqa: S301  # our own bytes
    assert (fault.rule, fault.file, fault.line, fault.field) == ("is bad", "a", 2, "f")
    assert str(fault) == "a:2: f: is bad"


def test_is_a_value_error() -> None:
    """Callers that catch ValueError catch faults."""
    assert issubclass(Fault, ValueError)
