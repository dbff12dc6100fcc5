"""Whole conformance runs: granularities of items, two processes, nerb; and a suite of 250,000 cases."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from bench import targets
from bench.commands import nerb_conformance, pytest
from bench.costs import Command, Cost, in_turns, run
from bench.plan import need, written
from bench.rows import Check, Row, row

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bench.plan import Plan

_PATTERNS, _CASES, _NEGATIVES = 13_201, 40_813, 1_210
_MANY_PATTERNS, _MANY_CASES = 100_000, 250_000
_ITEMS = ("case", "pattern", "file")


def measure(plan: Plan) -> list[Row]:
    """Return a row for nerb, for each granularity, and for two processes."""
    need("nerb")
    folder = plan.new_folder("conformance")
    patterns, cases = _written(plan, folder)
    found = in_turns({"nerb": nerb_conformance(folder), **_ours(folder, two=True)}, plan.rounds)
    work = f"{patterns}, {cases}" if plan.generator is None else f"suite of {plan.generator.name}"
    return list(_rows(work, found))


def measure_large(plan: Plan) -> list[Row]:
    """Return a row for each granularity on a suite that nerb takes minutes for."""
    folder = plan.new_folder("large")
    patterns, cases = plan.size(_MANY_PATTERNS), plan.size(_MANY_CASES)
    written("bench.suites:write_suite", folder, patterns=patterns, cases=cases, negatives=cases // 10)
    found = in_turns(_ours(folder, two=False), plan.turns(1))
    work = f"{patterns:,} patterns, {cases:,} cases"
    return [
        row((work, name), cost, Check("µs a case", 1e6 * cost.cpu / cases)) for name, cost in found.items()
    ]


def _written(plan: Plan, folder: Path) -> tuple[str, str]:
    if plan.generator is not None:
        run(Command([sys.executable, str(plan.generator), str(folder)], folder))
        return "", ""
    patterns, cases, negatives = map(plan.size, (_PATTERNS, _CASES, _NEGATIVES))
    written("bench.suites:write_suite", folder, patterns=patterns, cases=cases, negatives=negatives)
    return f"{patterns:,} patterns", f"{cases:,} cases"


def _ours(folder: Path, *, two: bool) -> dict[str, Command]:
    options = ("--pii-bank=bank.json", ".")
    runs = {f"pytest --pii-items={kind}": pytest(folder, f"--pii-items={kind}", *options) for kind in _ITEMS}
    if two:
        runs |= {
            f"pytest -n 2 --pii-items={kind}": pytest(folder, f"--pii-items={kind}", *options, processes=2)
            for kind in _ITEMS
        }
    return runs


def _rows(work: str, found: dict[str, Cost]) -> Iterator[Row]:
    base = found["nerb"]
    for name, cost in found.items():
        ratio = cost.wall / base.wall
        if name == "nerb":
            yield row((work, name), cost, peer=True)
        elif "-n 2" in name:
            yield row((work, name), cost, Check("wall / nerb", ratio, most=targets.CONFORMANCE_XDIST_WALL))
        else:
            yield row(
                (work, name),
                cost,
                Check("wall / nerb", ratio, most=targets.CONFORMANCE_WALL),
                Check("peak MB", cost.megabytes, most=targets.CONFORMANCE_MB),
            )
