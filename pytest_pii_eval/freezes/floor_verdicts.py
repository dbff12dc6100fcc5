"""Whether a report shows that every floor is met, and that no other gate failed; pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_pii_eval.contracts.limits import EVERY_SLICE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from pytest_pii_eval.contracts.floors_file import Floor, FloorsFile
    from pytest_pii_eval.contracts.limits import GateRule
    from pytest_pii_eval.reports.model import Gate, Report

P95_GATE: Final = "max-p95-ms"
"""The gate of the run's host that a floor of p95 latency is held by."""


def floor_reasons(report: Report, floors: FloorsFile, sealed: Collection[str]) -> Iterator[str]:
    """Yield why `floors` do not hold on the slices `sealed` of `report`, or which other gate failed."""
    for at, floor in enumerate(floors.floors):
        if floor.limit is None:
            yield f"floors[{at}] is open; set it from the dev freeze"
        elif floor.slice is None:
            yield from _latency(report, floor, f"floors[{at}]")
    told: list[Gate] = []
    for rule in floors.rules():
        if rule.limit is not None:
            gates = [gate for gate in report.gates if gate.id == rule.id and gate.slice in sealed]
            told.extend(gates)
            yield from _floor(rule, gates)
    for gate in [*report.gates, *report.run.gates]:
        if gate.verdict == "fail" and not any(gate is one for one in told):
            yield f"gate {gate.id}{_of(gate)}: fail{_because(gate)}"


def _floor(rule: GateRule, gates: list[Gate]) -> Iterator[str]:
    """Say why one floor does not hold; gates with its id that judge something else are no proof of it."""
    if not any(_judges(gate, rule) for gate in gates):
        yield f"{rule.id} was not judged on a sealed slice"
    for gate in gates:
        if gate.verdict != "pass":
            yield f"{rule.id}{_of(gate)}: {gate.verdict}{_because(gate)}"


def _judges(gate: Gate, rule: GateRule) -> bool:
    about = (gate.metric, gate.type, gate.direction) == (rule.metric, rule.type, rule.direction)
    named = rule.slice in (EVERY_SLICE, gate.slice)
    return about and named and rule.limit is not None and gate.limit == float(rule.limit)


def _latency(report: Report, floor: Floor, place: str) -> Iterator[str]:
    gates = [gate for gate in report.run.gates if gate.id == P95_GATE]
    held = [gate for gate in gates if gate.verdict == "pass" and gate.limit is not None]
    if not gates:
        yield f"{place}: p95 latency was not judged"
    elif len(held) < len(gates):
        yield f"{place}: p95 latency was not shown to keep its limit"
    elif floor.limit is None or any(float(gate.limit or 0) > float(floor.limit) for gate in held):
        yield f"{place}: p95 latency was judged against another limit"


def _of(gate: Gate) -> str:
    kind = f" of {gate.type}" if gate.type else ""
    return f"{kind} on slice {gate.slice}" if gate.slice else kind


def _because(gate: Gate) -> str:
    if gate.value is None:
        return f" ({gate.reason})" if gate.reason else ""
    return f" ({gate.value}, limit {gate.limit}, support {gate.support})"
