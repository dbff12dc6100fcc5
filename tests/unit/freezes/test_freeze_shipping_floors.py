"""The part `floors` of the ship verdict: every floor judged on the sealed freeze, and no gate that failed."""

from __future__ import annotations

from typing import Any

import pytest
from ship_values import (
    FREEZES,
    binding,
    extra_gate,
    floors,
    gate,
    p95_gate,
    quality_slice,
    report,
    run_of,
)

from pytest_pii_eval.freezes.shipping import ship_parts

P95 = {"kind": "p95_latency_ms", "limit": "50"}


def _reasons(*more: dict[str, str], **fields: Any) -> list[str]:
    """Return why the floors of a report do not hold, and be sure that all other parts do."""
    file = floors(*more)
    parts = ship_parts(
        report(**fields),
        binding(floors=file.fingerprint),
        plan=["dev-freeze-was-read"],
        floors=file,
        freezes=FREEZES,
    )
    assert {part.verdict for name, part in parts.items() if name != "floors"} == {"pass"}
    assert (parts["floors"].verdict == "pass") == (not parts["floors"].reasons)
    return parts["floors"].reasons


def test_floors_that_hold() -> None:
    """Both floors were judged on the sealed slice and passed."""
    assert _reasons() == []


@pytest.mark.parametrize(
    "judged",
    [
        [extra_gate()],
        [gate(slice="notes"), extra_gate()],
        [gate(slice="public"), extra_gate()],
        [gate(metric="labeled_span_recall"), extra_gate()],
        [gate(type="person"), extra_gate()],
        [gate(type=None), extra_gate()],
        [gate(direction="max"), extra_gate()],
        [gate(limit=0.8), extra_gate()],
        [gate(limit=None), extra_gate()],
    ],
)
def test_a_floor_that_nobody_judged(judged) -> None:
    """A gate of the same id about another slice, metric, type, direction or limit is no proof of a floor."""
    slices = {
        "mail": quality_slice(),
        "notes": quality_slice(),
        "public": quality_slice(role="public"),
    }
    assert _reasons(gates=judged, slices=slices) == ["floors[0] was not judged on a sealed slice"]


def test_a_floor_that_is_not_met() -> None:
    """A floor below its limit fails, with value, limit and support, and is told once."""
    gates = [gate(verdict="fail", value=0.85), extra_gate()]
    assert _reasons(gates=gates, passed=False) == [
        "floors[0] of email on slice mail: fail (0.85, limit 0.9, support 20)"
    ]


def test_a_floor_without_a_value() -> None:
    """A floor that could not be evaluated was not shown to hold."""
    gates = [gate(), extra_gate(verdict="not_evaluated", value=None, support=0, reason="partial_annotation")]
    assert _reasons(gates=gates) == ["floors[1] on slice mail: not_evaluated (partial_annotation)"]


def test_a_floor_of_every_slice_holds_on_each() -> None:
    """One slice below the floor fails it, whatever the others show."""
    star = {"kind": "exact_recall", "slice": "*", "type": "email", "limit": "0.5"}
    of_star = {"id": "floors[2]", "limit": 0.5}
    gates = [
        gate(),
        extra_gate(),
        gate(**of_star),
        gate(**of_star, slice="notes", value=0.25, verdict="fail"),
    ]
    slices = {"mail": quality_slice(), "notes": quality_slice()}
    assert _reasons(star, gates=gates, slices=slices, passed=False) == [
        "floors[2] of email on slice notes: fail (0.25, limit 0.5, support 20)"
    ]


def test_a_floor_of_the_suite_file_is_no_floor_of_the_floors_file() -> None:
    """The suite file counts its floors alike; one of its own with the same id proves nothing and can fail."""
    own = gate(type="secret", limit=0.2)
    assert _reasons(gates=[own, extra_gate()]) == ["floors[0] was not judged on a sealed slice"]
    failed = gate(type="secret", limit=1, verdict="fail", value=0.5)
    assert _reasons(gates=[gate(), failed, extra_gate()], passed=False) == [
        "floors[0] of secret on slice mail: fail (0.5, limit 1, support 20)"
    ]


def test_an_open_floor() -> None:
    """A floor that nobody set holds nothing up."""
    assert _reasons({"kind": "exact_recall", "slice": "mail", "type": "person", "limit": "open"}) == [
        "floors[2] is open; set it from the dev freeze"
    ]
    assert _reasons({"kind": "p95_latency_ms", "limit": "open"}) == [
        "floors[2] is open; set it from the dev freeze"
    ]


@pytest.mark.parametrize("limit", [50, 45.5])
def test_latency_within_its_floor(limit) -> None:
    """The gate of the host passed, against the floor or a stricter limit."""
    assert _reasons(P95, run=run_of(gates=[p95_gate(limit=limit)])) == []


@pytest.mark.parametrize(
    ("gates", "reason"),
    [
        ([], "floors[2]: p95 latency was not judged"),
        ([p95_gate(id="max-p50-ms")], "floors[2]: p95 latency was not judged"),
        (
            [p95_gate(verdict="not_evaluated", limit=None, reason="open")],
            "floors[2]: p95 latency was not shown to keep its limit",
        ),
        ([p95_gate(limit=60)], "floors[2]: p95 latency was judged against another limit"),
    ],
)
def test_latency_that_nobody_judged(gates, reason) -> None:
    """Without a gate of the host, or with a softer one, the floor was not shown to hold."""
    assert _reasons(P95, run=run_of(gates=gates)) == [reason]


def test_latency_above_its_floor() -> None:
    """A host that is too slow fails the floor."""
    slow = p95_gate(value=61.25, verdict="fail")
    assert _reasons(P95, run=run_of(gates=[slow]), passed=False) == [
        "floors[2]: p95 latency was not shown to keep its limit",
        "gate max-p95-ms: fail (61.25, limit 50, support 12)",
    ]


def test_a_gate_of_the_host_that_failed() -> None:
    """A host slower than the flag allows fails the part, though no floor speaks of latency."""
    slow = p95_gate(value=61.25, verdict="fail")
    assert _reasons(run=run_of(gates=[slow]), passed=False) == [
        "gate max-p95-ms: fail (61.25, limit 50, support 12)"
    ]


def test_a_floor_of_no_time_at_all_is_still_a_floor() -> None:
    """A limit of 0 ms is set, not open: a run that judged no latency does not keep it."""
    assert floors({"kind": "p95_latency_ms", "limit": "0"}).p95_ms == "0"
    assert _reasons({"kind": "p95_latency_ms", "limit": "0"}) == ["floors[2]: p95 latency was not judged"]


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        (
            gate(id="gates[0]", slice="public", verdict="fail", value=0.5),
            "gate gates[0] of email on slice public: fail (0.5, limit 0.9, support 20)",
        ),
        (
            gate(id="min-recall", type=None, verdict="fail", value=None, reason="no_gold"),
            "gate min-recall on slice mail: fail (no_gold)",
        ),
        (
            gate(id="labels.common", slice=None, type=None, verdict="fail", value=0, limit=1, support=9),
            "gate labels.common: fail (0, limit 1, support 9)",
        ),
    ],
)
def test_any_other_gate_that_failed(other, reason) -> None:
    """Gates of the suite file, of flags and of the run fail the part as floors do."""
    assert _reasons(gates=[gate(), extra_gate(), other], passed=False) == [reason]
