"""What one slice declares, what supports it, and what a reader must know before its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.reports.html.values import Fact
from pytest_pii_eval.reports.words import inert, many

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pii_eval.reports.model import SliceReport

_TOLD = {True: "yes", False: "no", None: "nobody can tell"}
_SUPPORT = (
    ("documents", "documents"),
    ("documents_with_gold", "documents with gold"),
    ("zero_gold_documents", "documents without gold"),
    ("high_severity_documents", "documents with high-severity gold"),
    ("repeated_identifiers", "repeated identifiers"),
    ("characters", "characters"),
    ("gold_characters", "characters of gold"),
    ("failed_documents", "documents without an answer"),
    ("out_of_scope", "predictions out of scope"),
    ("unmapped", "predictions with an unmapped label"),
    ("dropped", "predictions dropped for their offsets"),
    ("duplicates", "duplicate predictions"),
)
_LISTED = 10
_ALARMING = frozenset({"failed_documents", "dropped"})


def declared(one: SliceReport) -> tuple[Fact, ...]:
    """Return what the slice plan says of the slice."""
    return (
        Fact("entity class", inert(one.entity_class)),
        Fact("types", ", ".join(map(inert, one.types))),
        Fact("cohort", inert(one.cohort)),
        Fact("role of its set", one.role or "not declared"),
        Fact("split", inert(one.split_role)),
        Fact("label strength", inert(one.label_strength)),
        Fact("annotation", inert(one.annotation_completeness)),
        Fact("text view", inert(one.text_view)),
        Fact("gates a promotion", _TOLD[one.promotion_gate]),
        Fact("detector trained on it", _TOLD[one.in_domain], "warn" if one.in_domain else "plain"),
    )


def support(one: SliceReport) -> tuple[Fact, ...]:
    """Return the counts that every figure of the slice stands on."""
    return tuple(_counted(one))


def _counted(one: SliceReport) -> Iterator[Fact]:
    told = [(name, words, one.counts[name]) for name, words in _SUPPORT if name in one.counts]
    for name, words, number in told:
        if number:
            yield Fact(words, f"{number:,}", "bad" if name in _ALARMING else "plain")
    none = [words for _, words, number in told if not number]
    if none:
        yield Fact("0 of these", ", ".join(none), wide=True)


def slice_warnings(one: SliceReport) -> tuple[str, ...]:
    """Return what must be known before the figures are read."""
    return tuple(_warnings(one))


def _warnings(one: SliceReport) -> Iterator[str]:
    failed, partial = one.counts.get("failed_documents", 0), one.counts.get("partial_documents", 0)
    if failed:
        yield (
            f"{many(failed, 'document')} got no whole answer ({partial:,} cut off):"
            " all their gold counts as missed and leaked."
        )
    if one.offset_hint is not None:
        unit = {"utf16": "UTF-16 units", "byte": "UTF-8 bytes"}[one.offset_hint]
        yield f"The misses in non-ASCII text fit predictions in {unit}: the gold may be in another unit."
    if one.in_domain:
        yield "The detector is known to have trained on where this slice comes from."
    if one.unmapped_labels:
        labels = ", ".join(map(inert, list(one.unmapped_labels)[:_LISTED]))
        more = len(one.unmapped_labels) - _LISTED
        rest = f" and {more:,} more" if more > 0 else ""
        yield f"Predictions had labels that the map does not have: {labels}{rest}."
