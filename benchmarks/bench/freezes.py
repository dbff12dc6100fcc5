"""What a freezes file costs a run, and how fast suites are split and committed to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.commands import pii_eval
from bench.costs import in_turns
from bench.plan import written
from bench.projects import commit, run_of
from bench.rows import Check, Row, row

if TYPE_CHECKING:
    from bench.plan import Plan

_DOCUMENTS = 20_000
_SPLIT = "freeze split dev --part a=0.5 --part b=0.5 --out ../parts-{turn}"
_COMMIT = "freeze commit ../sealed --out ../commitment-{turn}.json"


def measure(plan: Plan) -> list[Row]:
    """Return rows of a run with and without rules, of a split and of a commitment."""
    documents = plan.size(_DOCUMENTS)
    home = plan.new_folder("freezes")
    ruled, plain = home / "project", home / "plain"
    for folder in (ruled, plain):
        written("bench.projects:write_project", folder, documents=documents, role="dev_freeze")
    written("bench.projects:write_pool", home / "sealed", documents=documents, role="sealed_freeze")
    (plain / "freezes.yaml").unlink()
    commit(ruled)
    commit(plain)
    found = in_turns(
        {
            "pytest, no freezes file": run_of(plain),
            "pytest, a freezes file": run_of(ruled),
            "pii-eval freeze split": pii_eval(ruled, *_SPLIT.split()),
            "pii-eval freeze commit": pii_eval(ruled, *_COMMIT.split()),
        },
        plan.rounds,
    )
    base = found["pytest, no freezes file"]
    work = f"{documents:,} documents"
    return [
        row(
            (work, name),
            cost,
            Check("documents a CPU second", documents / cost.cpu),
            *([Check("CPU / none", cost.cpu / base.cpu)] if name.startswith("pytest, a") else []),
        )
        for name, cost in found.items()
    ]
