"""A taxonomy: which types exist, how severe their class is, and how the labels of detectors map to them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from pydantic import ValidationError

from pytest_pii_eval.contracts.canonical import fingerprint
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.model_faults import fault_of
from pytest_pii_eval.contracts.suite_model import TAXONOMY
from pytest_pii_eval.contracts.taxonomy_default import DEFAULT
from pytest_pii_eval.contracts.yaml_file import read_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from pytest_pii_eval.contracts.slices import Slice, SlicePlan
    from pytest_pii_eval.contracts.suite_model import TaxonomyRow

HIGH_SEVERITY = frozenset({"secret", "gov_id", "payment"})
"""The classes of high severity unless a taxonomy says otherwise (spec/evaluation.md, Leakage)."""


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """Types by class, the classes of high severity, and label maps by name.

    A label map turns labels of a detector or corpus into types. `fingerprint` is `sha256:` and the
    hex digest of the content; order of keys and lists never changes it.
    """

    version: str
    types: Mapping[str, str]
    high_severity_classes: frozenset[str]
    label_maps: Mapping[str, Mapping[str, str]]
    fingerprint: str

    def high_severity(self, types: Iterable[str]) -> frozenset[str]:
        """Return those of `types` whose class is of high severity; one unknown here is not.

        `check` is what refuses unknown types.
        """
        return frozenset(name for name in types if self.types.get(name) in self.high_severity_classes)

    def check(self, plan: SlicePlan) -> None:
        """Raise `Fault` with the slice's id where a slice of `plan` names a class that is no type here."""
        for one in plan.slices.values():
            self.check_slice(one)

    def check_slice(self, one: Slice) -> None:
        """Raise `Fault` with the id of `one` where it names a class that is no type here."""
        unknown = len(one.types.difference(self.types))
        if unknown:
            raise Fault(
                f"slice {one.id} names {unknown:,} of its {len(one.types):,} classes"
                " that the taxonomy does not know; add them to its types",
                field="annotation_scope.entity_classes",
            )


@cache
def default_taxonomy() -> Taxonomy:
    """Return the built-in taxonomy: the types of the shipped bank, and the labels of common corpora."""
    return parse_taxonomy(DEFAULT)


def read_taxonomy(path: Path, *, root: Path | None = None) -> Taxonomy:
    """Return the taxonomy in a YAML or JSON file; raises `Fault` with the file's name."""
    document = read_document(path, root=root)
    try:
        return parse_taxonomy(document)
    except Fault as fault:
        raise fault.at(file=path.name) from None


def parse_taxonomy(document: object) -> Taxonomy:
    """Return the taxonomy that a decoded document describes; raises `Fault` without file."""
    try:
        row: TaxonomyRow = TAXONOMY.validator.validate_python(document)
    except ValidationError as error:
        raise fault_of(error, document) from None
    _check_high_severity(row)
    label_maps = row.get("label_maps", {})
    _check_label_maps(row, label_maps)
    classes = frozenset(row.get("high_severity", HIGH_SEVERITY))
    return Taxonomy(
        version=row["version"],
        types=MappingProxyType(row["types"]),
        high_severity_classes=classes,
        label_maps=MappingProxyType({name: MappingProxyType(map_) for name, map_ in label_maps.items()}),
        fingerprint=fingerprint(
            {
                "version": row["version"],
                "types": row["types"],
                "high_severity": sorted(classes),
                "label_maps": label_maps,
            }
        ),
    )


def _check_high_severity(row: TaxonomyRow) -> None:
    """Refuse a class that no type has: a misspelt one would switch a gate off in silence."""
    given = row.get("high_severity", [])
    if len(set(given)) != len(given):
        raise Fault("names the same class twice", field="high_severity")
    known = set(row["types"].values())
    for ordinal, name in enumerate(given):
        if name not in known:
            raise Fault("is the class of no type", field=f"high_severity[{ordinal}]")


def _check_label_maps(row: TaxonomyRow, label_maps: Mapping[str, Mapping[str, str]]) -> None:
    for number, label_map in enumerate(label_maps.values()):
        for ordinal, type_ in enumerate(label_map.values()):
            if type_ not in row["types"]:
                rule = "maps to a type that the taxonomy does not know"
                raise Fault(rule, field=f"label_maps[{number}][{ordinal}]")
