"""No edit of the ledger goes unseen but the one that only git can see: lines removed from its end."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ledger_values import LONG

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.ledger import parse_ledger

LINES = LONG.splitlines(keepends=True)
PLACES = st.integers(0, len(LINES) - 1)


def is_refused(payload: bytes) -> bool:
    """Whether the reader refuses `payload`."""
    try:
        parse_ledger(payload, file="ledger.jsonl")
    except Fault:
        return True
    return False


@settings(max_examples=50, deadline=None)
@given(st.integers(0, len(LONG) - 1), st.integers(1, 255))
def test_any_changed_byte_before_the_last_line_is_refused(at, change):
    """A byte of any line but the last cannot be changed: the line behind is bound to it."""
    at %= len(LONG) - len(LINES[-1])
    edited = bytearray(LONG)
    edited[at] ^= change
    assert is_refused(bytes(edited))


@settings(max_examples=50, deadline=None)
@given(st.integers(0, len(LONG)), st.integers(0, 255))
def test_any_byte_put_in_before_the_last_line_is_refused(at, byte):
    """A byte cannot be put in, either."""
    at %= len(LONG) - len(LINES[-1])
    assert is_refused(LONG[:at] + bytes([byte]) + LONG[at:])


@settings(max_examples=50, deadline=None)
@given(st.integers(1, len(LONG) - 1))
def test_any_cut_inside_a_line_is_refused(size):
    """What is left of a ledger that was cut off is refused unless the cut lies between two lines."""
    cut = LONG[:size]
    assert is_refused(cut) != cut.endswith(b"\n")


@pytest.mark.parametrize("at", range(len(LINES) - 1))
def test_any_removed_line_but_the_last_is_refused(at):
    """A line before the last cannot be removed."""
    assert is_refused(b"".join(LINES[:at] + LINES[at + 1 :]))


@settings(max_examples=30, deadline=None)
@given(PLACES, PLACES)
def test_any_two_lines_swapped_are_refused(first, second):
    """Lines keep their order."""
    lines = list(LINES)
    lines[first], lines[second] = lines[second], lines[first]
    assert is_refused(b"".join(lines)) == (first != second)


@pytest.mark.parametrize("at", range(len(LINES)))
def test_any_line_written_twice_is_refused(at):
    """A line stands once."""
    assert is_refused(b"".join([*LINES[: at + 1], LINES[at], *LINES[at + 1 :]]))
