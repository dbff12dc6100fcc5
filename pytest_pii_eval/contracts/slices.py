"""The slice plan: frozen slices, declared gaps, and the rules that a plan keeps by itself."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from pytest_pii_eval.contracts.canonical import canonical_bytes, fingerprint
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.model_faults import fault_of
from pytest_pii_eval.contracts.quality_model import MAX_SLICES, SLICE, UNSUPPORTED
from pytest_pii_eval.contracts.slice_rules import check_slice

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_pii_eval.contracts.quality_model import (
        Completeness,
        LabelStrength,
        SliceRow,
        SplitRole,
    )


@dataclass(frozen=True, slots=True)
class Slice:
    """One frozen slice.

    `entity_class` is its one class, or the id of a scope of several; `types` are the classes
    themselves. `document_regions` are the annotated regions and `view_regions` those of the scanned
    view. `digest` is the SHA-256 of everything its row says, lists taken as sets.
    """

    id: str
    label_artifact_id: str
    entity_class: str
    types: frozenset[str]
    label_strength: LabelStrength
    completeness: Completeness
    document_regions: frozenset[str]
    view_regions: frozenset[str]
    exclusions: frozenset[str]
    cohort: str
    split_role: SplitRole
    text_view: str
    promotion_gate: bool
    answer_bearing: bool
    primary_view: bool
    digest: bytes

    @property
    def independent(self) -> bool:
        """Tell whether somebody labelled it independently of the text's own structure."""
        return self.label_strength == "independent"

    @property
    def exhaustive(self) -> bool:
        """Tell whether everything within its scope is annotated."""
        return self.completeness == "exhaustive_within_scope"

    @property
    def regions_cover_view(self) -> bool:
        """Tell whether the annotated regions are the whole scanned view, exclusions left aside."""
        return self.document_regions == self.view_regions


class Unsupported(NamedTuple):
    """A dimension that was asked for and cannot be measured, with the reason."""

    id: str
    dimension: str
    reason_code: str


@dataclass(frozen=True, slots=True)
class SlicePlan:
    """All slices and declared gaps by id, in order of their ids.

    `fingerprint` is `sha256:` and the hex digest of the whole plan; order of rows, keys and lists
    never changes it.
    """

    slices: Mapping[str, Slice]
    unsupported: Mapping[str, Unsupported]
    fingerprint: str

    @property
    def ids(self) -> frozenset[str]:
        """The ids of slices and gaps together."""
        return frozenset([*self.slices, *self.unsupported])


def parse_slice(value: object) -> Slice:
    """Return the slice in one decoded row; raises `Fault` without file and line."""
    try:
        row: SliceRow = SLICE.validator.validate_python(value)
    except ValidationError as error:
        raise fault_of(error, value) from None
    check_slice(row)
    scope, view = row["annotation_scope"], row["text_view_descriptor"]
    return Slice(
        id=row["id"],
        label_artifact_id=row["label_artifact_id"],
        entity_class=row["entity_class"],
        types=frozenset(scope["entity_classes"]),
        label_strength=row["label_strength"],
        completeness=row["annotation_completeness"],
        document_regions=frozenset(scope["document_regions"]),
        view_regions=frozenset(view["document_regions"]),
        exclusions=frozenset(scope["exclusions"]),
        cohort=row["cohort"],
        split_role=row["split_role"],
        text_view=row["text_view"],
        promotion_gate=row["promotion_gate"],
        answer_bearing=view["answer_bearing_fields_included"],
        primary_view=view["primary_for_quality"],
        digest=hashlib.sha256(canonical_bytes(_unordered(row))).digest(),
    )


def parse_unsupported(value: object) -> Unsupported:
    """Return the declared gap in one decoded row; raises `Fault` without file and line."""
    try:
        row = UNSUPPORTED.validator.validate_python(value)
    except ValidationError as error:
        raise fault_of(error, value) from None
    return Unsupported(row["id"], row["dimension"], row["reason_code"])


def make_plan(slices: Iterable[Slice], unsupported: Iterable[Unsupported] = ()) -> SlicePlan:
    """Return the plan of `slices` and `unsupported`.

    Raises `Fault` where an id is used twice, also across both, and where there are too many.
    """
    supported = sorted(slices, key=attrgetter("id"))
    gaps = sorted(unsupported)
    _check_number(len(supported), "slices")
    _check_number(len(gaps), "unsupported slices")
    _check_unique([*(one.id for one in supported), *(gap.id for gap in gaps)])
    return SlicePlan(
        slices=MappingProxyType({one.id: one for one in supported}),
        unsupported=MappingProxyType({gap.id: gap for gap in gaps}),
        fingerprint=fingerprint(
            {"slices": [one.digest.hex() for one in supported], "unsupported": [list(gap) for gap in gaps]}
        ),
    )


def _unordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _unordered(inner) for key, inner in value.items()}
    return sorted(value) if isinstance(value, list) else value


def _check_number(number: int, what: str) -> None:
    if number > MAX_SLICES:
        raise Fault(f"the plan holds {number:,} {what}; the limit is {MAX_SLICES:,}")


def _check_unique(ids: list[str]) -> None:
    seen: set[str] = set()
    for slice_id in ids:
        if slice_id in seen:
            raise Fault(f"the plan uses the slice id {slice_id} twice", field="id")
        seen.add(slice_id)
