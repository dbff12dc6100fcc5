"""Compiling a bank and scanning with the embedded engine and with nerb, each in a process of its own.

nerb is compiled by its own way from a bank document (`compile_bank`) and scans by its fastest (`scan_bytes`).
"""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING, Any

from bench import targets
from bench.costs import Broken
from bench.plan import children_in_turns, cost_of, need
from bench.rows import Check, Row, row
from bench.texts import people, seeded, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bench.plan import Plan

_SHAPES = (
    r"\b{0}-\d{{4,6}}\b",
    r"\b[\w.+-]+@{0}\.[a-z]{{2,6}}\b",
    r"(?i)\b{0}[ :#]+\d{{3,12}}\b",
    r"\b\d{{1,2}}[./]\d{{1,2}}[./](?:19|20)\d{{2}} {0}\b",
    r"\b[A-Z]{{2}}\d{{2}}(?: ?[A-Z0-9]{{4}}){{3,7}} ?{0}\b",
)
# Codes of one simple shape are what nerb's automaton likes best; mixed shapes are what banks hold.
_SETS = {"no": (), "50 mixed": _SHAPES, "50 simple": _SHAPES[:1]}
_SIZES = (
    *((1_000, kind) for kind in ("no", "50 mixed")),
    *((10_000, kind) for kind in _SETS),
    *((100_000, kind) for kind in ("no", "50 mixed")),
)
_TARGET_SIZE = 10_000
_LARGEST = 100_000
_EXPRESSIONS = 50
_TEXTS = 200
_LIMIT = 50_000  # Patterns an entity that nerb takes,
_LIMIT_OF_BANK = 100_000  # and a bank.
_LONG_ENOUGH = 0.3
_SIDES = {"embedded engine": "ours", "nerb": "nerb"}
_TEXT_KINDS = {"ascii": "ASCII", "accents": "accented"}


def measure(plan: Plan) -> list[Row]:
    """Return rows of compiling and scanning for every size, with and without expressions."""
    need("nerb")
    return [one for size in _SIZES for one in _compared(plan, *size)]


def _compared(plan: Plan, full: int, kind: str) -> Iterator[Row]:
    rounds = plan.turns(1) if full == _LARGEST else plan.rounds
    names = min(plan.size(full), _LIMIT_OF_BANK - (_EXPRESSIONS if _SETS[kind] else 0))
    jobs = {
        who: {"place": f"bench.engine:{function}", "names": names, "kind": kind}
        for who, function in _SIDES.items()
    }
    found = children_in_turns(jobs, rounds)
    bank = f"{names:,} names, {kind} expressions"
    for who, one in found.items():
        checks = () if who == "nerb" else _compile_checks(full, one, found["nerb"])
        yield row((f"compile {bank}", who), cost_of(one), *checks, peer=who == "nerb")
    for texts_kind, words in _TEXT_KINDS.items():
        least = targets.SCAN_SPEED if (full, kind) == (_TARGET_SIZE, "50 mixed") else None
        yield from _scan_rows(f"scan {words} texts, {bank}", texts_kind, found, least)


def _scan_rows(
    work: str, kind: str, found: Mapping[str, Mapping[str, Any]], least: float | None
) -> Iterator[Row]:
    if len({one[f"{kind}_records"] for one in found.values()}) != 1:
        raise Broken(f"the engines do not find the same: {work}")
    theirs = found["nerb"][f"{kind}_mb"]
    for who, one in found.items():
        speed = one[f"{kind}_mb"]
        checks = [Check("MB a CPU second", speed)]
        if who != "nerb":
            checks.append(Check("speed / nerb", speed / theirs, least=least))
        cost = cost_of({"cpu": one[f"{kind}_cpu"], "peak_mb": one["peak_mb"]})
        yield row((work, who), cost, *checks, peer=who == "nerb")


def _compile_checks(full: int, one: Mapping[str, Any], base: Mapping[str, Any]) -> Iterator[Check]:
    held = full == _TARGET_SIZE
    yield Check("CPU / nerb", one["cpu"] / base["cpu"], most=targets.COMPILE_CPU if held else None)
    if full == _LARGEST:
        yield Check("peak MB", one["peak_mb"], most=targets.COMPILE_MB)


def ours(names: int, kind: str) -> dict[str, Any]:
    """Compile and scan with the embedded engine, in this process."""
    from pytest_pii_eval.detectors.bank.engine import Engine  # noqa: PLC0415  # the runner must stay small

    patterns, written = bank(names, kind)
    engine, seconds = _timed(lambda: Engine(patterns))
    return {"cpu": seconds, **_scans(engine.scan, engine.scan, written)}


def nerb(names: int, kind: str) -> dict[str, Any]:
    """Compile and scan with nerb, in this process."""
    from nerb.engines import compile_bank  # noqa: PLC0415  # a peer, and the runner must stay small

    from pytest_pii_eval.detectors.nerb import NerbEngine, bank_document  # noqa: PLC0415  # the same

    patterns, written = bank(names, kind)
    document = bank_document(patterns)
    _, seconds = _timed(lambda: compile_bank(document, options={"include_statuses": ["active"]}))
    engine = NerbEngine(patterns)  # Most of it comes from nerb's own cache.
    scan: Any = engine.native and engine.native.scan_bytes  # There is none for a bank without patterns.
    return {
        "cpu": seconds,
        **_scans(lambda text: scan(text.encode(), max_matches=100_000), engine.scan, written),
    }


def bank(number: int, kind: str) -> tuple[list[Any], list[str]]:
    """Return patterns of case-insensitive names between word boundaries and of codes, and the names."""
    from pytest_pii_eval.contracts.patterns import ActivePattern  # noqa: PLC0415  # the runner must stay small

    code = ActivePattern("code", "n", "p", "regex", "code", "", 10)
    person = ActivePattern(
        "person", "n", "p", "literal", "", "", 100, frozenset(), False, True, "word", "word"
    )
    written = [" ".join(pair) for pair in people(number, seeded())]
    expressions = _SETS[kind] and [_expression(at, _SETS[kind]) for at in range(_EXPRESSIONS)]
    codes = [
        code._replace(name_id=f"n{at:03}", pattern_id=f"p{at:03}", value=value)
        for at, value in enumerate(expressions)
    ]
    return codes + [
        person._replace(
            entity_id=f"person{at // _LIMIT}", name_id=f"n{at:06}", canonical_name=name, value=name
        )
        for at, name in enumerate(written)
    ], written


def _expression(number: int, shapes: Sequence[str]) -> str:
    prefix = chr(65 + number % 26) + chr(66 + number % 23)
    return shapes[number % len(shapes)].format(prefix)


def _scans(
    scan: Callable[[str], object], records: Callable[[str], object], names: list[str]
) -> dict[str, float | str]:
    figures: dict[str, float | str] = {}
    for kind in _TEXT_KINDS:
        written = texts(names, _TEXTS, accents=kind == "accents")
        digest = hashlib.sha256(repr([records(text) for text in written]).encode()).hexdigest()
        seconds = _passes(scan, written)
        megabytes = sum(len(text.encode()) for text in written) / 1e6
        figures |= {f"{kind}_cpu": seconds, f"{kind}_mb": megabytes / seconds, f"{kind}_records": digest}
    return figures


def _passes(scan: Callable[[str], object], written: list[str]) -> float:
    """Return the CPU seconds of one pass over the texts, of as many as can be timed well."""
    spent, passes = 0.0, 0
    while spent < _LONG_ENOUGH:
        spent += _timed(lambda: [scan(text) for text in written])[1]
        passes += 1
    return spent / passes


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    started = time.process_time()
    result = work()
    return result, time.process_time() - started
