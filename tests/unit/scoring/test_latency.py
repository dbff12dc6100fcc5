"""Latency as counts that add up: buckets, bands, quantiles, the warm-up apart."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_pii_eval.scoring.latency import BANDS, Latency, bucket_of, merged, upper_edge

MICROSECONDS = st.integers(1, 10**12)


@given(MICROSECONDS)
def test_a_bucket_is_narrow_and_holds_its_number(microseconds):
    """No number is above its bucket's edge, and the edge is at most one part in 32 above it."""
    edge = upper_edge(bucket_of(microseconds))
    assert microseconds <= edge <= microseconds * (1 + 1 / 32)


@pytest.mark.parametrize(
    ("microseconds", "edge"),
    [
        *((one, one) for one in (1, 2, 3, 31, 32, 33, 62, 63)),  # up to 63 a bucket is one number
        (64, 65),
        (65, 65),
        (66, 67),
        (1_000, 1_007),  # from 512 to 1,023 buckets are 16 wide
        (8_100, 8_191),  # from 4,096 to 8,191 they are 128 wide
        (8_191, 8_191),
        (8_192, 8_447),
    ],
)
def test_edges_by_hand(microseconds, edge):
    """Between two powers of 2 there are 32 buckets, and the edge is the last number in one."""
    assert upper_edge(bucket_of(microseconds)) == edge
    assert bucket_of(edge + 1) == bucket_of(microseconds) + 1 or edge < 63  # fewer than 32


@given(MICROSECONDS)
def test_an_edge_is_in_its_bucket(microseconds):
    """It is the last number there: the next is in another."""
    bucket = bucket_of(microseconds)
    assert bucket_of(upper_edge(bucket)) == bucket != bucket_of(upper_edge(bucket) + 1)


@given(MICROSECONDS, MICROSECONDS)
def test_buckets_keep_the_order(first, second):
    """A longer time is never in an earlier bucket."""
    assert (bucket_of(first) <= bucket_of(second)) or first > second


@pytest.mark.parametrize(
    ("length", "band"),
    [(0, 0), (500, 0), (501, 1), (1_500, 1), (1_501, 2), (2_500, 2), (2_501, 3), (10_000, 3), (10_001, 4)],
)
def test_bands_hold_both_their_ends(length, band):
    """A note of 500 characters is in the band that ends with 500."""
    latency = Latency()
    latency.add(length, 0.001, warm=False)
    assert list(latency.quantiles()) == [BANDS[band]]


@given(st.lists(st.floats(1e-6, 100), min_size=1, max_size=60))
def test_quantiles_are_those_of_the_sorted_times(times):
    """Nearest rank: the smallest time that half, or 95 %, do not exceed, up to the width of a bucket."""
    latency = Latency()
    for seconds in times:
        latency.add(10, seconds, warm=False)
    found = latency.quantiles()["0-500"]
    microseconds = sorted(max(1, round(seconds * 1e6)) for seconds in times)
    assert found.documents == len(times)
    for told, percent in ((found.p50_ms, 50), (found.p95_ms, 95)):
        rank = math.ceil(len(times) * percent / 100)
        exact = microseconds[rank - 1] / 1000
        assert exact <= told <= exact * (1 + 1 / 32)


def test_the_warm_up_is_apart():
    """Builds and the first documents are summed, and are in no band."""
    latency = Latency()
    latency.add_build(1.5)
    latency.add(10, 0.25, warm=True)
    latency.add(10, 0.5, warm=True)
    assert latency.quantiles() == {}
    assert tuple(latency.warm_up) == (1, 1_500_000, 2, 750_000)


@given(
    st.lists(st.tuples(st.integers(0, 20_000), st.floats(1e-6, 10), st.booleans()), max_size=30),
    st.randoms(use_true_random=False),
)
def test_parts_add_up_in_any_order_and_grouping(answers, random):
    """Cut into parts, sent as JSON, shuffled and merged in groups: the same as counted at once."""
    whole = Latency()
    parts = []
    for length, seconds, warm in answers:
        whole.add(length, seconds, warm=warm)
        part = Latency()
        part.add(length, seconds, warm=warm)
        parts.append(json.loads(json.dumps(part.packed())))
    random.shuffle(parts)
    middle = random.randint(0, len(parts))
    both = merged([merged(parts[:middle]).packed(), merged(parts[middle:]).packed()])
    assert both.bands == whole.bands
    assert both.warm_up == whole.warm_up
