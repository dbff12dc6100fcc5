"""The first thing a reader sees: the verdict and why, what was tested, what is lacking, and what failed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.reports.html import gate_tables
from pytest_pii_eval.reports.html.values import Fact, Table, Tone, many
from pytest_pii_eval.reports.words import incomplete_text, inert, verdict_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_pii_eval.reports.model import Gate, Report, SliceReport

_LISTED: Final = 10
"""Names in one sentence; more are counted."""


class Verdict(NamedTuple):
    """The verdict: a sign, a word, a sentence, and the reasons that a reader can follow."""

    sign: str
    word: str
    tone: Tone
    sentence: str
    reasons: tuple[str, ...]


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
        most = sorted(numbers.items(), key=lambda pair: (-pair[1], pair[0]))[:_LISTED]
        listed = ", ".join(f"{inert(metric)} ({number:,})" for metric, number in most)
        more = f" and {len(numbers) - _LISTED:,} more" if len(numbers) > _LISTED else ""
        yield f"Judged were: {listed}{more}. A pass says nothing about other metrics."


def _all_gates(report: Report) -> list[Gate]:
    return [*report.gates, *report.run.gates]


def failed_gates(report: Report) -> list[Gate]:
    """Return the gates that fail, and those of a whole run that could not be judged."""
    return [gate for gate in _all_gates(report) if gate.verdict == "fail" or _unproven(gate, report)]


def _unproven(gate: Gate, report: Report) -> bool:
    return (
        gate.verdict == "not_evaluated"
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
        yield f"The run is not complete: {incomplete_text(report)}."
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
        Fact(
            "complete",
            "yes" if report.complete else f"NO: {incomplete_text(report)}",
            _tone(holds=report.complete),
        ),
        Fact("taxonomy", inert(report.taxonomy or "none")),
    ]
    if subject.engine is not None:
        facts.insert(1, Fact("engine", f"{inert(subject.engine)} {inert(subject.engine_version or '')}"))
    return tuple(facts)


def _tone(*, holds: bool) -> Tone:
    return "plain" if holds else "bad"


def _selection(report: Report) -> str:
    selection = report.selection
    slices = many(len(report.slices), "slice")
    if selection.whole:
        return f"the whole suite: {many(selection.selected, 'case')}, {slices}"
    return f"a part: {selection.selected:,} of {many(selection.collected, 'case')}, {slices}"


def warnings(report: Report) -> tuple[str, ...]:
    """Return what must be known before any figure is read."""
    return tuple(_warnings(report))


def _warnings(report: Report) -> Iterator[str]:
    selection = report.selection
    if not report.consistent:
        yield "Processes disagreed about the suite or the subject: these figures may be of different things."
    if selection.limit is not None:
        yield (
            f"Limited: only the first {selection.limit:,} documents of each suite were scored."
            " This compares with no full run."
        )
    if not selection.whole:
        yield "Partial: only a part of the suite was asked for. It says nothing about the whole."
    if report.slices and not any(one.evaluated for one in report.slices.values()):
        yield "No slice was evaluated: each is unsupported, for the reason given with it."
    elif report.slices and not any(_has_recall(one) for one in report.slices.values()):
        yield "No slice supports open-world recall: this run cannot tell how much sensitive text goes unseen."
    if report.subject.replayed:
        yield "The predictions were made before and scored now; the detector itself did not run."
    if report.scorer.git_dirty:
        yield "The scorer had changes that are in no commit."
    yield from _trained(report)
    yield from _empty_gates(report)


def _has_recall(one: SliceReport) -> bool:
    found = one.metrics.get("recall")
    return found is not None and found.value is not None


def _trained(report: Report) -> Iterator[str]:
    names = [
        name for name, one in report.slices.items() if one.in_domain or (one.corpus and one.corpus.in_domain)
    ]
    if names:
        number = many(len(names), "slice")
        yield f"In domain: the detector is known to have trained on {number}: {_listed(names)}."
    absent = [name for name, gap in report.unsupported_slices.items() if gap.reason_code == "corpus_absent"]
    if absent:
        yield f"Not prepared on this machine, and so not scored: {_listed(absent)}."


def _empty_gates(report: Report) -> Iterator[str]:
    """Name the gates with a limit that no slice could evaluate: the run has shown nothing about them."""
    asked: dict[str, list[Gate]] = {}
    for gate in report.gates:
        if gate.slice is not None and gate.limit is not None:
            asked.setdefault(gate.id, []).append(gate)
    for name, gates in asked.items():
        if all(gate.verdict == "not_evaluated" for gate in gates):
            yield f"Gate {inert(name)} was asked for and no slice supports it: nothing was shown about it."


def _listed(names: list[str]) -> str:
    """Return the first names, and how many more there are."""
    more = f" and {len(names) - _LISTED:,} more" if len(names) > _LISTED else ""
    return ", ".join(inert(name) for name in names[:_LISTED]) + more


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
