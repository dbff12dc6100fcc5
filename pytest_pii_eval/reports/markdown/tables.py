"""The tables about the whole run: failures, conformance, gaps, rules, pins; slices are elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_pii_eval.reports.markdown.escaping import escaped, named, prose
from pytest_pii_eval.reports.markdown.failures import is_bad
from pytest_pii_eval.reports.markdown.gate_sentences import MOST, listed
from pytest_pii_eval.reports.markdown.layout import Part, section, table
from pytest_pii_eval.reports.words import rate_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_pii_eval.reports.model import (
        Conformance,
        EntityConformance,
        Report,
        RuleReport,
        TagConformance,
    )

_OF_ENTITY: Final = (
    *("entity", "patterns", "with a case", "expected", "mapped", "missed", "wrong canonical"),
    *("negatives hit", "recall"),
)
_OF_TAG: Final = ("tag", "positive cases", "failed", "negative cases", "negatives hit")


def failure_parts(report: Report, failed: list[str]) -> Iterator[Part]:
    """Yield everything that failed, one line each, and the items that never reported."""
    if len(failed) > MOST:  # fewer stand in the first lines
        yield section("What failed", failed, share=12_000)
    lost = [*(f"crashed: {escaped(name)}" for name in report.crashed[:100])]
    lost += [f"no verdict: {escaped(name)}" for name in report.missing[:100]]
    if lost:
        total = len(report.crashed) + report.missing_count
        yield section("Items that are lacking", lost, total=total, share=2_000)


def conformance_parts(conformance: Conformance | None) -> Iterator[Part]:
    """Yield the cases by entity and tag; entities where something failed come first."""
    if conformance is None:
        return
    entities = sorted(conformance.by_entity.items(), key=lambda one: not is_bad(one[1]))
    if entities:
        rows = [_entity_row(name, one) for name, one in entities]
        yield table("Conformance by entity", _OF_ENTITY, rows, total=len(rows), share=3_000)
    if conformance.by_tag:
        rows = [_tag_row(name, one) for name, one in conformance.by_tag.items()]
        yield table("Conformance by tag", _OF_TAG, rows, total=len(rows), share=1_500)


def gap_parts(report: Report) -> Iterator[Part]:
    """Yield what nobody can speak about here, with reasons, and what the rules about freezes found."""
    gaps = report.unsupported_slices
    if gaps:
        rows = ((escaped(name), prose(one.dimension), prose(one.reason_code)) for name, one in gaps.items())
        header = ("slice or dimension", "dimension", "reason")
        yield table("Unsupported", header, rows, total=len(gaps), share=3_000)
    if report.freeze_rules:
        yield _rules("Rules about freezes", "rule", report.freeze_rules)
    if report.promotion is not None:
        yield _rules("Parts of the promotion", "part", report.promotion.parts)


def pin_parts(report: Report) -> Iterator[Part]:
    """Yield what binds the run: fingerprints, scorer, libraries."""
    scorer, subject, run = report.scorer, report.subject, report.run
    revision = "unknown" if scorer.git_revision is None else escaped(scorer.git_revision)
    dirty = " with changes" if scorer.git_dirty else ""
    rows = [
        ("scorer", f"{scorer.name} {escaped(scorer.version)}, revision {revision}{dirty}"),
        ("scorer sources", escaped(scorer.source_sha256)),
        ("taxonomy", "none" if report.taxonomy is None else escaped(report.taxonomy)),
        ("subject", escaped(subject.fingerprint)),
        *((f"library {escaped(name)}", escaped(version)) for name, version in subject.libraries.items()),
        *((escaped(name), escaped(value)) for name, value in report.fingerprints.items()),
        ("python, platform, pytest", named([run.python, run.platform, run.pytest])),
        ("started", f"{escaped(run.started)}, {run.seconds:.1f} s"),
    ]
    yield table("Fingerprints and scorer", ("what", "value"), rows, total=len(rows), share=3_000)


def _rules(title: str, kind: str, rules: Mapping[str, RuleReport]) -> Part:
    rows = (
        (escaped(name), one.verdict, listed([prose(reason) for reason in one.reasons]) or "-")
        for name, one in sorted(rules.items(), key=lambda rule: rule[1].verdict == "pass")
    )
    return table(title, (kind, "verdict", "reasons"), rows, total=len(rules), share=2_000)


def _tag_row(name: str, one: TagConformance) -> tuple[str, ...]:
    counts = (
        one.positive_cases,
        one.failed_positive_cases,
        one.negative_cases,
        one.unexpected_negative_matches,
    )
    return (escaped(name), *(f"{count}" for count in counts))


def _entity_row(name: str, one: EntityConformance) -> tuple[str, ...]:
    counts = (
        one.active_patterns,
        one.patterns_with_positive_cases,
        one.approved_positive_cases,
        one.correctly_mapped,
        one.missed,
        one.wrong_canonical,
        one.unexpected_negative_matches,
    )
    recall = "null (no cases)" if one.recall is None else rate_text(one.recall)
    return (escaped(name), *(f"{count}" for count in counts), recall)
