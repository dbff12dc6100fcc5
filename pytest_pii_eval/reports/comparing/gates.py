"""Gates with another verdict than before: by slice, id, metric and type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.reports.comparing.model import GateChange

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pii_eval.reports.model import Gate, Verdict
    from pytest_pii_eval.reports.snapshots.model import Snapshot

_Key = tuple[str, str, str, str]


def gate_changes(old: Snapshot, new: Snapshot, *, without: frozenset[str] = frozenset()) -> list[GateChange]:
    """Return the gates whose verdict changed, those that held and do not now first.

    Gates on metrics `without` which the runs are compared are left out.

    A gate that one of the runs does not have was, or is, not evaluated: it appears only where it fails.
    """
    before, after = dict(_verdicts(old)), dict(_verdicts(new))
    changes = [
        _change(key, before.get(key, "not_evaluated"), after.get(key, "not_evaluated"))
        for key in sorted(before.keys() | after.keys())
        if key[2] not in without
    ]
    moved = [change for change in changes if change.old != change.new]
    return sorted(moved, key=lambda change: not change.regression)


def _change(key: _Key, old: Verdict, new: Verdict) -> GateChange:
    slice_id, gate_id, _, _ = key
    failed = new == "fail" and old != "fail"
    lost = old == "pass" and new != "pass"
    return GateChange(id=gate_id, slice=slice_id or None, old=old, new=new, regression=failed or lost)


def _verdicts(snapshot: Snapshot) -> Iterator[tuple[_Key, Verdict]]:
    yield from (_keyed("", gate) for gate in snapshot.gates)
    for name, one in snapshot.slices.items():
        yield from (_keyed(name, gate) for gate in one.gates)


def _keyed(slice_id: str, gate: Gate) -> tuple[_Key, Verdict]:
    return (gate.slice or slice_id, gate.id, gate.metric, gate.type or ""), gate.verdict
