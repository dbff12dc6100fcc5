"""The four questions side by side, each with the slices that can answer it; no figure adds up populations."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.reports.html.null_columns import without_null_columns
from pytest_pii_eval.reports.html.reasons import meaning
from pytest_pii_eval.reports.html.values import Cell, Fact, Table, metric_cell, named, table
from pytest_pii_eval.reports.words import inert, many, metric_text, rate_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_pii_eval.reports.model import Conformance, Report, SliceReport

_WORST: Final = 3


class Question(NamedTuple):
    """One question: what it asks, its answer in a sentence, what supports it, and who cannot answer."""

    ordinal: int
    name: str
    asks: str
    answer: Cell
    facts: tuple[Fact, ...]
    worst: Table | None
    silent: tuple[str, ...]
    target: str | None


class _Asked(NamedTuple):
    """A question that slices answer, one by one."""

    ordinal: int
    name: str
    asks: str
    metric: str
    beside: str


_ASKED: Final = (
    _Asked(
        2,
        "Natural-text cataloged recall",
        "Do occurrences in real text that the bank knows agree on span, class and identity?",
        "cataloged_recall",
        "wrong_canonical",
    ),
    _Asked(
        3,
        "Catalog coverage",
        "How much independently labelled text did the frozen bank know before scanning?",
        "catalog_coverage",
        "cataloged_recall",
    ),
    _Asked(
        4,
        "Open-world privacy recall",
        "How much sensitive text does the detector find, or mask at all?",
        "recall",
        "containment",
    ),
)


def questions(report: Report, anchors: Mapping[str, str]) -> tuple[Question, ...]:
    """Return the four questions, answered from the report or with the reason why nobody can tell."""
    return (_conformance(report.conformance), *(_by_slice(one, report.slices, anchors) for one in _ASKED))


def _conformance(found: Conformance | None) -> Question:
    name, asks = (
        "Catalog conformance",
        "Is every approved active pattern detected and mapped exactly as declared?",
    )
    if found is None:
        answer = Cell("Nobody can tell: the run held no cases of a bank.", "none")
        return Question(1, name, asks, answer, (), None, (), None)
    return Question(
        1, name, asks, _conformance_answer(found), _conformance_facts(found), None, (), "conformance"
    )


def _conformance_answer(found: Conformance) -> Cell:
    if not found.evaluated or found.recall is None:
        return Cell("Nobody can tell: patterns, positive or negative cases are lacking.", "warn")
    mapped = (
        f"{found.correctly_mapped:,} of {found.approved_positive_cases:,} mapped ({rate_text(found.recall)})"
    )
    if found.passed is None:
        return Cell(f"In part: {mapped}.", "warn")
    return Cell(f"Yes: {mapped}.", "good") if found.passed else Cell(f"No: {mapped}.", "bad")


def _conformance_facts(found: Conformance) -> tuple[Fact, ...]:
    return (
        Fact(
            "patterns with a witness", f"{found.patterns_with_positive_cases:,} of {found.active_patterns:,}"
        ),
        _alarm("missed", found.missed),
        _alarm("wrong canonical", found.wrong_canonical),
        Fact(
            "negatives hit",
            f"{found.unexpected_negative_matches:,} of {found.negative_cases:,}",
            "bad" if found.unexpected_negative_matches else "plain",
        ),
        _alarm("failed scans", found.failed_scans),
    )


def _alarm(term: str, number: int) -> Fact:
    return Fact(term, f"{number:,}", "bad" if number else "plain")


def _by_slice(asked: _Asked, slices: Mapping[str, SliceReport], anchors: Mapping[str, str]) -> Question:
    able = [(name, one) for name, one in slices.items() if _value(one, asked.metric) is not None]
    # Of equal slices the one with more support says more.
    able.sort(
        key=lambda pair: (_value(pair[1], asked.metric), -pair[1].metrics[asked.metric].support, pair[0])
    )
    return Question(
        asked.ordinal,
        asked.name,
        asked.asks,
        _answer(asked, able, len(slices)),
        _facts(asked, able),
        _worst(asked, able, anchors) if able else None,
        _silent(asked.metric, slices),
        "slices" if slices else None,
    )


def _value(one: SliceReport, metric: str) -> float | None:
    found = one.metrics.get(metric)
    return None if found is None else found.value


def _answer(asked: _Asked, able: Sequence[tuple[str, SliceReport]], whole: int) -> Cell:
    if not whole:
        return Cell("Nobody can tell: the run held no slices.", "none")
    if not able:
        return Cell(f"Nobody can tell: none of {many(whole, 'slice')} supports it.", "none")
    perfect = sum(_value(one, asked.metric) == 1 for _, one in able)
    return Cell(f"{len(able):,} of {many(whole, 'slice')} can tell; {perfect:,} at 1.0.")


def _facts(asked: _Asked, able: Sequence[tuple[str, SliceReport]]) -> tuple[Fact, ...]:
    if not able:
        return ()
    name, one = able[0]
    worst = Fact("worst slice", f"{inert(name)}: {metric_text(one.metrics[asked.metric])}")
    if asked.metric != "recall":
        return (worst,)
    least = min(able, key=lambda pair: (_or_one(_value(pair[1], "containment")), pair[0]))
    masked = least[1].metrics.get("containment")
    leaking = sum(bool(_value(one, "leaks")) for _, one in able)
    return (
        worst,
        Fact(
            "least masked", f"{inert(least[0])}: {'not reported' if masked is None else metric_text(masked)}"
        ),
        Fact("leaking, of these", f"{leaking:,} of {len(able):,}", "bad" if leaking else "plain"),
    )


def _or_one(value: float | None) -> float:
    return 1.0 if value is None else value


def _worst(asked: _Asked, able: Sequence[tuple[str, SliceReport]], anchors: Mapping[str, str]) -> Table:
    beside = {"containment": "Contained", "wrong_canonical": "Wrong identity", "cataloged_recall": "Mapped"}
    head = {"recall": "Exact recall", "cataloged_recall": "Mapped", "catalog_coverage": "Known"}
    rows = (
        (
            named(name)._replace(target=anchors.get(name)),
            metric_cell(one.metrics.get(asked.metric)),
            metric_cell(one.metrics.get(asked.beside)),
        )
        for name, one in able[:_WORST]
    )
    columns = f"Slice|#{head[asked.metric]}|#{beside[asked.beside]}"
    return without_null_columns(table(f"Lowest of {many(len(able), 'slice')}", columns, rows))


def _silent(metric: str, slices: Mapping[str, SliceReport]) -> tuple[str, ...]:
    """Return why slices cannot answer, the most frequent reason first."""
    reasons: Counter[str] = Counter()
    for one in slices.values():
        found = one.metrics.get(metric)
        if found is None or found.value is None:
            reasons[(found.reason if found is not None else None) or "not reported"] += 1
    return tuple(
        f"{many(number, 'slice')} cannot tell ({inert(reason)}): {meaning(reason)}"
        for reason, number in sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))
    )
