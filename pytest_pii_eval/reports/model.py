"""The aggregate report `pii_eval.report.v1`: counts, rates and fingerprints; no text, no path, no name."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from pytest_pii_eval.contracts.suite_model import Role

Count = Annotated[int, Field(ge=0)]
Sha256 = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
Rate = Annotated[float, Field(ge=0, le=1)]
Verdict = Literal["pass", "fail", "not_evaluated"]


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Selection(_Closed):
    """How much of the collected suite was asked for; `whole` is false under -k, --lf, ids and the like.

    `limit`: of each suite and corpus only so many documents were scored; such a run is never whole.
    `every_item`: nothing that was collected was left out, though the run may be narrowed to some types.
    """

    whole: bool
    collected: Count
    selected: Count
    limit: Count | None = None
    every_item: bool | None = None


class Scorer(_Closed):
    """This package as it stood when it scored."""

    name: Literal["pytest-pii-eval"] = "pytest-pii-eval"
    version: str
    source_sha256: Sha256
    git_revision: str | None
    git_dirty: bool | None


class Subject(_Closed):
    """What was held to the suite: a bank with its engine, or a detector with its unit and label map.

    `replayed`: its predictions were made before, and scored now.
    """

    kind: Literal["bank", "detector"]
    name: str
    version: str
    engine: str | None = None
    engine_version: str | None = None
    offset_unit: Literal["codepoint", "byte", "utf16"] | None = None
    label_map: str | None = None
    replayed: bool = False
    libraries: dict[str, str]
    fingerprint: Sha256


class EntityConformance(_Closed):
    """Counts of one entity class; `unexpected_negative_matches` counts negative cases it matched in."""

    active_patterns: Count
    patterns_with_positive_cases: Count
    approved_positive_cases: Count
    correctly_mapped: Count
    missed: Count
    wrong_canonical: Count
    unexpected_negative_matches: Count
    recall: Rate | None


class TagConformance(_Closed):
    """Counts of the cases that carry one tag."""

    positive_cases: Count
    failed_positive_cases: Count
    negative_cases: Count
    unexpected_negative_matches: Count


class Conformance(_Closed):
    """The catalog-conformance aggregate (spec/enron-contract.md, "Catalog conformance").

    `approved_positive_cases` counts expected occurrences, as the source document does;
    `positive_case_rows` counts rows. Occurrences of cases that never reported count as missed.
    """

    evaluated: bool
    active_patterns: Count
    patterns_with_positive_cases: Count
    positive_case_rows: Count
    approved_positive_cases: Count
    correctly_mapped: Count
    missed: Count
    wrong_canonical: Count
    negative_cases: Count
    unexpected_negative_matches: Count
    failed_scans: Count
    recall: Rate | None
    passed: bool | None
    by_entity: dict[str, EntityConformance]
    by_tag: dict[str, TagConformance]


class Gate(_Closed):
    """One judged metric: value and limit as printed numbers, support as a count.

    `slice` and `type` say what a gate of a quality slice speaks about; conformance gates have neither.
    """

    id: str
    slice: str | None = None
    metric: str
    type: str | None = None
    direction: Literal["min", "max", "exact"]
    value: float | int | None
    limit: float | int | None
    support: Count | None
    verdict: Verdict
    reason: str | None = None


class MetricReport(_Closed):
    """A rate with the integers it came from, or a count; no value has a reason (docs/metrics.md)."""

    value: float | None
    numerator: Count | None
    denominator: Count | None
    support: Count
    reason: str | None = None


class TypeReport(_Closed):
    """Counts and metrics of one type."""

    counts: dict[str, Count]
    metrics: dict[str, MetricReport]


class StageReport(_Closed):
    """What one stage of the detector covers of the gold, in the documents where it exposes that stage.

    A metric without a value says why: a stage that is not exposed in every document has no denominator.
    """

    documents: Count
    coverage: MetricReport
    character_recall: MetricReport


class CorpusReport(_Closed):
    """The pinned corpus that a slice is: which bytes, how they were read, and what was left out.

    `in_domain`: the pin names the detector, or its model, among those that trained on the corpus; null where
    predictions do not say which model made them.
    `commitment` binds artifact, recipe, prepared files and catalog bindings.
    """

    revision: str | None
    artifact_bytes: Count
    artifact_sha256: Sha256
    licence: str
    adapter: str
    adapter_version: str
    label_map: str
    split_key: Literal["template_id", "document_id"]
    languages: list[str]
    regions: list[str]
    rows: Count
    quarantined: dict[str, Count]
    excluded_spans: Count
    held_out_documents: dict[str, Count]
    not_promotable: str
    in_domain: bool | None
    commitment: Sha256


class SliceReport(_Closed):
    """One quality slice: what it declares, what was counted, what follows, and whether its gates held.

    `role` is that of its suite among the sets. `in_domain`: the pin of its corpus, or the detector's card,
    lists what it was taken from; null where nobody can tell.
    `offset_hint` names the unit that the gold may have been counted in instead of code points: every gold
    span missed in a non-ASCII document equals a prediction of its type in that unit. `unmapped_labels` and
    `out_of_scope_types` count the predictions that no type in scope was scored for, by name.
    """

    entity_class: str
    types: list[str]
    cohort: str
    split_role: str
    text_view: str
    label_strength: str
    annotation_completeness: str
    promotion_gate: bool
    evaluated: bool
    reason: str | None
    counts: dict[str, Count]
    outputs: dict[str, dict[str, Count]]
    metrics: dict[str, MetricReport]
    stages: dict[Literal["candidates", "selected", "protection"], StageReport] = {}
    by_type: dict[str, TypeReport]
    confusion: dict[str, dict[str, Count]]
    offset_hint: Literal["utf16", "byte"] | None = None
    unmapped_labels: dict[str, Count] = {}
    out_of_scope_types: dict[str, Count] = {}
    corpus: CorpusReport | None = None
    role: Role | None = None
    in_domain: bool | None = None
    passed: bool


class RuleReport(_Closed):
    """One rule about freezes: its verdict, and a reason for each part that fails or cannot be told."""

    verdict: Verdict
    reasons: list[str]


class PromotionReport(_Closed):
    """The ship verdict of a sealed run, and what the run was bound to.

    `started` is the SHA-256 of the run's first line in the ledger. Each of `parts` has its own verdict: the
    promotion ships where all of them pass.
    """

    id: str
    set: str
    started: Sha256
    gold: Sha256
    detector: Sha256
    floors: Sha256
    ships: bool
    parts: dict[str, RuleReport]


class UnsupportedReport(_Closed):
    """A dimension nobody can speak about here, and why."""

    dimension: str
    reason_code: str


class BandLatency(_Closed):
    """Answered documents of one size band; half, and 95 % of them, took at most so many milliseconds."""

    documents: Count
    p50_ms: Annotated[float, Field(ge=0)]
    p95_ms: Annotated[float, Field(ge=0)]


class WarmUp(_Closed):
    """What the bands leave out: builds of the detector, and the first documents after each."""

    builds: Count
    build_seconds: Annotated[float, Field(ge=0)]
    documents: Count
    seconds: Annotated[float, Field(ge=0)]


class Host(_Closed):
    """The machine that latency speaks about; nothing that names it."""

    system: str
    machine: str
    processors: Count


class Latency(_Closed):
    """How long answers took, by band of code points a document; true of this host alone."""

    host: Host
    bands: dict[str, BandLatency]
    warm_up: WarmUp


class Run(_Closed):
    """Facts of this one run; outside every comparison. `gates` judge this host."""

    started: str
    seconds: float
    python: str
    platform: str
    pytest: str
    processes: Count
    latency: Latency | None = None
    gates: list[Gate] = []


class Report(_Closed):
    """One run, aggregated. `consistent` is false where processes disagreed about suite or subject.

    `evidence_notes` say what keeps a run on slices from being an evaluation (spec/evaluation.md, "What is not
    an eval"); `freeze_rules` what the rules of a freezes file found.
    """

    schema_version: Literal["pii_eval.report.v1"] = "pii_eval.report.v1"
    complete: bool
    consistent: bool = True
    missing: list[str]
    missing_count: Count
    crashed: list[str]
    selection: Selection
    scorer: Scorer
    subject: Subject
    taxonomy: str | None = None
    conformance: Conformance | None
    slices: dict[str, SliceReport] = {}
    unsupported_slices: dict[str, UnsupportedReport] = {}
    evidence_notes: list[str] = []
    freeze_rules: dict[str, RuleReport] = {}
    promotion: PromotionReport | None = None
    gates: list[Gate]
    fingerprints: dict[str, Sha256]
    passed: bool | None
    run: Run
