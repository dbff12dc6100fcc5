"""The first thing a reader sees: the verdict and why, what was tested, what is lacking, and what failed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.reports.html import gate_tables
from pytest_pii_eval.reports.html.caveats import LISTED, incomplete_sentence
from pytest_pii_eval.reports.html.values import Fact, Table, Tone
from pytest_pii_eval.reports.words import inert, many, verdict_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_pii_eval.reports.model import Gate, Report

_NAMES: Final = 50


class Verdict(NamedTuple):
    """The verdict: a sign, a word, a sentence, and the reasons that a reader can follow."""

    sign: str
    word: str
    tone: Tone
    sentence: str
    reasons: tuple[str, ...]


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


def verdict(report: Report) -> Verdict:
    """Return the verdict in words."""
    if report.passed is None:
        why = f"There is no verdict: {verdict_text(report)}."
        return Verdict("○", "NO VERDICT", "warn", why, ())
    if report.passed:
        gates = _all_gates(report)
        held = sum(gate.verdict == "pass" for gate in gates)
        sentence = (
            f"Everything that this run was held to holds: {held:,} of {many(len(gates), 'gate')} passed"
        )
        rest = len(gates) - held
        sentence = f"{sentence}, {rest:,} not judged." if rest else f"{sentence}."
        return Verdict("✓", "PASS", "good", sentence, tuple(_judged(gates)))
    return Verdict("✗", "FAIL", "bad", "This run does not hold what it was held to.", tuple(_reasons(report)))


def _judged(gates: list[Gate]) -> Iterator[str]:
    """Say which metrics were judged: a pass says nothing about the others."""
    numbers = Counter(gate.metric for gate in gates if gate.verdict == "pass")
    if numbers:
        most = sorted(numbers.items(), key=lambda pair: (-pair[1], pair[0]))[:LISTED]
        listed = ", ".join(f"{inert(metric)} ({number:,})" for metric, number in most)
        more = f" and {len(numbers) - LISTED:,} more" if len(numbers) > LISTED else ""
        yield f"Judged were: {listed}{more}. A pass says nothing about other metrics."


def _all_gates(report: Report) -> list[Gate]:
    return [*report.gates, *report.run.gates]


def failed_gates(report: Report) -> list[Gate]:
    """Return the gates that fail, and those of a whole run that could not be judged."""
    return [gate for gate in _all_gates(report) if gate.verdict == "fail" or _unproven(gate, report)]


def _unproven(gate: Gate, report: Report) -> bool:
    return (
        report.passed is False
        and gate.verdict == "not_evaluated"
        and gate.slice is None
        and gate.reason != "open"
        and report.selection.whole
    )


def _reasons(report: Report) -> Iterator[str]:
    failed = failed_gates(report)
    slices = sum(not one.passed for one in report.slices.values())
    if failed:
        yield f"{many(len(failed), 'gate')} of {len(_all_gates(report)):,} failed."
    if slices:
        yield f"{slices:,} of {many(len(report.slices), 'slice')} failed."
    if report.conformance is not None and report.conformance.passed is False:
        yield "The bank does not conform to its cases."
    if not report.complete:
        yield incomplete_sentence(report)
    broken = sum(rule.verdict == "fail" for rule in report.freeze_rules.values())
    if broken:
        yield f"{many(broken, 'rule')} about freezes {'is' if broken == 1 else 'are'} broken."
    if report.promotion is not None and not report.promotion.ships:
        yield "The promotion does not ship."


def subject_facts(report: Report) -> tuple[Fact, ...]:
    """Return what was tested, when, and on which part of the suite."""
    subject, run = report.subject, report.run
    facts = [
        Fact("tested", f"{subject.kind} {inert(subject.name)}, version {inert(subject.version)}"),
        Fact(
            "when",
            f"{inert(run.started)}, {run.seconds:,.1f} s, {many(run.processes, 'process', 'processes')}",
        ),
        Fact("how much", _selection(report)),
        Fact("complete", "yes") if report.complete else Fact("complete", "NO", "bad"),
        Fact("taxonomy", inert(report.taxonomy or "none")),
    ]
    if subject.engine is not None:
        facts.insert(1, Fact("engine", f"{inert(subject.engine)} {inert(subject.engine_version or '')}"))
    return tuple(facts)


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
    whole = [gate for gate in _all_gates(report) if gate.slice is None]
    return gate_tables.run_gate_table("Gates of the whole run", whole) if whole else None
