"""The suite file: the taxonomy, types, gates and floors that a directory of quality files is held to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pytest_pii_eval.contracts.canonical import fingerprint
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.limits import EVERY_SLICE, GateRule, parse_limit
from pytest_pii_eval.contracts.model_faults import checked
from pytest_pii_eval.contracts.suite_model import SUITE
from pytest_pii_eval.contracts.taxonomy import Taxonomy, default_taxonomy, read_taxonomy
from pytest_pii_eval.contracts.yaml_file import read_document

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from pathlib import Path

    from pytest_pii_eval.contracts.limits import Direction
    from pytest_pii_eval.contracts.slices import SlicePlan
    from pytest_pii_eval.contracts.suite_model import LimitRow, Role, SuiteRow

_DIRECTIONS: Final[tuple[Direction, ...]] = ("min", "max")


@dataclass(frozen=True, slots=True)
class SuiteFile:
    """What a suite is held to.

    `types` narrows every slice's scope to these (`None`: to nothing less than its own). `role` says
    which of the sets of spec/evaluation.md the suite is, where it says so. `fingerprint` binds types,
    role, gates and floors, not the taxonomy, which has its own; order never changes it.
    """

    taxonomy: Taxonomy
    role: Role | None
    types: frozenset[str] | None
    gates: tuple[GateRule, ...]
    floors: tuple[GateRule, ...]
    fingerprint: str

    def rules(self) -> tuple[GateRule, ...]:
        """Return gates and floors as they are judged: in the order of the file, gates first."""
        return self.gates + self.floors


def read_suite_file(path: Path, *, root: Path | None = None) -> SuiteFile:
    """Return the suite file at `path`, or the one that asks for nothing where there is none.

    The taxonomy is looked up beside it. Raises `Fault` with the name of the file at fault.
    """
    if not path.exists() and not path.is_symlink():
        return parse_suite({}, default_taxonomy())
    document = read_document(path, root=root)
    try:
        # A fault of the taxonomy has its own file's name already.
        return parse_suite(document, _taxonomy_beside(path, checked(SUITE, document), root))
    except Fault as fault:
        raise fault.at(file=path.name) from None


def parse_suite(document: object, taxonomy: Taxonomy) -> SuiteFile:
    """Return the suite file that a decoded document describes; raises `Fault` without file."""
    row = checked(SUITE, document)
    types = row.get("types")
    if types is not None:
        _check_types(types, taxonomy)
    gates = _rules(row.get("gates", []), "gates", taxonomy)
    floors = _rules(row.get("floors", []), "floors", taxonomy)
    for rule in gates + floors:
        if types is not None and rule.type is not None and rule.type not in types:
            raise Fault("is not among the types of this file", field=f"{rule.id}.type")
    return SuiteFile(
        taxonomy=taxonomy,
        role=row.get("role"),
        types=None if types is None else frozenset(types),
        gates=gates,
        floors=floors,
        fingerprint=_fingerprint(row.get("role"), types, gates, floors),
    )


def only_rules(suite: SuiteFile, speaks: Callable[[GateRule], bool]) -> SuiteFile:
    """Return `suite` with those of its gates and floors that `speaks` is true of, and their fingerprint."""
    gates, floors = tuple(filter(speaks, suite.gates)), tuple(filter(speaks, suite.floors))
    return bound_again(replace(suite, gates=gates, floors=floors))


def bound_again(suite: SuiteFile) -> SuiteFile:
    """Return `suite` with the fingerprint of what it says now."""
    return replace(suite, fingerprint=_fingerprint(suite.role, suite.types, suite.gates, suite.floors))


def _fingerprint(
    role: Role | None,
    types: Collection[str] | None,
    gates: Iterable[GateRule],
    floors: Iterable[GateRule],
) -> str:
    return fingerprint(
        {
            "role": role,
            "types": None if types is None else sorted(types),
            "gates": sorted(map(_bound, gates)),
            "floors": sorted(map(_bound, floors)),
        }
    )


def check_rules(
    suite: SuiteFile, plan: SlicePlan, *, metrics: Collection[str], type_metrics: Collection[str]
) -> None:
    """Raise `Fault` where a gate speaks of nothing: no slice, no metric, or a type out of the scope.

    `metrics` are the names of metrics over all types, `type_metrics` those of a single type.
    """
    for rule in suite.rules():
        if rule.slice != EVERY_SLICE and rule.slice not in plan.slices:
            raise Fault("names no slice of the plan", field=f"{rule.id}.slice")
        if rule.metric not in (metrics if rule.type is None else type_metrics):
            whose = "a slice" if rule.type is None else "a single type"
            raise Fault(f"is no metric of {whose}", field=f"{rule.id}.metric")
        spoken_of = plan.slices.values() if rule.slice == EVERY_SLICE else [plan.slices[rule.slice]]
        if rule.type is not None and all(rule.type not in one.types for one in spoken_of):
            raise Fault("is in the scope of no slice that the gate speaks of", field=f"{rule.id}.type")


def _taxonomy_beside(path: Path, row: SuiteRow, root: Path | None) -> Taxonomy:
    named = row.get("taxonomy")
    if named is None:
        return default_taxonomy()
    if named.startswith("/") or "\\" in named or ":" in named:
        raise Fault("must be a relative path with forward slashes", field="taxonomy")
    return read_taxonomy(path.parent / named, root=root)


def _check_types(types: Sequence[str], taxonomy: Taxonomy) -> None:
    if len(set(types)) != len(types):
        raise Fault("names the same type twice", field="types")
    for ordinal, name in enumerate(types):
        if name not in taxonomy.types:
            raise Fault("is no type of the taxonomy", field=f"types[{ordinal}]")


def _rules(rows: list[LimitRow], field: str, taxonomy: Taxonomy) -> tuple[GateRule, ...]:
    rules: list[GateRule] = []
    seen: dict[tuple[str, str, str | None, Direction], str] = {}
    for ordinal, row in enumerate(rows):
        rule = _rule(row, f"{field}[{ordinal}]")
        if rule.type is not None and rule.type not in taxonomy.types:
            raise Fault("is no type of the taxonomy", field=f"{rule.id}.type")
        first = seen.setdefault(rule[1:5], rule.id)
        if first != rule.id:
            raise Fault(f"says again what {first} is about", field=rule.id)
        rules.append(rule)
    return tuple(rules)


def _rule(row: LimitRow, place: str) -> GateRule:
    given = [direction for direction in _DIRECTIONS if direction in row]
    if len(given) != 1:
        raise Fault("needs either min or max", field=place)
    direction = given[0]
    try:
        limit = parse_limit(row[direction])
    except Fault as fault:
        raise fault.at(field=f"{place}.{direction}") from None
    return GateRule(place, row["slice"], row["metric"], row.get("type"), direction, limit)


def _bound(rule: GateRule) -> list[str]:
    limit = "open" if rule.limit is None else str(rule.limit)
    return [rule.slice, rule.metric, rule.type or "", rule.direction, limit]
