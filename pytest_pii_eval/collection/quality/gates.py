"""Which gates a run asks of a slice: the flags, the suite file, and those that hold by default."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.contracts.limits import EVERY_SLICE, GateRule, parse_limit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pii_eval.contracts.limits import Direction
    from pytest_pii_eval.contracts.suite_file import SuiteFile
    from pytest_pii_eval.settings import Settings

# Metrics of the masking ranges: these follow --pii-gate-output. Exact recall never does.
_MASKING = {
    "max-leaks": "leaks",
    "max-leaking-documents": "leaking_documents",
    "min-containment": "containment",
    "min-masking-precision": "masking_precision",
}
_OTHER = {"min-recall": "recall", "max-unmapped": "unmapped", "max-dropped": "dropped"}
_FREEZES = frozenset({"dev_freeze", "sealed_freeze"})


def gate_rules(settings: Settings, suite_file: SuiteFile) -> tuple[GateRule, ...]:
    """Return every rule of the run, flags first, then the suite file's in its order."""
    return (*_flags(settings), *_implied(settings, suite_file), *map(_strict, suite_file.rules()))


def _strict(rule: GateRule) -> GateRule:
    """Return a rule of the suite file; one on protection rejects missing and partial output, as flags do."""
    return rule._replace(strict=True) if rule.metric.startswith("protection_") else rule


def _flags(settings: Settings) -> Iterator[GateRule]:
    protection = settings.gate_output == "protection"
    prefix = "protection_" if protection else ""
    for name, text in settings.gates:
        metric = prefix + _MASKING[name] if name in _MASKING else _OTHER[name]
        direction: Direction = "min" if name.startswith("min") else "max"
        strict = protection and name in _MASKING
        yield GateRule(name, EVERY_SLICE, metric, None, direction, parse_limit(text), strict)


def _implied(settings: Settings, suite_file: SuiteFile) -> Iterator[GateRule]:
    """Yield what holds without being asked (spec/evaluation.md, "Gate the emitted output", "Leakage")."""
    given = {name for name, _ in settings.gates}
    zero = parse_limit("0")
    prefix = "protection_" if settings.gate_output == "protection" else ""
    if prefix and "max-unmapped" not in given:
        yield GateRule("max-unmapped", EVERY_SLICE, "unmapped", None, "max", zero)
    if suite_file.role in _FREEZES:
        metric = f"{prefix}high_severity_leaking_documents"
        yield GateRule("high-severity-leakage", EVERY_SLICE, metric, None, "max", zero)
