"""Prints what compiling a bank and scanning cost the embedded engine and nerb, side by side in one run.

Usage: python benchmarks/engine.py [ROUNDS]. CPU seconds, medians of ROUNDS (5) alternating measurements.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from importlib.metadata import version
from typing import TYPE_CHECKING, NamedTuple

from pytest_pii_eval.contracts.patterns import ActivePattern
from pytest_pii_eval.detectors.bank.engine import Engine
from pytest_pii_eval.detectors.nerb import NerbEngine

if TYPE_CHECKING:
    from collections.abc import Callable

_SYLLABLES = "ba be bi bo da de di do fa ga ha ja ka ki la le li lo ma me mi mo na ne no ra re sa so ta te ti va".split()
_WORDS = "please ask about the draft before noon tomorrow and send it back to order number with many thanks".split()
_SIZES = ((1_000, 0), (1_000, 50), (10_000, 0), (10_000, 50))
_TEXTS = 300
_TEXT_LENGTH = 1_500


class Cost(NamedTuple):
    """CPU seconds to compile a bank, and megabytes of UTF-8 scanned a CPU second."""

    compile_seconds: float
    megabytes: float


def names(count: int, dice: random.Random) -> list[str]:
    """Return `count` different names of two words."""
    found: dict[str, None] = {}
    while len(found) < count:
        parts = ("".join(dice.choices(_SYLLABLES, k=dice.choice((2, 3)))).capitalize() for _ in range(2))
        found[" ".join(parts)] = None
    return list(found)


def bank(people: list[str], expressions: int) -> list[ActivePattern]:
    """Return one entity of case-insensitive names between word boundaries, and one of codes."""
    codes = [
        ActivePattern("code", f"n{k:03}", "p", "regex", f"code {k}", rf"\b{chr(65 + k % 26)}{k:02}-\d{{4,6}}\b", 10)
        for k in range(expressions)
    ]
    person = [
        ActivePattern(
            "person", f"n{k:06}", "p", "literal", name, name, 100, frozenset(),
            case_sensitive=False, normalize_whitespace=True, left_boundary="word", right_boundary="word",
        )  # fmt: skip
        for k, name in enumerate(people)
    ]
    return codes + person


def documents(people: list[str], dice: random.Random) -> list[str]:
    """Return texts of common words with a name or a code now and then; a third is not all ASCII."""
    texts = []
    for number in range(_TEXTS):
        parts: list[str] = ["«Ünïcode»" if number % 3 == 0 else "Hello"]
        while sum(map(len, parts)) + len(parts) < _TEXT_LENGTH:
            odd = dice.random()
            parts.append(dice.choice(people) if odd < 0.02 else f"B01-{dice.randrange(10**5):05}" if odd < 0.03 else dice.choice(_WORDS))
        texts.append(" ".join(parts))
    return texts


def measure(build: Callable[[list[ActivePattern]], Engine | NerbEngine], patterns: list[ActivePattern], texts: list[str]) -> tuple[Cost, int]:
    """Return the cost of one compile and one scan of all texts, and the number of records."""
    start = time.process_time()
    engine = build(patterns)
    compiled = time.process_time()
    records = sum(len(engine.scan(text)) for text in texts)
    scanned = time.process_time()
    size = sum(len(text.encode()) for text in texts)
    return Cost(compiled - start, size / (scanned - compiled) / 1e6), records


def median(costs: list[Cost]) -> Cost:
    """Return the medians of both figures."""
    return Cost(*(statistics.median(column) for column in zip(*costs, strict=True)))


def compare(size: tuple[int, int], rounds: int) -> str:
    """Return one row of the table."""
    dice = random.Random(7)  # noqa: S311 -- a repeatable text, nothing secret
    people = names(size[0], dice)
    patterns, texts = bank(people, size[1]), documents(people, dice)
    ours: list[Cost] = []
    theirs: list[Cost] = []
    for _ in range(rounds):
        cost, found = measure(Engine, patterns, texts)
        ours.append(cost)
        cost, expected = measure(NerbEngine, patterns, texts)
        theirs.append(cost)
        if found != expected:
            raise SystemExit(f"the engines disagree: {found} and {expected} records")
    a, b = median(ours), median(theirs)
    return (
        f"{size[0]:>8} {size[1]:>11} | {a.compile_seconds:>8.3f} {b.compile_seconds:>8.3f} {a.compile_seconds / b.compile_seconds:>6.2f}"
        f" | {a.megabytes:>8.1f} {b.megabytes:>8.1f} {a.megabytes / b.megabytes:>6.1f}"
    )


def main() -> None:
    """Print versions and the table."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    versions = ", ".join(f"{name} {version(name)}" for name in ("ahocorasick-rs", "regex", "nerb"))
    print(f"Python {sys.version.split()[0]}, {versions}; embedded engine {Engine.version}; CPU time, medians of {rounds}")
    print("                     |  compile seconds         |  scan MB/s")
    print("literals expressions | embedded     nerb  ratio | embedded     nerb  ratio")
    for size in _SIZES:
        print(compare(size, rounds), flush=True)


if __name__ == "__main__":
    main()
