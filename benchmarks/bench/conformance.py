"""Whole conformance runs: granularities of items, two processes, nerb; and a suite of 250,000 cases.

All reports of one suite must count the same cases as mapped, missed and hit.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from bench import targets
from bench.agreeing import agree, conformance_counts
from bench.commands import nerb_conformance, pytest, report_of
from bench.costs import Command, Cost, in_turns, run
from bench.plan import need, written
from bench.rows import Check, Row, row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
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
    commands = {"nerb": nerb_conformance(folder, report_of("nerb")), **_ours(folder, two=True)}
    found = in_turns(commands, plan.rounds)
    work = f"{patterns}, {cases}" if plan.generator is None else f"suite of {plan.generator.name}"
    _compare(work, folder, found)
    return list(_rows(work, found))


def measure_large(plan: Plan) -> list[Row]:
    """Return a row for each granularity on a suite that nerb takes minutes for."""
    folder = plan.new_folder("large")
    patterns, cases = plan.size(_MANY_PATTERNS), plan.size(_MANY_CASES)
    written("bench.suites:write_suite", folder, patterns=patterns, cases=cases, negatives=cases // 10)
    found = in_turns(_ours(folder, two=False), plan.turns(1))
    work = f"{patterns:,} patterns, {cases:,} cases"
    _compare(work, folder, found)
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
    runs: dict[str, Command] = {}
    for processes in (0, 2) if two else (0,):
        for kind in _ITEMS:
            name = f"pytest{' -n 2' if processes else ''} --pii-items={kind}"
            options = (f"--pii-items={kind}", "--pii-bank=bank.json", f"--pii-report={report_of(name)}")
            runs[name] = pytest(folder, *options, ".", processes=processes)
    return runs


def _compare(work: str, folder: Path, found: Iterable[str]) -> None:
    agree(f"conformance, {work}", {name: conformance_counts(folder / report_of(name)) for name in found})


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
