"""The terminal section: aggregates only."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pytest_pii_eval.reports.comparing.text import comparison_line, comparison_lines
from pytest_pii_eval.reports.words import (
    absent_corpora,
    conformance_text,
    gate_text,
    incomplete_text,
    inert,
    metric_text,
    silent_gates,
    verdict_text,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pytest

    from pytest_pii_eval.reports.model import Conformance, Report, SliceReport, Verdict
    from pytest_pii_eval.session.publish import Published
    from pytest_pii_eval.settings import Settings


_RULES: tuple[tuple[Verdict, str], ...] = (
    ("pass", "hold"),
    ("fail", "are broken"),
    ("not_evaluated", "cannot be told"),
)


def show(
    terminal: pytest.TerminalReporter, published: Published, settings: Settings, *, verbosity: int
) -> None:
    """Write the section; one line under `-q`, nothing under `-qq`."""
    report, comparison = published.report, published.comparison
    if verbosity <= -2:  # noqa: PLR2004  # -qq
        lines: list[str] = []
    elif verbosity < 0:
        moved = comparison_line(comparison) if comparison else ""
        lines = [
            "; ".join(
                filter(None, (f"pii-eval: {verdict_text(report, comparison)}", _one_line(report), moved))
            )
        ]
    else:
        terminal.write_sep("=", "pii-eval")
        lines = [f"verdict      {verdict_text(report, comparison)}", *_lines(report)]
        lines.extend(f"baseline     {line}" for line in (comparison_lines(comparison) if comparison else ()))
        lines.extend(_written(published, settings))
    for line in lines:
        terminal.write_line(line)


def show_problems(terminal: pytest.TerminalReporter, problems: Sequence[str]) -> None:
    """Write what could not be done, however quiet the run is."""
    for problem in problems:
        terminal.write_line(f"pii-eval: {problem}", red=True)


def _written(published: Published, settings: Settings) -> Iterator[str]:
    """Say where the report lies, in each form."""
    for form, path in published.written:
        yield f"{form:<12} {inert(settings.shown(path))}"


def _lines(report: Report) -> Iterator[str]:
    if report.conformance is not None:
        yield f"conformance  {conformance_text(report.conformance)}"
        yield f"support      {_support(report.conformance)}"
    for name, one in report.slices.items():
        yield f"slice        {inert(name)}: {_slice(one)}"
    if report.unsupported_slices:
        yield f"unsupported  {len(report.unsupported_slices)} slices and dimensions, each with its reason"
    yield from _absent(report)
    yield from _freezes(report)
    selection = report.selection
    if report.slices and not any(one.evaluated for one in report.slices.values()):
        yield "evidence     no slice was evaluated: each is unsupported, for the reason beside it"
    if selection.limit is not None:
        yield f"limit        the first {selection.limit:,} of each suite: compares with no full run"
    if not selection.whole and report.conformance is not None:
        yield f"selection    {selection.selected} of {selection.collected} cases: support is not judged"
    elif not selection.whole:
        yield "selection    a part of the slices or of their types: no verdict about the whole"
    if not report.complete:
        yield f"incomplete   {incomplete_text(report)}"
    yield from _unmapped(report)
    yield from _corpora(report)
    yield from _gates(report)
    yield from _empty_gates(report)


def _gates(report: Report) -> Iterator[str]:
    selection = report.selection
    for gate in [*report.gates, *report.run.gates]:
        unproven = gate.verdict == "not_evaluated" and gate.slice is None and selection.whole
        if gate.verdict == "fail" or unproven:
            yield f"gate         {gate_text(gate)}"


def _empty_gates(report: Report) -> Iterator[str]:
    for name, gates in silent_gates(report).items():
        reasons = inert(", ".join(sorted({gate.reason or "" for gate in gates})))
        metric = inert(gates[0].metric)
        yield f"gate         not_evaluated {inert(name)}: no slice supports {metric} ({reasons})"


def _absent(report: Report) -> Iterator[str]:
    keys = absent_corpora(report)
    if keys:
        yield f"absent       not prepared here: {', '.join(map(inert, keys))}; see pii-eval corpus list"


def _corpora(report: Report) -> Iterator[str]:
    trained = [name for name, one in report.slices.items() if one.corpus and one.corpus.in_domain]
    if trained:
        yield f"in domain    the detector is known to have trained on: {', '.join(map(inert, trained))}"


def _unmapped(report: Report) -> Iterator[str]:
    total: Counter[str] = Counter()
    for one in report.slices.values():
        total.update(one.unmapped_labels)
    if total:
        labels = ", ".join(f"{inert(label)} {number}" for label, number in sorted(total.items()))
        yield f"unmapped     predictions by label, counted once a slice: {labels}"


def _freezes(report: Report) -> Iterator[str]:
    """Say what is not as it should be for a promotion, and whether this one ships."""
    if report.evidence_notes:
        yield f"no eval      {', '.join(map(inert, report.evidence_notes))}: see docs/freezes.md"
    rules = Counter(rule.verdict for rule in report.freeze_rules.values())
    if rules:
        counts = ", ".join(f"{rules[name]} {words}" for name, words in _RULES if rules[name])
        yield f"freezes      {len(report.freeze_rules)} rules: {counts}"
    yield from _promotion(report)


def _promotion(report: Report) -> Iterator[str]:
    promotion = report.promotion
    if promotion is None:
        return
    failed = [name for name, part in promotion.parts.items() if part.verdict != "pass"]
    yield f"ship         {'yes' if promotion.ships else 'NO'}: {inert(promotion.id)}" + (
        "" if promotion.ships else f"; failing: {', '.join(map(inert, failed))}"
    )
    for name in failed:
        for reason in promotion.parts[name].reasons:
            yield f"             {inert(name)}: {inert(reason)}"


def _one_line(report: Report) -> str:
    parts = [] if report.conformance is None else [conformance_text(report.conformance)]
    if report.slices:
        held = sum(one.passed for one in report.slices.values())
        parts.append(f"{held}/{len(report.slices)} slices held")
    if not report.complete:
        parts.append(incomplete_text(report))
    if report.promotion is not None:
        parts.append(f"{inert(report.promotion.id)} {'ships' if report.promotion.ships else 'does NOT ship'}")
    whole = [
        gate.id for gate in [*report.gates, *report.run.gates] if gate.verdict == "fail" and not gate.slice
    ]
    if whole:
        parts.append(f"failed {', '.join(map(inert, whole))}")
    return "; ".join(parts)


def _slice(one: SliceReport) -> str:
    shown = (
        ("recall", "recall"),
        ("precision", "precision"),
        ("leaks", "leaks"),
        ("leaking_documents", "leaking documents"),
        ("false_alarm_rate", "false alarms"),
    )
    parts = [f"{words} {metric_text(one.metrics[name])}" for name, words in shown if name in one.metrics]
    gold = sum(found.counts["gold"] for found in one.by_type.values())
    support = f"{one.counts['documents']} documents, {gold} gold"
    parts.extend(_stages(one))
    state = "held" if one.passed else "FAILED"
    if one.reason is not None and one.passed:
        state = f"unsupported ({inert(one.reason)})"
    return f"{state}; {support}; {', '.join(parts)}"


def _stages(one: SliceReport) -> Iterator[str]:
    """Show the stages side by side where a detector exposes its candidates."""
    candidates = one.stages.get("candidates")
    if candidates is None or candidates.coverage.value is None:
        return
    covered = [f"{name} {stage.coverage.numerator}" for name, stage in one.stages.items()]
    yield f"covered of {candidates.coverage.denominator}: {', '.join(covered)}"


def _support(conformance: Conformance) -> str:
    return (
        f"{conformance.patterns_with_positive_cases}/{conformance.active_patterns} active patterns"
        f" in {len(conformance.by_entity)} entities have a witness"
    )
