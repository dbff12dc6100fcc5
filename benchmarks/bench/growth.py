"""Growth from a thousand to a million documents and cases: time for each, and peak memory."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from bench import targets
from bench.commands import CHEAP, pytest, write_detectors
from bench.costs import Command, Cost, in_turns
from bench.plan import written
from bench.rows import Check, Row, row

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from bench.plan import Plan

_SIZES = (1_000, 10_000, 100_000, 1_000_000)
_BASE = 10_000
_FEW = 100_000  # This and larger ones have one round, each on its own.
_PATTERNS = 300
_EMPTY = 10
_MORE_ROUNDS = 2
# A million items are a million objects of pytest: no size for items of one case each.
_CASES = {"file": _SIZES, "pattern": _SIZES[:3], "case": _SIZES[:3]}


def measure(plan: Plan) -> list[Row]:
    """Return a row a size, for documents with a detector that costs next to nothing, and for cases."""
    rows = _grown(plan, "documents, a cheap detector", (_documents, _SIZES))
    for kind, sizes in _CASES.items():
        rows += _grown(plan, f"cases, --pii-items={kind}", (_cases_by(kind), sizes))
    return rows


def _documents(folder: Path, number: int) -> Command:
    write_detectors(folder)
    written("bench.documents:write_documents", folder, documents=number)
    return pytest(folder, f"--pii-detector={CHEAP}", ".")


def _cases_by(kind: str) -> Callable[[Path, int], Command]:
    def write(folder: Path, number: int) -> Command:
        negatives = max(number // 10, 1)
        patterns = min(_PATTERNS, number - negatives)
        written("bench.suites:write_suite", folder, patterns=patterns, cases=number, negatives=negatives)
        return pytest(folder, f"--pii-items={kind}", "--pii-bank=bank.json", ".")

    return write


def _grown(plan: Plan, work: str, made: tuple[Callable[[Path, int], Command], tuple[int, ...]]) -> list[Row]:
    write, sizes = made
    # What is small is over soon, and must be told from the noise of starting up.
    rounds = 1 if plan.quick else plan.rounds + _MORE_ROUNDS
    found = _together(plan, write, ([_EMPTY, *(full for full in sizes if full < _FEW)], rounds))
    for full in sizes:
        if full >= _FEW:
            found |= _together(plan, write, ([full], 1))
    return [_row(plan, work, full, found) for full in sizes]


def _together(
    plan: Plan, write: Callable[[Path, int], Command], taken: tuple[Sequence[int], int]
) -> dict[int, Cost]:
    """Write what some sizes need, run them in turns, and remove it."""
    sizes, rounds = taken
    folder = plan.new_folder("growth")
    commands = {}
    for full in sizes:
        own = folder / str(full)
        own.mkdir(mode=0o700)
        commands[str(full)] = write(own, plan.size(full))
    found = in_turns(commands, rounds)
    shutil.rmtree(folder)
    return {full: found[str(full)] for full in sizes}


def _row(plan: Plan, work: str, full: int, found: Mapping[int, Cost]) -> Row:
    """Hold what is larger than the base to it: time of each, without that of ten units, and memory."""
    cost, base, empty = found[full], found[_BASE], found[_EMPTY]
    each = (cost.cpu - empty.cpu) / (plan.size(full) - _EMPTY)
    each_of_base = (base.cpu - empty.cpu) / (plan.size(_BASE) - _EMPTY)
    time_most, memory_most = (targets.GROWTH_TIME, targets.GROWTH_MEMORY) if full > _BASE else (None, None)
    beside = f"{plan.size(_BASE):,}"
    return row(
        (f"{plan.size(full):,} {work}", "pytest"),
        cost,
        Check("µs of CPU for each", 1e6 * each),
        Check(f"of that at {beside}", each / each_of_base, most=time_most),
        Check(f"MB of those at {beside}", cost.megabytes / base.megabytes, most=memory_most),
    )
