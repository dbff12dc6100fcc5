"""The HTML report: one file that needs nothing else, made by templates that escape everything."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from pytest_pii_eval.reports.html.pieces import pieces
from pytest_pii_eval.reports.html.view import page_of
from pytest_pii_eval.reports.templates import templates_of

if TYPE_CHECKING:
    from jinja2 import Environment

    from pytest_pii_eval.reports.comparing.model import Comparison
    from pytest_pii_eval.reports.model import Report


def render_html(report: Report, comparison: Comparison | None = None) -> str:
    """Return the page of `report`, with what moved where a `comparison` is given; it ends in a line feed.

    The page holds no script and asks for nothing from elsewhere. Every string of the report is escaped, and
    what an eye would obey (control and bidirectional characters) is written out.
    """
    return _templates().get_template("page.html.j2").render(page=page_of(report, comparison))


@cache
def _templates() -> Environment:
    made = templates_of("pytest_pii_eval.reports.html")
    made.filters["pieces"] = pieces
    return made
