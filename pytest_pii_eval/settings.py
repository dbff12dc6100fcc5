"""What the user asked for, as one frozen `Settings`, and what holds where nothing was asked; pytest only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import pytest

if TYPE_CHECKING:
    from pathlib import Path

Engine = Literal["embedded", "nerb"]
Reveal = Literal["none", "ids", "text"]
GateOutput = Literal["selected", "protection"]
Items = Literal["case", "pattern", "file"]
"""What one item of a conformance run holds: one case, the cases of one pattern, or those of one file."""

FileKind = Literal[
    "positive",
    "negative",
    "bank",
    "records",
    "slices",
    "unsupported",
    "provenance",
    "bindings",
    "corpora",
    "freezes",
]

SETTINGS: pytest.StashKey[Settings] = pytest.StashKey()
"""Where the settings of a run are found, once pytest is configured."""

DEFAULT_REPORT = ".pii_eval/report.json"

DEFAULT_FREEZES = "freezes.yaml"

SHARD_SIZE = 500

MAX_PREDICTIONS = 5_000_000
"""Predictions that one run may come to, unless it says otherwise (spec/enron-contract.md)."""

INI: tuple[tuple[str, Literal["linelist", "string"], str | list[str], str], ...] = (
    ("pii_positive_cases", "linelist", ["conformance-positive*.jsonl"], "globs of positive case files"),
    ("pii_negative_cases", "linelist", ["conformance-negative*.jsonl"], "globs of negative case files"),
    ("pii_records", "linelist", ["quality-records*.jsonl"], "globs of quality record files"),
    ("pii_slices", "linelist", ["quality-slices*.jsonl"], "globs of slice plan files"),
    ("pii_unsupported_slices", "linelist", ["unsupported-slices*.jsonl"], "globs of declared gaps"),
    ("pii_provenance", "linelist", ["quality-provenance*.jsonl"], "globs of provenance sidecars"),
    ("pii_bindings", "linelist", ["catalog-bindings*.jsonl"], "globs of catalog bindings"),
    ("pii_corpora", "linelist", ["corpora.yaml"], "globs of corpora files (.yaml or .yml)"),
    ("pii_max_matches", "string", "100000", "records that one case may raise before it fails"),
    ("pii_time_limit", "string", "10", "seconds that the scan of one case may take before it fails"),
)
GLOBS: tuple[tuple[FileKind, str], ...] = (
    ("positive", "pii_positive_cases"),
    ("negative", "pii_negative_cases"),
    ("records", "pii_records"),
    ("slices", "pii_slices"),
    ("unsupported", "pii_unsupported_slices"),
    ("provenance", "pii_provenance"),
    ("bindings", "pii_bindings"),
    ("corpora", "pii_corpora"),
)


class Sealed(NamedTuple):
    """A sealed run as asked for: its promotion, where the sealed freeze lies, and why it replaces another."""

    promotion: str
    suite: Path
    reason: str | None


def dest_of(name: str) -> str:
    """Return where pytest keeps the option `--pii-NAME`, and the name of its ini value."""
    return "pii_" + name.replace("-", "_")


class Outputs(NamedTuple):
    """What a run hands to readers beside the JSON report; nothing by default.

    `tolerances` say by metric how much worse than `baseline` a run may be, as decimal numbers.
    """

    markdown: Path | None = None
    html: Path | None = None
    baseline: Path | None = None
    error_dump: Path | None = None
    baseline_update: bool = False
    github_summary: bool = False
    github_annotations: bool = False
    tolerances: tuple[tuple[str, str], ...] = ()


class Settings(NamedTuple):
    """What the user asked for. Paths are absolute; nothing was opened yet."""

    root: Path
    bank: Path | None
    bank_from_command_line: bool
    engine: Engine
    report: Path
    report_is_default: bool
    audit_dir: Path | None
    audit_allow_tracked: bool
    reveal: Reveal
    detector: str | None
    detector_options: tuple[tuple[str, str], ...]
    label_map: str | None
    document_timeout: float | None
    predictions: Path | None
    max_p95_ms: str | None
    module_paths: tuple[str, ...]
    globs: tuple[tuple[FileKind, tuple[str, ...]], ...]
    types: frozenset[str]
    shard_size: int
    gate_output: GateOutput
    gates: tuple[tuple[str, str], ...]
    max_matches: int
    time_limit: float
    corpora: frozenset[str] = frozenset()
    corpora_cache: Path | None = None
    require_corpora: bool = False
    limit: int | None = None
    items: Items = "case"
    max_predictions: int = MAX_PREDICTIONS
    outside: tuple[Path, ...] = ()
    freezes: Path | None = None
    git_range: str | None = None
    sealed: Sealed | None = None
    outputs: Outputs = Outputs()

    @property
    def keeps_outcomes(self) -> bool:
        """Whether somebody asked what became of each document: an audit or an error dump."""
        return self.audit_dir is not None or self.outputs.error_dump is not None

    @property
    def asks_a_bank(self) -> bool:
        """Whether the subject is a bank, and not a detector or predictions."""
        return self.detector is None and self.predictions is None

    @property
    def has_subject(self) -> bool:
        """Whether a bank, a detector or predictions were named."""
        return self.bank is not None or not self.asks_a_bank

    def shown(self, path: Path) -> str:
        """Return how output names `path`: relative to the root directory, or only its last part."""
        try:
            return path.relative_to(self.root).as_posix()
        except ValueError:
            return path.name

    def found(self, shown: str) -> Path:
        """Return the path that `shown` names, looking through what was named outside the root too."""
        path = self.root / shown
        if path.exists():
            return path
        named = [folder / shown if folder.is_dir() else folder for folder in self.outside]
        below = (match for folder in self.outside for match in folder.rglob(shown))
        return next((one for one in named if one.name == shown and one.exists()), None) or next(below, path)


def default_settings(root: Path, **changes: Any) -> Settings:
    """Return the settings of a run without options, for use outside of pytest; `changes` replace fields."""
    ini = {name: default for name, _, default, _ in INI}
    settings = Settings(
        root=root,
        bank=None,
        bank_from_command_line=False,
        engine="embedded",
        report=root / DEFAULT_REPORT,
        report_is_default=True,
        audit_dir=None,
        audit_allow_tracked=False,
        reveal="none",
        detector=None,
        detector_options=(),
        label_map=None,
        document_timeout=None,
        predictions=None,
        max_p95_ms=None,
        module_paths=(str(root),),
        freezes=root / DEFAULT_FREEZES,
        globs=tuple((kind, tuple(ini[name])) for kind, name in GLOBS),
        types=frozenset(),
        shard_size=SHARD_SIZE,
        gate_output="selected",
        gates=(("max-dropped", "0"),),
        max_matches=int(str(ini["pii_max_matches"])),
        time_limit=float(str(ini["pii_time_limit"])),
    )
    return settings._replace(**changes)
