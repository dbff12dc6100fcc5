"""The floors file: what a promotion is held to, every floor `open` until it is set from the dev freeze."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pytest_pii_eval.contracts.canonical import fingerprint
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.freezes_model import FLOORS
from pytest_pii_eval.contracts.limits import GateRule, parse_limit
from pytest_pii_eval.contracts.model_faults import checked
from pytest_pii_eval.contracts.yaml_file import parse_yaml, read_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction
    from pathlib import Path

    from pytest_pii_eval.contracts.freezes_model import FloorKind, FloorRow
    from pytest_pii_eval.contracts.limits import Direction

METRICS: Final[Mapping[FloorKind, tuple[str, Direction]]] = {
    "exact_recall": ("recall", "min"),
    "extra_span_rate": ("extra_span_rate", "max"),
    "p95_latency_ms": ("p95_ms", "max"),
}
"""The metric of each kind and its direction; p95 latency is a metric of the run's host, not of a slice."""


@dataclass(frozen=True, slots=True)
class Floor:
    """One floor; `text` is its limit as written, `limit` the exact number, None while it is open.

    `slice` is an id or `*`; None for p95 latency, which speaks of the run.
    """

    kind: FloorKind
    slice: str | None
    type: str | None
    text: str
    limit: Fraction | None


@dataclass(frozen=True, slots=True)
class SetFrom:
    """The SHA-256 of the report on the dev freeze that the numbers come from, its detector, and the slack.

    `numbers` is the fingerprint of the floors as they were written then.
    """

    report: str
    detector: str
    slack: str
    numbers: str | None = None


@dataclass(frozen=True, slots=True)
class FloorsFile:
    """Floors in order of the file. `fingerprint` binds kinds, places and exact limits, in any order."""

    floors: tuple[Floor, ...]
    set_from: SetFrom | None
    fingerprint: str

    @property
    def open(self) -> tuple[Floor, ...]:
        """The floors that nobody set yet."""
        return tuple(one for one in self.floors if one.limit is None)

    @property
    def is_as_set(self) -> bool:
        """Whether the numbers are those that `pii-eval freeze set-floors` wrote, and nobody's own."""
        return self.set_from is not None and self.set_from.numbers == self.fingerprint

    @property
    def p95_ms(self) -> str | None:
        """The limit of p95 latency as written, where the file has one that is set."""
        found = (one for one in self.floors if one.kind == "p95_latency_ms" and one.limit is not None)
        return next((one.text for one in found), None)

    def rules(self) -> tuple[GateRule, ...]:
        """Return the floors of slices as strict gates, named `floors[N]` after their place in the file."""
        return tuple(
            GateRule(
                f"floors[{at}]",
                one.slice,
                *METRICS[one.kind][:1],
                one.type,
                METRICS[one.kind][1],
                one.limit,
                True,
            )
            for at, one in enumerate(self.floors)
            if one.slice is not None
        )


def read_floors(path: Path, *, root: Path | None = None) -> FloorsFile:
    """Return the floors file at `path`; raises `Fault` with its name and the field."""
    try:
        return parse_floors(read_document(path, root=root))
    except Fault as fault:
        raise fault.at(file=path.name) from None


def floors_in(payload: bytes, *, file: str) -> FloorsFile:
    """Return the floors file whose content is `payload`, as git has it; raises `Fault` with `file`."""
    try:
        return parse_floors(parse_yaml(payload))
    except Fault as fault:
        raise fault.at(file=file) from None


def parse_floors(document: object) -> FloorsFile:
    """Return the floors file that a decoded document describes; raises `Fault` without file."""
    row = checked(FLOORS, document)
    floors = tuple(_floor(one, f"floors[{at}]") for at, one in enumerate(row["floors"]))
    seen: dict[tuple[str, str | None, str | None], int] = {}
    for at, one in enumerate(floors):
        first = seen.setdefault((one.kind, one.slice, one.type), at)
        if first != at:
            raise Fault(f"says again what floors[{first}] is about", field=f"floors[{at}]")
    if not any(one.kind == "exact_recall" for one in floors):
        raise Fault("holds no floor of exact_recall; a promotion needs one", field="floors")
    came = row.get("set_from")
    return FloorsFile(
        floors=floors,
        set_from=None
        if came is None
        else SetFrom(came["report"], came["detector"], came["slack"], came.get("numbers")),
        fingerprint=floors_fingerprint(floors),
    )


def floors_fingerprint(floors: Iterable[Floor]) -> str:
    """Return what binds kinds, places and exact limits of floors, in any order."""
    return fingerprint(sorted(_bound(one) for one in floors))


def _floor(row: FloorRow, place: str) -> Floor:
    kind = row["kind"]
    of_run = kind == "p95_latency_ms"
    if of_run and ("slice" in row or "type" in row):
        raise Fault("p95 latency speaks of the run, and has neither slice nor type", field=place)
    if not of_run and "slice" not in row:
        raise Fault("is missing", field=f"{place}.slice")
    if kind == "exact_recall" and "type" not in row:
        raise Fault("is missing: exact recall is held by type", field=f"{place}.type")
    if kind == "extra_span_rate" and "type" in row:
        raise Fault("extra spans are counted over all types of a slice", field=f"{place}.type")
    try:
        limit = parse_limit(row["limit"])
    except Fault as fault:
        raise fault.at(field=f"{place}.limit") from None
    if kind == "exact_recall" and limit is not None and limit > 1:
        raise Fault("is a share; nothing reaches more than 1", field=f"{place}.limit")
    named = row.get("slice")
    return Floor(kind, named, row.get("type"), row["limit"], limit)


def _bound(floor: Floor) -> list[str]:
    limit = "open" if floor.limit is None else str(floor.limit)
    return [floor.kind, floor.slice or "", floor.type or "", limit]
