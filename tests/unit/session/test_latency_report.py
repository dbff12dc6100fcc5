"""Latency in the report of a run, and the gate of this host: its band, its limit, none without one."""

from __future__ import annotations

import pytest

from pytest_pii_eval.reports.model import BandLatency, Run, WarmUp
from pytest_pii_eval.scoring.latency import Latency
from pytest_pii_eval.session.latency import with_latency

RUN = Run(
    started="2026-01-01T00:00:00+00:00",
    seconds=0.5,
    python="3.11.0",
    platform="linux",
    pytest="9.0.0",
    processes=1,
)


def timed(*answers):
    """Return the latency of answers, each a length in code points and microseconds."""
    latency = Latency()
    for length, microseconds in answers:
        latency.add(length, microseconds / 1e6, warm=False)
    return latency


def gate(latency, limit):
    """Return the gate of a run."""
    [found] = with_latency(RUN, latency, limit).gates
    return found


# From 4,096 to 8,191 microseconds there are 32 buckets, 128 wide: the last is 8,064 to 8,191.
NOTE = (2_000, 8_100)


@pytest.mark.parametrize(
    ("limit", "verdict"),
    [("8.191", "pass"), ("8.192", "pass"), ("9", "pass"), ("8.19", "fail"), ("8", "fail"), ("0", "fail")],
)
def test_a_value_above_the_limit_fails(limit, verdict):
    """A value of 8.191 ms fails below that, and holds from there on."""
    found = gate(timed(NOTE), limit)
    assert (found.verdict, found.value, found.support, found.reason) == (verdict, 8.191, 1, None)
    assert found.limit == float(limit)


@pytest.mark.parametrize("edge", [63, 375, 511, 1_023, 2_047, 8_063, 8_191])
def test_a_value_that_is_the_limit_holds(edge):
    """As it is printed: 8.191 is no binary fraction, and its float may be a little above it or below."""
    assert gate(timed((2_000, edge)), f"{edge / 1000}").verdict == "pass"
    assert gate(timed((2_000, edge)), f"{(edge - 1) / 1000}").verdict == "fail"


def test_other_bands_are_not_judged():
    """A short note that is slow, and a long one, do not count; nor do they stand in for one of 2,000."""
    assert gate(timed((10, 900_000), NOTE, (20_000, 900_000)), "9").verdict == "pass"
    found = gate(timed((10, 1)), "9")
    assert (found.verdict, found.value, found.support, found.reason) == (
        "fail",
        None,
        0,
        "no_documents_in_band",
    )


def test_an_open_limit_judges_nothing():
    """The value is shown."""
    found = gate(timed(NOTE), "open")
    assert (found.verdict, found.reason, found.limit, found.value) == ("not_evaluated", "open", None, 8.191)


def test_without_a_limit_there_is_no_gate():
    """Latency is told all the same, with the warm-up in seconds."""
    latency = timed(NOTE)
    latency.add(10, 0.25, warm=True)
    latency.add_build(1.5)
    run = with_latency(RUN, latency, None)
    assert run.gates == []
    assert run.latency.bands == {"1501-2500": BandLatency(documents=1, p50_ms=8.191, p95_ms=8.191)}
    assert run.latency.warm_up == WarmUp(builds=1, build_seconds=1.5, documents=1, seconds=0.25)


def test_a_run_that_timed_nothing_has_no_latency():
    """The gate is there, and fails: nothing was shown."""
    run = with_latency(RUN, Latency(), "9")
    assert run.latency is None
    assert run.gates[0].verdict == "fail"
