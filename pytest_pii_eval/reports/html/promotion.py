"""What freezes and a promotion say: each rule and part with verdict and reasons, and notes on evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_pii_eval.reports.html.reasons import reason_text
from pytest_pii_eval.reports.html.values import Cell, Fact, Table, Tone, named, table, verdict_cell
from pytest_pii_eval.reports.words import inert

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_pii_eval.reports.model import PromotionReport, Report, RuleReport


class PromotionView(NamedTuple):
    """Whether a sealed run ships, what it was bound to, and each part of the verdict."""

    answer: str
    tone: Tone
    facts: tuple[Fact, ...]
    parts: Table


def promotion_view(promotion: PromotionReport | None) -> PromotionView | None:
    """Return the promotion, or None where the run was none."""
    if promotion is None:
        return None
    bound = ("started", "gold", "detector", "floors")
    return PromotionView(
        "✓ Ships" if promotion.ships else "✗ Does NOT ship",
        "good" if promotion.ships else "bad",
        (
            Fact("promotion", inert(promotion.id)),
            Fact("sealed set", inert(promotion.set)),
            *(Fact(name, getattr(promotion, name), code=True) for name in bound),
        ),
        _rules("Parts of the ship verdict", "Part", promotion.parts),
    )


def freeze_table(report: Report) -> Table | None:
    """Return the rules about freezes, or None where the run had none."""
    return _rules("Rules about freezes", "Rule", report.freeze_rules) if report.freeze_rules else None


def _rules(caption: str, head: str, rules: Mapping[str, RuleReport]) -> Table:
    rows = (
        (named(name), verdict_cell(rule.verdict), Cell("; ".join(map(inert, rule.reasons)) or "none needed"))
        for name, rule in rules.items()
    )
    return table(caption, f"{head}|Verdict|Reasons", rows)


def evidence_notes(report: Report) -> tuple[str, ...]:
    """Return what keeps the run from being an evaluation, in words."""
    return tuple(map(reason_text, report.evidence_notes))
