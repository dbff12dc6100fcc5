"""What moved between two runs, in a sentence each; the voice says how names are quoted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_pii_eval.reports.comparing.figures import TAG
from pytest_pii_eval.reports.comparing.severity import HIGH, bare, output_of
from pytest_pii_eval.reports.words import metric_text

if TYPE_CHECKING:
    from pytest_pii_eval.reports.comparing.model import Change, GateChange
    from pytest_pii_eval.reports.markdown.escaping import Voice
    from pytest_pii_eval.reports.model import MetricReport

# Counts by metric: what is counted, and of what. Of the others nobody but docs/metrics.md can say it.
_COUNTED: Final = {
    "leaks": ("leak", "gold spans"),
    "leaking_documents": ("leaking document", "documents with gold"),
    "wrong_canonical": ("wrong name", "cataloged spans"),
    "policy_loss": ("span lost to policy", "gold spans"),
    "unmapped": ("prediction without a type", None),
    "dropped": ("dropped prediction", None),
    "failed_documents": ("document without an answer", "documents"),
    "missed": ("missed case", "cases"),
    "unexpected_negative_matches": ("negative hit", "negative cases"),
    "failed_scans": ("failed scan", "cases"),
    "patterns_without_witness": ("pattern without a witness", "active patterns"),
}


def change_sentence(change: Change, voice: Voice) -> str:
    """Return where a figure moved, and from what to what."""
    return f"{change_place(change, voice)}: {_move(change, voice)}"


def change_place(change: Change, voice: Voice) -> str:
    """Return slice and type, or the part of conformance."""
    if change.slice is None:
        if change.type is None:
            return "conformance"
        kind, name = (
            ("tag", change.type[len(TAG) :]) if change.type.startswith(TAG) else ("entity", change.type)
        )
        return f"conformance, {kind} {voice.name(name)}"
    place = f"slice {voice.name(change.slice)}"
    return place if change.type is None else f"{place}, type {voice.name(change.type)}"


def gate_change_sentence(change: GateChange, voice: Voice) -> str:
    """Return which gate has another verdict."""
    place = "" if change.slice is None else f" of slice {voice.name(change.slice)}"
    return f"gate {voice.name(change.id)}{place}: {change.old} -> {change.new}"


def _move(change: Change, voice: Voice) -> str:
    old, new = _count(change.old), _count(change.new)
    if old is None or new is None or old == new:
        return f"{voice.word(change.metric)} {_shown(change.old, voice)} -> {_shown(change.new, voice)}"
    number = abs(new - old)
    noun, population = _noun(change.metric, voice)
    if change.slice is None and change.metric == "wrong_canonical":
        population = "cases"
    plural = _plural(noun) if number != 1 else noun
    more = "more" if new > old else "fewer"
    return f"{number:,} {more} {plural} ({_counts(change, population)})"


def _counts(change: Change, population: str | None) -> str:
    old, new = change.old, change.new
    if population is None:
        return f"{old.numerator} -> {new.numerator}"
    if old.support == new.support:
        return f"{old.numerator} -> {new.numerator} of {new.support} {population}"
    return f"{old.numerator} of {old.support} -> {new.numerator} of {new.support} {population}"


def _noun(metric: str, voice: Voice) -> tuple[str, str | None]:
    """Return what a count of the metric counts, and of what."""
    own, output = bare(metric), output_of(metric)
    plain = own.removeprefix(HIGH)
    if plain not in _COUNTED:
        return voice.word(metric), None
    noun, population = _COUNTED[plain]
    if plain != own:
        noun = f"high-severity {noun}"
        population = (population or "").replace("gold", "high-severity gold")
    return (f"{output.rstrip('_')} {noun}" if output else noun), population


def _plural(noun: str) -> str:
    """Return more than one of what `_COUNTED` names: its first noun gets an s."""
    for one in ("span", "prediction", "document", "pattern"):
        if f"{one} " in noun:
            return noun.replace(f"{one} ", f"{one}s ", 1)
    return noun if noun.endswith("s") else f"{noun}s"


def _count(metric: MetricReport) -> int | None:
    return metric.numerator if metric.denominator is None and metric.value is not None else None


def _shown(metric: MetricReport, voice: Voice) -> str:
    if metric.value is None:
        return f"null ({voice.word(metric.reason or 'no reason')})"
    return metric_text(metric)
