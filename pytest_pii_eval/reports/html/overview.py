"""The first thing a reader sees: the verdict and why, what was tested, what is lacking, and what failed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.reports.html import gate_tables
from pytest_pii_eval.reports.html.values import Fact, Table, Tone
from pytest_pii_eval.reports.html.verdict_reasons import (
    all_gates,
    baseline_reasons,
    cautions,
    failed_gates,
    failures,
    judged,
)
from pytest_pii_eval.reports.words import baseline_failure, inert, many, verdict_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_pii_eval.reports.comparing.model import Comparison
    from pytest_pii_eval.reports.model import Report

_NAMES: Final = 50


class Verdict(NamedTuple):
    """The verdict: a sign, a word, a sentence, reasons that a reader can follow, and what nobody judged."""

    sign: str
    word: str
    tone: Tone
    sentence: str
    reasons: tuple[str, ...]
    cautions: tuple[str, ...] = ()


class Unheard(NamedTuple):
    """Items that never reported, or during which a worker died: how many, and the first by name."""

    sentence: str
    names: tuple[str, ...]


def unheard(report: Report) -> Unheard | None:
    """Return what never reported, or None where everything did."""
    if not (report.missing_count or report.crashed):
        return None
    missing, crashed = many(report.missing_count, "item"), many(len(report.crashed), "item")
    names = [*report.missing[:_NAMES], *report.crashed[:_NAMES]]
    sentence = f"{missing} without a verdict, {crashed} during which a worker died; the first of each:"
    return Unheard(sentence, tuple(map(inert, names)))


def verdict(report: Report, comparison: Comparison | None = None) -> Verdict:
    """Return the verdict in words; a baseline can fail a run whose gates hold."""
    against, careful = tuple(baseline_reasons(comparison)), tuple(cautions(report))
    if report.passed is False or not report.complete:
        sentence = "This run does not hold what it was held to."
        return Verdict("✗", "FAIL", "bad", sentence, (*against, *failures(report)), careful)
    if baseline_failure(comparison) is not None:
        sentence = "The baseline fails this run; nothing else does."
        return Verdict("✗", "FAIL", "bad", sentence, against, careful)
    if report.passed is None:
        why = verdict_text(report).removeprefix("none (").removesuffix(")")
        return Verdict("○", "NO VERDICT", "warn", f"There is no verdict: {why}.", against, careful)
    return Verdict("✓", "PASS", "good", _held(report), (*judged(report), *against), careful)


def _held(report: Report) -> str:
    gates = all_gates(report)
    held = sum(gate.verdict == "pass" for gate in gates)
    sentence = f"Everything that this run was held to holds: {held:,} of {many(len(gates), 'gate')} passed"
    return f"{sentence}, {len(gates) - held:,} not judged." if len(gates) > held else f"{sentence}."


def subject_facts(report: Report) -> tuple[Fact, ...]:
    """Return what was tested, when, and on which part of the suite."""
    subject, run = report.subject, report.run
    facts = [
        Fact("tested", f"{subject.kind} {inert(subject.name)}, {version_text(subject.version)}"),
        Fact("took", f"{run.seconds:,.1f} s, {many(run.processes, 'process', 'processes')}"),
        Fact("how much", _selection(report)),
        Fact("complete", "yes") if report.complete else Fact("complete", "NO", "bad"),
        Fact("taxonomy", inert(report.taxonomy or "none")),
    ]
    if subject.engine is not None:
        facts.insert(1, Fact("engine", f"{inert(subject.engine)} {inert(subject.engine_version or '')}"))
    return tuple(facts)


def version_text(version: str) -> str:
    """Return the version of a subject; of one that declares none, that."""
    return "no version declared" if version == "unversioned" else f"version {inert(version)}"


def started_text(started: str) -> str:
    """Return when the run started, to the minute in UTC; what is no time is shown as it is."""
    try:
        moment = datetime.fromisoformat(started)
        return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    except (ValueError, OverflowError):
        return inert(started)


def _selection(report: Report) -> str:
    selection = report.selection
    slices = many(len(report.slices), "slice")
    if selection.whole:
        return f"the whole suite: {many(selection.selected, 'case')}, {slices}"
    return f"a part: {selection.selected:,} of {many(selection.collected, 'case')}, {slices}"


def failed_gate_table(report: Report, anchors: Mapping[str, str]) -> Table | None:
    """Return the gates that failed, or None."""
    failed = failed_gates(report)
    if not failed:
        return None
    return gate_tables.placed_gate_table("Gates that failed", failed, report.slices, anchors)


def run_gate_table(report: Report) -> Table | None:
    """Return the gates of the whole run, or None where there are none."""
    whole = [gate for gate in all_gates(report) if gate.slice is None]
    return gate_tables.run_gate_table("Gates of the whole run", whole) if whole else None
