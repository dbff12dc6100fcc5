"""What failed in a run, worst first, as sentences; where they are shown is decided elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_pii_eval.reports.comparing.severity import is_severe, rank
from pytest_pii_eval.reports.markdown.gate_sentences import gate_sentence, listed
from pytest_pii_eval.reports.words import conformance_text, incomplete_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pii_eval.reports.markdown.escaping import Voice
    from pytest_pii_eval.reports.model import Conformance, EntityConformance, Gate, Report


class Failure(NamedTuple):
    """One thing that failed: what kind of thing it is, in a word, and the sentence."""

    kind: str
    sentence: str


def failures(report: Report, voice: Voice) -> list[Failure]:
    """Return what failed: gates of slices by severity, conformance, then what is about the whole run.

    A report that failed has at least one: an item can fail of which no gate speaks.
    """
    gates = [*report.gates, *report.run.gates]
    failed = [gate for gate in gates if gate.verdict == "fail" and not _of_conformance(gate)]
    failed.sort(key=lambda gate: _order(report, gate))
    found = [Failure("gate", gate_sentence(report, gate, voice)) for gate in failed if gate.slice is not None]
    found.extend(_conformance(report, voice))
    found.extend(Failure("gate", gate_sentence(report, gate, voice)) for gate in failed if gate.slice is None)
    found.extend(_unsupported(report, voice))
    found.extend(_promotion(report, voice))
    found.extend(_rules(report, voice))
    if not report.complete:
        found.append(Failure("incomplete", incomplete_text(report)))
    return found or _nameless(report)


def conformance_words(conformance: Conformance, voice: Voice) -> str:
    """Return what became of the cases, and the entities with a failure."""
    bad = [
        f"entity {voice.name(name)} {entity_words(one)}"
        for name, one in conformance.by_entity.items()
        if is_bad(one)
    ]
    own = conformance_text(conformance)
    if conformance.patterns_with_positive_cases != conformance.active_patterns:
        with_cases, active = conformance.patterns_with_positive_cases, conformance.active_patterns
        own = f"{own}; {with_cases}/{active} active patterns have a witness"
    if conformance.failed_scans:
        own = f"{own}; {conformance.failed_scans} scans broke a limit"
    return f"{own}: {listed(bad)}" if bad else own


def entity_words(one: EntityConformance) -> str:
    """Return what is wrong with the cases of an entity, in counts."""
    counts = (
        ("missed", one.missed),
        ("wrong canonical", one.wrong_canonical),
        ("negatives hit", one.unexpected_negative_matches),
    )
    told = ", ".join(f"{words} {count}" for words, count in counts if count)
    return told or f"{one.patterns_with_positive_cases}/{one.active_patterns} patterns with a witness"


def is_bad(one: EntityConformance) -> bool:
    """Whether anything failed in an entity."""
    wrong = one.missed or one.wrong_canonical or one.unexpected_negative_matches
    return bool(wrong) or one.patterns_with_positive_cases != one.active_patterns


def _of_conformance(gate: Gate) -> bool:
    return gate.slice is None and gate.id.startswith("conformance.")


def _order(report: Report, gate: Gate) -> tuple[int, int]:
    severe = is_severe(report, gate.slice, gate.type) or _leaks_severely(report, gate)
    return rank(gate.metric, severe=severe)


def _leaks_severely(report: Report, gate: Gate) -> bool:
    """Whether high-severity spans leak in the slice of a gate about all types."""
    one = report.slices.get(gate.slice or "")
    leaks = None if one is None else one.metrics.get("high_severity_leaks")
    return gate.type is None and leaks is not None and bool(leaks.numerator)


def _conformance(report: Report, voice: Voice) -> Iterator[Failure]:
    one = report.conformance
    if one is None:
        return
    judged = [gate for gate in report.gates if _of_conformance(gate)]
    if one.passed is False or any(gate.verdict == "fail" for gate in judged):
        yield Failure("conformance", f"conformance {conformance_words(one, voice)}")


def _unsupported(report: Report, voice: Voice) -> Iterator[Failure]:
    for name, one in report.slices.items():
        if one.promotion_gate and not one.evaluated:
            why = voice.word(one.reason or "no reason")
            yield Failure("gate", f"slice {voice.name(name)} gates a promotion and is not supported: {why}")


def _promotion(report: Report, voice: Voice) -> Iterator[Failure]:
    promotion = report.promotion
    if promotion is None or promotion.ships:
        return
    failed = {name: part for name, part in promotion.parts.items() if part.verdict != "pass"}
    yield Failure("promotion", f"{voice.name(promotion.id)} does NOT ship: {_named([*failed], voice)}")
    for name, part in failed.items():
        yield Failure("promotion", f"part {voice.name(name)}: {_reasons(part.reasons, voice)}")


def _rules(report: Report, voice: Voice) -> Iterator[Failure]:
    for name, rule in report.freeze_rules.items():
        if rule.verdict == "fail":
            yield Failure(
                "freeze rule", f"rule {voice.name(name)} is broken: {_reasons(rule.reasons, voice)}"
            )


def _reasons(reasons: list[str], voice: Voice) -> str:
    return listed([voice.word(reason) for reason in reasons]) or "no reason given"


def _named(names: list[str], voice: Voice) -> str:
    return listed([voice.name(name) for name in names], most=6) or "no part of it passed"


def _nameless(report: Report) -> list[Failure]:
    if report.passed is not False:
        return []
    if report.slices and not any(one.evaluated for one in report.slices.values()):
        return [Failure("run", "no slice was evaluated: each is unsupported, for the reason beside it")]
    return [Failure("run", "an item failed of which no gate speaks, or nothing was evaluated: see the run")]
