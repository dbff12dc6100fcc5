"""The whole page as one frozen value, for the templates; nothing of markup."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_pii_eval.reports.html import annex
from pytest_pii_eval.reports.html.catalog import CatalogView, catalog_view
from pytest_pii_eval.reports.html.caveats import warnings
from pytest_pii_eval.reports.html.corpora import CorpusView, corpus_views
from pytest_pii_eval.reports.html.movement import Movement, movement
from pytest_pii_eval.reports.html.overview import (
    Unheard,
    Verdict,
    failed_gate_table,
    run_gate_table,
    started_text,
    subject_facts,
    unheard,
    verdict,
)
from pytest_pii_eval.reports.html.promotion import PromotionView, evidence_notes, freeze_table, promotion_view
from pytest_pii_eval.reports.html.questions import Question, questions
from pytest_pii_eval.reports.html.slices import SliceView, anchors_of, index_table, slice_views
from pytest_pii_eval.reports.words import inert

if TYPE_CHECKING:
    from pytest_pii_eval.reports.comparing.model import Comparison
    from pytest_pii_eval.reports.html.values import Fact, Figure, Table
    from pytest_pii_eval.reports.model import Report


class Page(NamedTuple):
    """Everything that the page shows, in its order."""

    title: str
    subject: str
    started: str
    verdict: Verdict
    warnings: tuple[str, ...]
    facts: tuple[Fact, ...]
    failed: Table | None
    run_gates: Table | None
    unheard: Unheard | None
    notes: tuple[str, ...]
    promotion: PromotionView | None
    freezes: Table | None
    movement: Movement | None
    questions: tuple[Question, ...]
    catalog: CatalogView | None
    all_slices: Table | None
    slices: tuple[SliceView, ...]
    slices_left_out: int
    latency: Figure | None
    latency_asked: bool
    run_facts: tuple[Fact, ...]
    pins: tuple[Table, ...]
    fingerprints: tuple[Fact, ...]
    corpora: tuple[CorpusView, ...]
    labels: tuple[Table, ...]
    gaps: tuple[Table, ...]


def page_of(report: Report, comparison: Comparison | None) -> Page:
    """Return what the page shows of `report`, and of what moved against a baseline."""
    anchors = anchors_of(report)
    subject = inert(report.subject.name)
    decided = verdict(report, comparison)
    return Page(
        title=f"{decided.word}: {subject} · pii-eval report",
        subject=subject,
        started=started_text(report.run.started),
        verdict=decided,
        warnings=warnings(report),
        facts=subject_facts(report),
        failed=failed_gate_table(report, anchors),
        run_gates=run_gate_table(report),
        unheard=unheard(report),
        notes=evidence_notes(report),
        promotion=promotion_view(report.promotion),
        freezes=freeze_table(report),
        movement=movement(comparison, anchors),
        questions=questions(report, anchors),
        catalog=catalog_view(report.conformance),
        all_slices=index_table(report, anchors) if report.slices else None,
        slices=tuple(slice_views(report)),
        slices_left_out=len(report.slices) - len(anchors),
        latency=annex.latency_figure(report.run.latency),
        latency_asked=report.run.latency is not None,
        run_facts=annex.run_facts(report),
        pins=tuple(annex.pin_tables(report)),
        fingerprints=annex.fingerprint_facts(report),
        corpora=tuple(corpus_views(report, anchors)),
        labels=tuple(annex.label_tables(report)),
        gaps=tuple(annex.gap_tables(report)),
    )
