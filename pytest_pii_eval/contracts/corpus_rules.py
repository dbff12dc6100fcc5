"""The rules across the fields of a corpora file; its fields alone are checked by their model."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.limits import EVERY_SLICE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from pytest_pii_eval.contracts.corpus_model import PinRow
    from pytest_pii_eval.contracts.limits import GateRule
    from pytest_pii_eval.contracts.taxonomy import Taxonomy

LABELS_ARE_TYPES: Final = "types"
"""The label map that is none: labels are types themselves."""

_SHARD: Final = re.compile(r"(^|\.)shard-[0-9]+\Z")
_NO_SHARD: Final = "ends as the name of a shard does; name it otherwise"
_NO_NAME: Final = frozenset({"", ".", ".."})


def check_pin(row: PinRow, taxonomy: Taxonomy) -> None:
    """Raise `Fault` with the field of the pin where the fields of `row` contradict each other."""
    _check_place(row)
    for ordinal, gap in enumerate(row.get("unsupported", ())):
        if _SHARD.search(gap["dimension"]):
            raise Fault(_NO_SHARD, field=f"unsupported[{ordinal}].dimension")
    for field, entries in (
        ("excluded_labels", row.get("excluded_labels", ())),
        ("regions", row["regions"]),
        ("languages", row["languages"]),
        ("exclusions", row.get("exclusions", ())),
        ("in_domain_for", row.get("in_domain_for", ())),
        ("unsupported", [gap["dimension"] for gap in row.get("unsupported", ())]),
    ):
        if len(set(entries)) != len(entries):
            raise Fault("names the same entry twice", field=field)
    _check_labels(row, taxonomy)


def check_key(key: str) -> None:
    """Raise `Fault` where a key would be taken for the name of a shard."""
    if _SHARD.search(key):
        raise Fault(_NO_SHARD)


def check_relative(named: str, field: str) -> None:
    """Raise `Fault` where `named` is no path below its folder."""
    parts = named.split("/")
    if not _NO_NAME.isdisjoint(parts) or "\\" in named or ":" in named or not named.isprintable():
        raise Fault("must be a relative path with forward slashes that stays in its folder", field=field)


def check_gates(rules: Iterable[GateRule], scopes: Mapping[str, Collection[str] | None]) -> None:
    """Raise `Fault` where a gate or floor speaks of no corpus, or of a type that none of them has.

    `scopes` are the types of each corpus by its key; None: only its artifact tells.
    """
    for rule in rules:
        if rule.slice != EVERY_SLICE and rule.slice not in scopes:
            raise Fault("names no corpus of the file", field=f"{rule.id}.slice")
        spoken_of = scopes.values() if rule.slice == EVERY_SLICE else [scopes[rule.slice]]
        if rule.type is not None and all(types is not None and rule.type not in types for types in spoken_of):
            raise Fault("is a type of no corpus that the gate speaks of", field=f"{rule.id}.type")


def _check_place(row: PinRow) -> None:
    source = row["source"]
    if source["kind"] != "https":
        check_relative(source["path"], "source.path")
    if "catalog_bindings" in row:
        check_relative(row["catalog_bindings"], "catalog_bindings")


def _check_labels(row: PinRow, taxonomy: Taxonomy) -> None:
    name = row["label_map"]
    if name == LABELS_ARE_TYPES:
        return
    if name not in taxonomy.label_maps:
        known = ", ".join(sorted([*taxonomy.label_maps, LABELS_ARE_TYPES]))
        raise Fault(f"names no label map of the taxonomy; it has: {known}", field="label_map")
    both = taxonomy.label_maps[name].keys() & row.get("excluded_labels", ())
    if both:
        rule = f"{len(both)} labels are excluded, and have an entry in the label map"
        raise Fault(rule, field="excluded_labels")
