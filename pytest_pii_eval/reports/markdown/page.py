"""The Markdown page of a report: verdict, failures, what moved, then tables; it fits a comment on GitHub."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_pii_eval.reports.markdown.comparison import comparison_parts
from pytest_pii_eval.reports.markdown.escaping import MARKDOWN
from pytest_pii_eval.reports.markdown.failures import failures
from pytest_pii_eval.reports.markdown.head import head
from pytest_pii_eval.reports.markdown.layout import text_of
from pytest_pii_eval.reports.markdown.ordering import ordered
from pytest_pii_eval.reports.markdown.slices import slice_parts
from pytest_pii_eval.reports.markdown.tables import conformance_parts, failure_parts, gap_parts, pin_parts

if TYPE_CHECKING:
    from pytest_pii_eval.reports.comparing.model import Comparison
    from pytest_pii_eval.reports.model import Report

MARK: Final = "<!-- pii-eval report -->"
"""The last line of every page, by which a later run knows that it may replace the file."""


def render_markdown(report: Report, comparison: Comparison | None = None) -> str:
    """Return the report as Markdown of less than 60,000 characters, whatever the report holds.

    Where not everything fits, tables end early and say how many rows they leave out; the verdict and the
    worst failures stand in the first lines. No text from the report can form Markdown or HTML.
    """
    report = ordered(report)
    failed = [one.sentence for one in failures(report, MARKDOWN) if one.kind != "incomplete"]
    parts = [
        *failure_parts(report, failed),
        *(comparison_parts(comparison) if comparison is not None else ()),
        *slice_parts(report),
        *conformance_parts(report.conformance),
        *gap_parts(report),
        *pin_parts(report),
    ]
    return text_of(head(report, comparison, failed), parts, ["", MARK])
