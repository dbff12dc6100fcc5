"""Prints what compiling a bank and scanning cost the embedded engine and nerb, side by side in one run.

Usage: python benchmarks/engine.py [ROUNDS]. CPU time; medians of ROUNDS (5) measurements, in turns. nerb
is compiled by its own way from a bank document (`compile_bank`) and scans by its fastest (`scan_bytes`).
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, NamedTuple

from nerb.engines import compile_bank

from pytest_pii_eval.contracts.patterns import ActivePattern
from pytest_pii_eval.detectors import nerb
from pytest_pii_eval.detectors.bank.engine import Engine

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_CONSONANTS = "bcdfghjklmnprstvwz"
_WORDS = [
    "please",
    "ask",
    "about",
    "the",
    "draft",
    "before",
    "noon",
    "tomorrow",
    "and",
    "send",
    "it",
    "back",
    "to",
]
_WORDS += [
    "order",
    "number",
    "with",
    "many",
    "thanks",
    "12",
    "2024",
    "Monday",
    "re-sent",
    "A7",
    "floor",
    "EU",
]
_ACCENTED = ["naïve", "Zürich", "“draft”", "—", "résumé", "Łódź"]
_SHAPES = (
    r"\b{0}-\d{{4,6}}\b",
    r"\b[\w.+-]+@{0}\.[a-z]{{2,6}}\b",
    r"(?i)\b{0}[ :#]+\d{{3,12}}\b",
    r"\b\d{{1,2}}[./]\d{{1,2}}[./](?:19|20)\d{{2}} {0}\b",
    r"\b[A-Z]{{2}}\d{{2}}(?: ?[A-Z0-9]{{4}}){{3,7}} ?{0}\b",
)
_SETS = {"none": (), "mixed": _SHAPES, "codes": _SHAPES[:1]}
# Codes of one simple shape are what nerb's automaton likes best; mixed shapes are what banks hold.
_SIZES = ((1_000, "none"), (1_000, "mixed"), (10_000, "none"), (10_000, "mixed"), (10_000, "codes"))
_EXPRESSIONS = 50
_TEXTS = 200
_TEXT_LENGTH = 1_500
_NAME_SHARE = 0.02
_CODE_SHARE = 0.01


class Cost(NamedTuple):
    """CPU seconds to compile a bank, and megabytes of UTF-8 scanned in a CPU second."""

    seconds: float
    megabytes: float


def names(count: int, dice: random.Random) -> list[str]:
    """Return `count` different names of two words."""
    found: dict[str, None] = {}
    while len(found) < count:
        found[f"{_word(dice)} {_word(dice)}"] = None
    return list(found)


def _word(dice: random.Random) -> str:
    pairs = (dice.choice(_CONSONANTS) + dice.choice("aeiou") for _ in range(dice.choice((2, 3))))
    return "".join(pairs).capitalize()


def bank(people: list[str], shapes: Sequence[str]) -> list[ActivePattern]:
    """Return one entity of case-insensitive names between word boundaries, and one of codes."""
    code = ActivePattern("code", "n", "p", "regex", "code", "", 10)
    person = ActivePattern(
        "person", "n", "p", "literal", "", "", 100, frozenset(), False, True, "word", "word"
    )
    return [
        code._replace(name_id=f"n{number:03}", pattern_id=f"p{number:03}", value=_expression(number, shapes))
        for number in range(_EXPRESSIONS if shapes else 0)
    ] + [
        person._replace(name_id=f"n{number:06}", canonical_name=name, value=name)
        for number, name in enumerate(people)
    ]


def _expression(number: int, shapes: Sequence[str]) -> str:
    prefix = chr(65 + number % 26) + chr(66 + number % 23)
    return shapes[number % len(shapes)].format(prefix)


def documents(people: list[str], dice: random.Random, *, accents: bool) -> list[str]:
    """Return texts of common words, with a name or a code now and then."""
    words = _WORDS + _ACCENTED if accents else _WORDS
    texts = []
    for _ in range(_TEXTS):
        parts: list[str] = []
        while sum(map(len, parts)) + len(parts) < _TEXT_LENGTH:
            odd = dice.random()
            name_or_code = (
                dice.choice(people) if odd < _NAME_SHARE else f"AB-{dice.randrange(10_000, 99_999)}"
            )
            parts.append(name_or_code if odd < _NAME_SHARE + _CODE_SHARE else dice.choice(words))
        texts.append(" ".join(parts))
    return texts


def seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds that `work` takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def measure_ours(patterns: list[ActivePattern], texts: list[str]) -> tuple[float, float]:
    """Return the CPU seconds of a compile and of a scan of all texts."""
    engine = Engine(patterns)
    return seconds(lambda: Engine(patterns)), seconds(lambda: [engine.scan(text) for text in texts])


def measure_nerb(patterns: list[ActivePattern], texts: list[str]) -> tuple[float, float]:
    """Return the same for nerb."""
    engine = nerb.NerbEngine(patterns)
    document = nerb.bank_document(patterns)
    sources = [text.encode() for text in texts]
    scan = engine.native.scan_bytes
    return (
        seconds(lambda: compile_bank(document, options={"include_statuses": ["active"]})),
        seconds(lambda: [scan(source, max_matches=100_000) for source in sources]),
    )


def check(patterns: list[ActivePattern], texts: list[str]) -> None:
    """End the run if the two engines do not agree on every record."""
    ours, theirs = Engine(patterns), nerb.NerbEngine(patterns)
    if any(ours.scan(text) != theirs.scan(text) for text in texts):
        raise SystemExit("the engines disagree")


def compare(size: tuple[int, str], rounds: int, *, accents: bool) -> str:
    """Return one row of the table."""
    from nerb.engine import clear_bank_cache  # noqa: PLC0415 -- beside its use: without it, nerb compiles once

    dice = random.Random(7)  # noqa: S311 -- a repeatable text, nothing secret
    people = names(size[0], dice)
    patterns, texts = bank(people, _SETS[size[1]]), documents(people, dice, accents=accents)
    check(patterns, texts)
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(measure_ours(patterns, texts))
        clear_bank_cache()
        theirs.append(measure_nerb(patterns, texts))
    return _row(size, accents, _cost(ours, texts), _cost(theirs, texts))


def _cost(measured: list[tuple[float, float]], texts: list[str]) -> Cost:
    compiling, scanning = (statistics.median(column) for column in zip(*measured, strict=True))
    return Cost(compiling, sum(len(text.encode()) for text in texts) / scanning / 1e6)


def _row(size: tuple[int, str], accents: bool, ours: Cost, theirs: Cost) -> str:  # noqa: FBT001 -- private
    return (
        f"{size[0]:>8} {size[1]:>11} {'accents' if accents else 'ASCII':>7}"
        f" | {ours.seconds:>8.3f} {theirs.seconds:>8.3f} {ours.seconds / theirs.seconds:>6.3f}"
        f" | {ours.megabytes:>8.1f} {theirs.megabytes:>8.1f} {ours.megabytes / theirs.megabytes:>6.1f}"
    )


def _version(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"{name} absent"


def main() -> None:
    """Print versions and the table."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    libraries = ", ".join(map(_version, ("ahocorasick-rs", "regex", "google-re2", "nerb")))
    print(f"Python {sys.version.split()[0]}, {libraries}; embedded engine {Engine.version}")
    print(f"CPU time, medians of {rounds} rounds; {_TEXTS} texts of {_TEXT_LENGTH} characters")
    print("                             | compile: seconds         | scan: MB/s")
    print("literals expressions    text | embedded     nerb  ratio | embedded     nerb  ratio")
    for size in _SIZES:
        for accents in (False, True):
            print(compare(size, rounds, accents=accents), flush=True)


if __name__ == "__main__":
    main()
