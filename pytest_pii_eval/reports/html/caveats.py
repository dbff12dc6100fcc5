"""What a reader must know before any figure: limits, parts, gaps, and what the detector has seen before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_pii_eval.reports.words import absent_corpora, incomplete_text, inert, many, silent_gates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pii_eval.reports.model import Report, SliceReport

LISTED: Final = 10
"""Names in one sentence; more are counted."""


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
    absent = absent_corpora(report)
    if absent:
        yield f"Not prepared on this machine, and so not scored: {_listed(absent)}."


def _empty_gates(report: Report) -> Iterator[str]:
    for name in silent_gates(report):
        yield f"Gate {inert(name)} was asked for and no slice supports it: nothing was shown about it."


def _listed(names: list[str]) -> str:
    """Return the first names, and how many more there are."""
    more = f" and {len(names) - LISTED:,} more" if len(names) > LISTED else ""
    return ", ".join(inert(name) for name in names[:LISTED]) + more


def incomplete_sentence(report: Report) -> str:
    """Return that the run is not complete, and what is lacking."""
    lacking = incomplete_text(report)
    return f"The run is not complete: {lacking}{'' if lacking.endswith('?') else '.'}"
