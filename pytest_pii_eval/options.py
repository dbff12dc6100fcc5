"""The options and ini values of this plugin, and how they are read into `Settings`; imports pytest only."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from pytest_pii_eval.arguments import MAX_SECONDS
from pytest_pii_eval.output_options import add_output_options, read_outputs
from pytest_pii_eval.sealed_options import add_sealed_options, read_sealed
from pytest_pii_eval.settings import (
    DEFAULT_FREEZES,
    DEFAULT_REPORT,
    GLOBS,
    INI,
    MAX_PREDICTIONS,
    SHARD_SIZE,
    Settings,
    dest_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pii_eval.settings import Engine, GateOutput, Items, Reveal

_MAX_SHARD = 1_000_000
_LIMIT = re.compile(r"[0-9]{1,18}(\.[0-9]{1,18})?", re.ASCII)

_GROUP = ("pii-eval", "PII detector evaluation")
_CHOICES: dict[str, tuple[str, ...]] = {
    "engine": ("embedded", "nerb"),
    "gate-output": ("selected", "protection"),
    "items": ("case", "pattern", "file"),
    "reveal": ("none", "ids", "text"),
}
_OPTIONS: tuple[tuple[str, str, str], ...] = (
    ("bank", "FILE", "pattern bank (nerb.bank.v1 JSON) that the conformance cases are held against"),
    ("engine", "NAME", "engine that scans with the bank: embedded (default) or nerb"),
    ("detector", "NAME", "detector under test: a shipped adapter, one of a plugin, or module:attribute"),
    ("label-map", "NAME", "label map of the taxonomy for the detector's labels (types: labels are types)"),
    (
        "document-timeout",
        "SECONDS",
        "run the detector in its own process, and kill it after so long a document",
    ),
    ("predictions", "FILE", "score these predictions (pii-eval predict) instead of asking a detector"),
    ("report", "FILE", f"where the aggregate JSON report goes (default: {DEFAULT_REPORT})"),
    ("audit-dir", "DIR", "commit cases, and what became of each case and document, to a new private folder"),
    ("reveal", "LEVEL", "what failures may show: none (default), ids (names and patterns) or text"),
    ("types", "NAMES", "score only these types (comma-separated)"),
    ("corpus", "KEYS", "of a corpora file, only these corpora (comma-separated)"),
    ("corpora-cache", "DIR", "where corpora were prepared (default: .pii_eval/corpora)"),
    ("freezes", "FILE", f"the freezes file: sets, train lists, floors, ledger (default: {DEFAULT_FREEZES})"),
    ("git-range", "RANGE", "commits of the change that the rules about freezes look at (default: found)"),
    ("limit", "COUNT", "score only the first documents of each corpus and suite; the report says so"),
    (
        "items",
        "WHAT",
        "what a conformance item holds: case (default), pattern or file",
    ),
    ("max-predictions", "COUNT", f"predictions that the run may come to (default: {MAX_PREDICTIONS:,})"),
    ("shard-size", "ROWS", f"documents a shard item scans (default: {SHARD_SIZE})"),
    ("gate-output", "OUTPUT", "ranges that masking gates judge: selected (default) or protection"),
    ("max-leaks", "COUNT", "gate: gold spans of a slice that may leak"),
    ("max-leaking-documents", "COUNT", "gate: documents of a slice that may leak"),
    ("min-containment", "RATE", "gate: share of gold spans that must be covered whole"),
    ("min-masking-precision", "RATE", "gate: share of masked characters that must be gold"),
    ("min-recall", "RATE", "gate: exact typed recall that a slice must reach"),
    ("max-unmapped", "COUNT", "gate: predictions whose label may be outside the label map"),
    ("max-dropped", "COUNT", "gate: predictions with invalid offsets (default: 0)"),
    ("max-p95-ms", "MILLISECONDS", "gate of this host: 95 %% of notes of 2,000 characters must be as fast"),
)
_GATES = (
    "max-leaks",
    "max-leaking-documents",
    "min-containment",
    "min-masking-precision",
    "min-recall",
    "max-unmapped",
    "max-dropped",
)
_RATES = frozenset({"min-containment", "min-masking-precision", "min-recall"})


def add_options(parser: pytest.Parser) -> None:
    """Declare the options, and an ini value beside each."""
    group = parser.getgroup(*_GROUP)
    for name, metavar, text in _OPTIONS:
        choices = _CHOICES.get(name)
        group.addoption(
            f"--pii-{name}", dest=dest_of(name), metavar=metavar, default=None, choices=choices, help=text
        )
        parser.addini(dest_of(name), f"{text} (as --pii-{name})", type="string", default="")
    add_sealed_options(group)
    add_output_options(parser, group)
    group.addoption(
        "--pii-audit-allow-tracked",
        dest="pii_audit_allow_tracked",
        action="store_true",
        default=False,
        help="let --pii-audit-dir lie where git would track it",
    )
    group.addoption(
        "--pii-require-corpora",
        dest="pii_require_corpora",
        action="store_true",
        default=False,
        help="fail where a corpus is not prepared, instead of skipping it",
    )
    parser.addini(
        "pii_require_corpora",
        "fail where a corpus is not prepared (as --pii-require-corpora)",
        type="bool",
        default=False,
    )
    group.addoption(
        "--pii-detector-option",
        dest="pii_detector_options",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="option of the detector, as docs/adapters.md lists them; may be given several times",
    )
    parser.addini(
        "pii_detector_options", "options of the detector, KEY=VALUE a line", type="linelist", default=[]
    )
    for name, kind, default, text in INI:
        parser.addini(name, text, type=kind, default=default)


def read_settings(config: pytest.Config) -> Settings:
    """Return the settings of this run; raises `pytest.UsageError` on a value that makes no sense."""
    bank, report, audit = (_value(config, name) for name in ("bank", "report", "audit-dir"))
    detector, engine = _subject(config)
    return Settings(
        root=config.rootpath,
        outside=_outside(config),
        bank=_path(config, "bank") if bank else None,
        bank_from_command_line=bool(config.getoption("pii_bank")),
        engine=engine,
        report=_path(config, "report") if report else config.rootpath / DEFAULT_REPORT,
        report_is_default=not report,
        audit_dir=_path(config, "audit-dir") if audit else None,
        audit_allow_tracked=bool(config.getoption("pii_audit_allow_tracked")),
        reveal=cast("Reveal", _choice(config, "reveal", "none")),
        detector=detector,
        detector_options=_detector_options(config),
        label_map=_value(config, "label-map") or None,
        document_timeout=_seconds(config, "document-timeout"),
        predictions=_path(config, "predictions") if _value(config, "predictions") else None,
        max_p95_ms=_limit(config, "max-p95-ms") or None,
        module_paths=(str(config.rootpath), str(config.invocation_params.dir)),
        globs=tuple((kind, _globs(config, name)) for kind, name in GLOBS),
        types=_names(config, "types"),
        corpora=_names(config, "corpus"),
        corpora_cache=_path(config, "corpora-cache") if _value(config, "corpora-cache") else None,
        require_corpora=bool(config.getoption("pii_require_corpora") or config.getini("pii_require_corpora")),
        freezes=_freezes(config),
        git_range=_value(config, "git-range") or None,
        sealed=read_sealed(config, lambda name: _value(config, name)),
        items=cast("Items", _choice(config, "items", "case")),
        max_predictions=_count(config, "max-predictions")
        if _value(config, "max-predictions")
        else MAX_PREDICTIONS,
        limit=_count(config, "limit") if _value(config, "limit") else None,
        shard_size=_count(config, "shard-size", most=_MAX_SHARD)
        if _value(config, "shard-size")
        else SHARD_SIZE,
        gate_output=cast("GateOutput", _choice(config, "gate-output", "selected")),
        gates=_gates(config),
        outputs=read_outputs(config, lambda name: _value(config, name), lambda name: _path(config, name)),
        max_matches=int(_number(config, "pii_max_matches", whole=True)),
        time_limit=_number(config, "pii_time_limit"),
    )


def _freezes(config: pytest.Config) -> Path:
    """Return the freezes file; one that was named is there, or its rules would be gone without a word."""
    if not _value(config, "freezes"):
        return config.rootpath / DEFAULT_FREEZES
    path = _path(config, "freezes")
    if not path.is_file():
        raise pytest.UsageError("--pii-freezes: names no file")
    return path


def _subject(config: pytest.Config) -> tuple[str | None, Engine]:
    """Return the detector under test, if one is, and the engine of a bank; engines go by either option."""
    detector = _value(config, "detector") or None
    engine = cast("Engine", _choice(config, "engine", "embedded"))
    if detector in _CHOICES["engine"]:
        return None, cast("Engine", detector)
    if detector is not None and _value(config, "predictions"):
        raise pytest.UsageError("give either --pii-detector or --pii-predictions: one subject a run")
    if _value(config, "predictions") and (_value(config, "document-timeout") or _detector_options(config)):
        raise pytest.UsageError("--pii-predictions asks no detector: leave its options and time-out out")
    return detector, engine


def _detector_options(config: pytest.Config) -> tuple[tuple[str, str], ...]:
    """Return the options of the detector by key; the command line comes after the ini value, and wins."""
    given = [*config.getini("pii_detector_options"), *config.getoption("pii_detector_options")]
    options: dict[str, str] = {}
    for ordinal, text in enumerate(given, start=1):
        key, found, value = text.partition("=")
        if not found or not key.isidentifier():
            raise pytest.UsageError(f"--pii-detector-option: number {ordinal} must have the form KEY=VALUE")
        options[key] = value
    return tuple(options.items())


def _seconds(config: pytest.Config, name: str) -> float | None:
    text = _value(config, name)
    if text and (not _LIMIT.fullmatch(text) or not 0 < float(text) <= MAX_SECONDS):
        rule = f"must be a plain decimal number of seconds above 0, at most {MAX_SECONDS:,}"
        raise pytest.UsageError(f"--pii-{name} {rule}")
    return float(text) if text else None


def _limit(config: pytest.Config, name: str) -> str:
    """Return a limit as it was written; raises where it is no plain decimal number and not `open`."""
    text = _value(config, name)
    if text and text != "open" and not _LIMIT.fullmatch(text):
        raise pytest.UsageError(f"--pii-{name} must be a plain decimal number such as 0.95, or open")
    if name in _RATES and text not in ("", "open") and float(text) > 1:
        raise pytest.UsageError(f"--pii-{name} is a share; nothing reaches more than 1")
    return text


def _outside(config: pytest.Config) -> tuple[Path, ...]:
    """Return the paths that the user named outside the root directory."""
    base = config.invocation_params.dir
    paths = [Path(os.path.normpath(base / argument.partition("::")[0])) for argument in config.args]
    return tuple(path for path in paths if not path.is_relative_to(config.rootpath))


def _value(config: pytest.Config, name: str) -> str:
    given = config.getoption(dest_of(name))
    if given == "":  # an unset variable in a script must not turn into another subject or no gate
        raise pytest.UsageError(f"--pii-{name} has no value; give one, or leave the option out")
    return str(given or config.getini(dest_of(name)) or "")


def _path(config: pytest.Config, name: str) -> Path:
    """Resolve an option against the invocation directory and an ini value against the root directory."""
    given = config.getoption(dest_of(name))
    base = config.invocation_params.dir if given else config.rootpath
    # normpath, not resolve: a symlink on the way must stay visible to the checks that refuse it.
    return Path(os.path.normpath(base / _value(config, name)))


def _choice(config: pytest.Config, name: str, default: str) -> str:
    value = _value(config, name) or default
    if value not in _CHOICES[name]:
        raise pytest.UsageError(f"ini value {dest_of(name)} must be one of: {', '.join(_CHOICES[name])}")
    return value


def _globs(config: pytest.Config, name: str) -> tuple[str, ...]:
    globs = cast("Sequence[str]", config.getini(name))
    return tuple(glob for glob in globs if glob)


def _count(config: pytest.Config, name: str, *, most: int = sys.maxsize) -> int:
    text = _value(config, name)
    if not text.isascii() or not text.isdigit() or not 0 < int(text) <= most:
        bound = f"from 1 to {most:,}" if most < sys.maxsize else "above 0"
        raise pytest.UsageError(f"--pii-{name} must be an integer {bound}")
    return int(text)


def _names(config: pytest.Config, name: str) -> frozenset[str]:
    return frozenset(filter(None, _value(config, name).replace(" ", "").split(",")))


def _gates(config: pytest.Config) -> tuple[tuple[str, str], ...]:
    """Return the gate flags that were given, with their limits as written; `max-dropped` is always there."""
    given = {name: _limit(config, name) for name in _GATES}
    given["max-dropped"] = given["max-dropped"] or "0"
    return tuple((name, text) for name, text in given.items() if text)


def _number(config: pytest.Config, name: str, *, whole: bool = False) -> float:
    text = str(config.getini(name))
    try:
        value = int(text) if whole else float(text)
    except ValueError:
        value = 0
    if not 0 < value < float("inf"):
        raise pytest.UsageError(f"ini value {name} must be a positive {'integer' if whole else 'number'}")
    return value
