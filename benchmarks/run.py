"""Measures what this package costs beside its peers, keeps the results, and puts their table into the docs.

    python benchmarks/run.py [--only NAME ...] [--rounds N] [--quick] [--out FILE]
    python benchmarks/run.py --render

A benchmark replaces its own rows in FILE (docs/benchmark-results.json) and keeps those of others, with their
date and machine. `--quick` takes a twentieth of all sizes, one round, no targets, and keeps nothing
unless FILE is named.
`--render` measures nothing: it gives missed targets the reasons of reasons.json and writes the part of
docs/benchmarks.md between its marks.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Final

from bench.costs import Broken
from bench.machine import about
from bench.plan import ROOT, Absent, Plan, call
from bench.render import markdown, placed
from bench.rows import Results, read_results, write_results

RESULTS: Final = ROOT / "docs" / "benchmark-results.json"
PAGE: Final = ROOT / "docs" / "benchmarks.md"
REASONS: Final = Path(__file__).with_name("reasons.json")
# Each measures in a function of its module, `measure` where none is named; the table has their order.
BENCHMARKS: Final = {
    "conformance": "conformance",
    "large": "conformance:measure_large",
    "engine": "engine",
    "scoring": "scoring",
    "quality": "quality",
    "growth": "growth",
    "start-up": "startup",
    "xdist": "xdist",
    "cluster": "cluster",
    "formats": "formats",
    "corpora": "corpora",
    "freezes": "freezes",
    "reports": "reports",
}


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--only", nargs="+", choices=BENCHMARKS, metavar="NAME", help=", ".join(BENCHMARKS))
    made.add_argument("--rounds", type=_rounds, default=3, help="runs of each, in turns; medians count (3)")
    made.add_argument("--quick", action="store_true", help="small sizes, one round: to see that it works")
    made.add_argument("--out", type=Path, help="the file of the results")
    made.add_argument("--render", action="store_true", help="only write the page of the results")
    made.add_argument("--peer-python", default=sys.executable, help="an interpreter with presidio-evaluator")
    made.add_argument("--generator", type=Path, help="a script that writes the conformance suite")
    made.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    return made


def _rounds(word: str) -> int:
    """Return a number of rounds; argparse says what is wrong with any other word."""
    if not (word.isascii() and word.isdigit() and int(word)):
        raise argparse.ArgumentTypeError(f"{word!r} is no number of rounds: give a whole number from 1")
    return int(word)


def main(words: list[str] | None = None) -> None:
    """Measure, or render, or do the work of a child."""
    arguments = parser().parse_args(words)
    if arguments.child:
        call(*arguments.child)
    elif arguments.render:
        render(arguments.out or RESULTS, PAGE)
    else:
        # Ended from outside, it still ends what it started and removes what it wrote.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
        measure(arguments)


def render(out: Path, page: Path) -> None:
    """Give the rows their reasons, and write the part of the page that the results make."""
    results = read_results(out).reasoned(reasons()).ordered(BENCHMARKS)
    write_results(out, results)
    page.write_text(placed(page.read_text(encoding="utf-8"), results), encoding="utf-8")


def reasons() -> dict[str, str]:
    """Return why targets are missed, by row."""
    return dict(json.loads(REASONS.read_text(encoding="utf-8")))


def measure(arguments: argparse.Namespace) -> None:
    """Measure one benchmark after the other; what was measured is kept when a later one breaks."""
    out = arguments.out or (None if arguments.quick else RESULTS)
    results = read_results(out) if out else Results({}, ())
    with tempfile.TemporaryDirectory(dir=Path.home(), prefix="pii-eval-benchmarks-") as folder:
        plan = Plan(
            Path(folder),
            1 if arguments.quick else arguments.rounds,
            arguments.quick,
            arguments.peer_python,
            arguments.generator and arguments.generator.resolve(),
        )
        run = about(plan)
        for name in arguments.only or BENCHMARKS:
            results = _measured(plan, name, (results, run))
            if out:
                write_results(out, results)
    print(markdown(results))


def _measured(plan: Plan, name: str, so_far: tuple[Results, dict[str, object]]) -> Results:
    """Return the results with those of one benchmark; unchanged where what it needs is not here."""
    results, run = so_far
    module, _, function = BENCHMARKS[name].partition(":")
    started = time.perf_counter()
    try:
        rows = getattr(import_module(f"bench.{module}"), function or "measure")(plan)
    except (Absent, Broken) as obstacle:
        print(f"{name}: left out: {obstacle}", flush=True)
        return results
    print(f"{name}: {len(rows)} rows in {time.perf_counter() - started:.0f} s", flush=True)
    if plan.quick:  # Targets are of full sizes.
        rows = [one.without_targets() for one in rows]
    return results.replaced(name, rows, (str(run["date"]), run)).ordered(BENCHMARKS).reasoned(reasons())


if __name__ == "__main__":
    main()
