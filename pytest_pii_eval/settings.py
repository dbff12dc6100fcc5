"""Options and ini values, read once into one frozen `Settings`; imports pytest only."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence

Engine = Literal["embedded", "nerb"]
Reveal = Literal["none", "ids", "text"]

DEFAULT_REPORT = ".pii_eval/report.json"

_GROUP = ("pii-eval", "PII detector evaluation")
_CHOICES: dict[str, tuple[str, ...]] = {"engine": ("embedded", "nerb"), "reveal": ("none", "ids", "text")}
_OPTIONS: tuple[tuple[str, str, str], ...] = (
    ("bank", "FILE", "pattern bank (nerb.bank.v1 JSON) that the conformance cases are held against"),
    ("engine", "NAME", "engine that scans with the bank: embedded (default) or nerb"),
    ("report", "FILE", f"where the aggregate JSON report goes (default: {DEFAULT_REPORT})"),
    ("audit-dir", "DIR", "commit raw cases and per-case outcomes to this new private directory"),
    ("reveal", "LEVEL", "what failures may show: none (default), ids (names and patterns) or text"),
)
_INI: tuple[tuple[str, Literal["linelist", "string"], str | list[str], str], ...] = (
    ("pii_positive_cases", "linelist", ["conformance-positive*.jsonl"], "globs of positive case files"),
    ("pii_negative_cases", "linelist", ["conformance-negative*.jsonl"], "globs of negative case files"),
    ("pii_max_matches", "string", "100000", "records that one case may raise before it fails"),
    ("pii_time_limit", "string", "10", "seconds that the scan of one case may take before it fails"),
)


@dataclass(frozen=True, slots=True)
class Settings:
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
    positive_globs: tuple[str, ...]
    negative_globs: tuple[str, ...]
    max_matches: int
    time_limit: float

    def shown(self, path: Path) -> str:
        """Return how output names `path`: relative to the root directory, or only its last part."""
        try:
            return path.relative_to(self.root).as_posix()
        except ValueError:
            return path.name


def add_options(parser: pytest.Parser) -> None:
    """Declare the options, and an ini value beside each."""
    group = parser.getgroup(*_GROUP)
    for name, metavar, text in _OPTIONS:
        choices = _CHOICES.get(name)
        group.addoption(
            f"--pii-{name}", dest=_dest(name), metavar=metavar, default=None, choices=choices, help=text
        )
        parser.addini(_dest(name), f"{text} (as --pii-{name})", type="string", default="")
    group.addoption(
        "--pii-audit-allow-tracked",
        dest="pii_audit_allow_tracked",
        action="store_true",
        default=False,
        help="let --pii-audit-dir lie where git would track it",
    )
    for name, kind, default, text in _INI:
        parser.addini(name, text, type=kind, default=default)


def read_settings(config: pytest.Config) -> Settings:
    """Return the settings of this run; raises `pytest.UsageError` on a value that makes no sense."""
    bank, report, audit = (_value(config, name) for name in ("bank", "report", "audit-dir"))
    return Settings(
        root=config.rootpath,
        bank=_path(config, "bank") if bank else None,
        bank_from_command_line=bool(config.getoption("pii_bank")),
        engine=cast("Engine", _choice(config, "engine", "embedded")),
        report=_path(config, "report") if report else config.rootpath / DEFAULT_REPORT,
        report_is_default=not report,
        audit_dir=_path(config, "audit-dir") if audit else None,
        audit_allow_tracked=bool(config.getoption("pii_audit_allow_tracked")),
        reveal=cast("Reveal", _choice(config, "reveal", "none")),
        positive_globs=_globs(config, "pii_positive_cases"),
        negative_globs=_globs(config, "pii_negative_cases"),
        max_matches=int(_number(config, "pii_max_matches", whole=True)),
        time_limit=_number(config, "pii_time_limit"),
    )


def _dest(name: str) -> str:
    return "pii_" + name.replace("-", "_")


def _value(config: pytest.Config, name: str) -> str:
    return str(config.getoption(_dest(name)) or config.getini(_dest(name)) or "")


def _path(config: pytest.Config, name: str) -> Path:
    """Resolve an option against the invocation directory and an ini value against the root directory."""
    given = config.getoption(_dest(name))
    base = config.invocation_params.dir if given else config.rootpath
    # normpath, not resolve: a symlink on the way must stay visible to the checks that refuse it.
    return Path(os.path.normpath(base / _value(config, name)))


def _choice(config: pytest.Config, name: str, default: str) -> str:
    value = _value(config, name) or default
    if value not in _CHOICES[name]:
        raise pytest.UsageError(f"ini value {_dest(name)} must be one of: {', '.join(_CHOICES[name])}")
    return value


def _globs(config: pytest.Config, name: str) -> tuple[str, ...]:
    globs = cast("Sequence[str]", config.getini(name))
    return tuple(glob for glob in globs if glob)


def _number(config: pytest.Config, name: str, *, whole: bool = False) -> float:
    text = str(config.getini(name))
    try:
        value = int(text) if whole else float(text)
    except ValueError:
        value = 0
    if not 0 < value < float("inf"):
        raise pytest.UsageError(f"ini value {name} must be a positive {'integer' if whole else 'number'}")
    return value
