"""What each form of a report costs a run, and how long pages and comparisons of large reports take."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from bench.costs import Command, in_turns, run
from bench.plan import ROOT, children_in_turns, cost_of, written
from bench.projects import run_of
from bench.rows import Check, Row, row

if TYPE_CHECKING:
    from bench.plan import Plan

_DOCUMENTS = 20_000
_PUBLISHED = ROOT / "docs" / "eval" / "embedded.json"
_SLICES = (360, 3_600)
_FORMS = {
    "plain": (),
    "Markdown and HTML": ("--pii-markdown=r.md", "--pii-html=r.html"),
    "baseline": ("--pii-baseline=base.json",),
    "audit directory": ("--pii-audit-dir=audit-{turn}",),
    "error dump": ("--pii-error-dump=dump-{turn}",),
}


def measure(plan: Plan) -> list[Row]:
    """Return a row a form, and rows of rendering and comparing large reports."""
    return [*_forms(plan), *_large(plan)]


def _forms(plan: Plan) -> list[Row]:
    documents = plan.size(_DOCUMENTS)
    folder = plan.new_folder("reports") / "project"
    written("bench.projects:write_project", folder, documents=documents, role="unit")
    (folder / "freezes.yaml").unlink()
    run(run_of(folder, "--pii-baseline=base.json", "--pii-baseline-update"))
    commands: dict[str, Command] = {name: run_of(folder, *options) for name, options in _FORMS.items()}
    found = in_turns(commands, plan.rounds)
    base = found["plain"].cpu
    return [
        row((f"{documents:,} documents", f"pytest, {name}"), cost, Check("CPU / plain", cost.cpu / base))
        for name, cost in found.items()
    ]


def _large(plan: Plan) -> list[Row]:
    actions = ("html", "markdown", "compare")
    jobs = {
        f"{slices} {action}": {"place": "bench.reports:large", "slices": slices, "action": action}
        for slices in map(plan.size, _SLICES)
        for action in actions
    }
    found = children_in_turns(jobs, plan.turns(1))
    return [
        row((f"a report of {int(name.split()[0]):,} slices", name.split()[1]), cost_of(one))
        for name, one in found.items()
    ]


def large(slices: int, action: str) -> dict[str, float]:
    """Render or compare a report of that many slices, in this process."""
    from pytest_pii_eval import compare_reports, read_report  # noqa: PLC0415  # the runner must stay small
    from pytest_pii_eval.reports.html.page import render_html  # noqa: PLC0415  # the same
    from pytest_pii_eval.reports.markdown.page import render_markdown  # noqa: PLC0415  # the same

    report = read_report(_PUBLISHED)
    known = list(report.slices.values())
    many = {f"s{ordinal:05}": known[ordinal % len(known)] for ordinal in range(slices)}
    whole = report.model_copy(update={"slices": many})
    actions: dict[str, Any] = {"html": render_html, "markdown": render_markdown}
    started = time.process_time()
    if action == "compare":
        compare_reports(whole, whole)
    else:
        actions[action](whole)
    return {"cpu": time.process_time() - started}
