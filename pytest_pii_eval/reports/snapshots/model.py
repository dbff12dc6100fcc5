"""The snapshot of a report, `pii_eval.snapshot.v1`: what is the same in equal runs and with every build."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from pytest_pii_eval.contracts.suite_model import Role
from pytest_pii_eval.reports.model import (
    CorpusReport,
    Count,
    Gate,
    Selection,
    Sha256,
    UnsupportedReport,
)
from pytest_pii_eval.reports.snapshots.families import AS_SELECTED, RESTATED
from pytest_pii_eval.reports.snapshots.figures import Figure

KEPT: Final = (
    "gold",
    "positive_cases",
    "negative_cases",
    "corpora",
    "catalog_bindings",
    "slice_plan",
    "policy",
    "quality_policy",
    "taxonomy",
)
"""The fingerprints that bind what a run was held to; the others change with the subject or the sources."""

LEFT_OUT: Final = (
    "passed",
    "run",
    "scorer.source_sha256",
    "scorer.git_revision",
    "scorer.git_dirty",
    "subject.version",
    "subject.engine_version",
    "subject.libraries",
    "subject.fingerprint",
    "missing",
    "crashed",
    "freeze_rules",
    "promotion",
    "conformance.recall",
    "conformance.by_entity.recall",
    "slices.stages",
    "counts of 0",
    *(f"{name} where {base} says it" for name, base in RESTATED.items()),
    f"fingerprints other than {', '.join(KEPT)}",
)
"""What a report holds and its snapshot does not: it differs between equal runs or with every build, or is
said by something else in it."""

Counts = dict[str, Annotated[int, Field(ge=1)]]
"""Counts by name; one that is not there is 0."""

FamilyRows = dict[str, dict[str, Figure] | Literal["as selected"] | Figure]
"""Metrics by family, as `families` packs them."""


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SubjectSnapshot(_Closed):
    """Whose run it was."""

    kind: Literal["bank", "detector"]
    name: str
    engine: str | None = None
    offset_unit: Literal["codepoint", "byte", "utf16"] | None = None
    label_map: str | None = None
    replayed: bool = False


class Completeness(_Closed):
    """Whether everything that was planned reported, and all processes told the same."""

    complete: bool
    consistent: bool
    missing: Count
    crashed: Count


class ConformanceSnapshot(_Closed):
    """The conformance aggregate in counts; a recall is `correctly_mapped / approved_positive_cases`."""

    evaluated: bool
    passed: bool | None
    counts: Counts
    by_entity: dict[str, Counts]
    by_tag: dict[str, Counts]


class TypeSnapshot(_Closed):
    """Counts of one type, and its metrics by family."""

    counts: Counts
    metrics: FamilyRows


class Declared(_Closed):
    """What the plan says of a slice."""

    entity_class: str
    types: list[str]
    cohort: str
    split_role: str
    text_view: str
    label_strength: str
    annotation_completeness: str
    promotion_gate: bool
    role: Role | None = None
    in_domain: bool | None = None


class Verdict(_Closed):
    """Whether a slice says anything, and whether its gates held."""

    evaluated: bool
    reason: str | None
    passed: bool


class SliceSnapshot(_Closed):
    """All that one slice says; `gates` name no slice, for it is this one."""

    declared: Declared
    corpus: CorpusReport | None = None
    offset_hint: Literal["utf16", "byte"] | None = None
    verdict: Verdict
    gates: list[Gate]
    counts: Counts
    metrics: FamilyRows
    outputs: dict[str, Counts | Literal["as selected"]]
    unmapped_labels: Counts
    out_of_scope_types: Counts
    confusion: dict[str, Counts]
    types: dict[str, TypeSnapshot]


class Snapshot(_Closed):
    """A report without what differs between equal runs or with every build; `left_out` names that.

    `gates` are those that speak of no slice. Figures are strings: see `figures`.
    """

    schema_version: Literal["pii_eval.snapshot.v1"] = "pii_eval.snapshot.v1"
    left_out: list[str]
    subject: SubjectSnapshot
    scorer_version: str
    taxonomy: str | None
    completeness: Completeness
    selection: Selection
    fingerprints: dict[str, Sha256]
    evidence_notes: list[str]
    gates: list[Gate]
    conformance: ConformanceSnapshot | None
    slices: dict[str, SliceSnapshot]
    unsupported_slices: dict[str, UnsupportedReport]


def output_counts(outputs: dict[str, Counts | Literal["as selected"]], name: str) -> Counts:
    """Return the counts of the output `name`."""
    found = outputs.get(name, {})
    if found == AS_SELECTED:
        found = outputs.get("selected", {})
    return found if isinstance(found, dict) else {}
