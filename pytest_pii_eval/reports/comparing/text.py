"""The comparison in lines for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_pii_eval.reports.comparing.model import Comparison


def comparison_line(comparison: Comparison) -> str:
    """Return the comparison in a few words, for a run that is quiet."""
    if comparison.refusals:
        return f"not compared ({', '.join(sorted({one.part for one in comparison.refusals}))})"
    return f"{len(comparison.regressions)} regressions"


def comparison_lines(comparison: Comparison) -> list[str]:
    """Return the comparison in lines: what refuses, else the verdict, regressions first, then the rest."""
    if comparison.refusals:
        return [f"not compared: {one.words}" for one in comparison.refusals]
    return [comparison_line(comparison)]
