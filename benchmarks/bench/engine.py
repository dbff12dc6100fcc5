"""Loading a bank and scanning with the embedded engine and with nerb, each in a process of its own.

Loading begins with a bank file on both sides and ends with an engine: parsing, checking, compiling. Compiling
patterns that were checked before is a row of its own, with no target.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bench import targets
from bench.agreeing import agree
from bench.engine_work import EXPRESSIONS, LIMIT, SETS, TEXT_KINDS
from bench.plan import child, children_in_turns, cost_of, need
from bench.rows import Check, Row, row

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bench.plan import Plan

_SIZES = (
    *((1_000, kind) for kind in ("no", "50 mixed")),
    *((10_000, kind) for kind in SETS),
    *((100_000, kind) for kind in ("no", "50 mixed")),
)
_TARGET_SIZE = 10_000
_LARGEST = 100_000
_LIMIT_OF_BANK = 100_000  # Patterns a bank that nerb takes.
_SIDES = {"embedded engine": "ours", "nerb": "nerb"}
_COMMANDS = "nerb, as its commands do"
_LOADING = {"embedded engine": "ours_loaded", "nerb": "nerb_loaded", _COMMANDS: "nerb_commands"}
_Found = dict[str, dict[str, Any]]


def measure(plan: Plan) -> list[Row]:
    """Return rows of loading, compiling and scanning for every size, with and without expressions."""
    need("nerb")
    return [one for size in _SIZES for one in _compared(plan, *size)]


def _compared(plan: Plan, full: int, kind: str) -> Iterator[Row]:
    rounds = plan.turns(1) if full == _LARGEST else plan.rounds
    names = min(plan.size(full), _LIMIT_OF_BANK - (EXPRESSIONS if SETS[kind] else 0))
    bank = f"{names:,} names{' in two entities' if names > LIMIT else ''}, {kind} expressions"
    folder = str(plan.new_folder(f"bank-{full}-{kind.replace(' ', '-')}"))
    child("bench.engine_work:write", folder=folder, names=names, kind=kind)
    yield from _load_rows(bank, full, _in_turns(_LOADING, rounds, folder=folder))
    found = _in_turns(_SIDES, rounds, names=names, kind=kind)
    for who, one in found.items():
        checks = () if who == "nerb" else (Check("CPU / nerb", one["cpu"] / found["nerb"]["cpu"]),)
        yield row((f"compile ready patterns, {bank}", who), cost_of(one), *checks, peer=who == "nerb")
    least = targets.SCAN_SPEED if (full, kind) == (_TARGET_SIZE, "50 mixed") else None
    for texts_kind, words in TEXT_KINDS.items():
        yield from _scan_rows(f"scan {words} texts, {bank}", texts_kind, found, least)


def _in_turns(sides: Mapping[str, str], rounds: int, **arguments: Any) -> _Found:
    jobs = {who: {"place": f"bench.engine_work:{function}", **arguments} for who, function in sides.items()}
    return children_in_turns(jobs, rounds)


def _load_rows(bank: str, full: int, found: _Found) -> Iterator[Row]:
    """Yield the rows of loading; the processes do nothing else, so their peak memory is that of loading."""
    work = f"load bank file and compile, {bank}"
    agree(work, {who: one["records"] for who, one in found.items()})
    for who, one in found.items():
        peer = who.startswith("nerb")
        yield row((work, who), cost_of(one), *(() if peer else _load_checks(full, one, found)), peer=peer)


def _load_checks(full: int, one: Mapping[str, Any], found: _Found) -> Iterator[Check]:
    base = found["nerb"]
    most = targets.COMPILE_CPU if full == _TARGET_SIZE else None
    yield Check("CPU / nerb", one["cpu"] / base["cpu"], most=most)
    yield Check(f"CPU / {_COMMANDS}", one["cpu"] / found[_COMMANDS]["cpu"])
    yield Check("peak MB / nerb", one["peak_mb"] / base["peak_mb"])
    if full == _LARGEST:
        yield Check("peak MB", one["peak_mb"], most=targets.COMPILE_MB)


def _scan_rows(work: str, kind: str, found: _Found, least: float | None) -> Iterator[Row]:
    agree(work, {who: one[f"{kind}_records"] for who, one in found.items()})
    theirs = found["nerb"][f"{kind}_mb"]
    for who, one in found.items():
        speed = one[f"{kind}_mb"]
        checks = [Check("MB a CPU second", speed)]
        if who != "nerb":
            checks.append(Check("speed / nerb", speed / theirs, least=least))
        cost = cost_of({"cpu": one[f"{kind}_cpu"], "peak_mb": one["peak_mb"]})
        yield row((work, who), cost, *checks, peer=who == "nerb")
