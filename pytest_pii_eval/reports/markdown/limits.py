"""What keeps a run from speaking about everything, a line each; what failed is told elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.reports.markdown.escaping import escaped, named, prose
from pytest_pii_eval.reports.markdown.gate_sentences import MOST
from pytest_pii_eval.reports.words import absent_corpora, silent_gates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pii_eval.reports.model import Report, SliceReport


def limits(report: Report) -> Iterator[str]:
    """Yield how far the verdict reaches: selection, evidence, gates without evidence, training, gaps."""
    promotion = report.promotion
    if promotion is not None:
        yield f"Ship: {'yes' if promotion.ships else 'NO'}, promotion {escaped(promotion.id)}"
    yield from _selected(report)
    if report.evidence_notes:
        yield f"Not an evaluation: {named(report.evidence_notes, prose)}"
    yield from _empty_gates(report)
    yield from _hints(report)
    trained = [name for name, one in report.slices.items() if _in_domain(one)]
    if trained:
        yield f"In domain: the detector is known to have learned from {named(trained)}"
    absent = absent_corpora(report)
    if absent:
        yield f"Not prepared here: {named(absent)}"


def _selected(report: Report) -> Iterator[str]:
    selection = report.selection
    if selection.limit is not None:
        yield f"Limited: the first {selection.limit:,} of each suite were scored: compares with no full run"
    if selection.whole:
        return
    if report.conformance is not None:
        counts = f"{selection.selected:,} of {selection.collected:,} cases"
        yield f"Partial: {counts} ran, so support is not judged"
    else:
        yield "Partial: a part of the slices or of their types ran: no verdict about the whole"


def _empty_gates(report: Report) -> Iterator[str]:
    """Name the gates with a limit that no slice could evaluate: the run has shown nothing about them."""
    empty = list(silent_gates(report).values())
    for gates in empty[:MOST]:
        reasons = sorted({gate.reason or "no reason" for gate in gates})
        what = f"gate {escaped(gates[0].id)}: no slice supports {prose(gates[0].metric)}"
        yield f"Not evaluated: {what} ({named(reasons, prose)})"
    if len(empty) > MOST:
        yield f"Not evaluated: {len(empty) - MOST:,} more gates"


def _hints(report: Report) -> Iterator[str]:
    for unit, words in (("utf16", "UTF-16 units"), ("byte", "UTF-8 bytes")):
        names = [name for name, one in report.slices.items() if one.offset_hint == unit]
        if names:
            yield f"Hint: the gold of {named(names)} fits the predictions when it is counted in {words}"


def _in_domain(one: SliceReport) -> bool:
    return bool(one.in_domain or (one.corpus is not None and one.corpus.in_domain))
