"""Prints what a whole conformance run costs, beside `nerb eval-enron-conformance` on the same files.

Usage: python benchmarks/conformance.py [ROUNDS] [GENERATOR]

GENERATOR is a script that writes a suite (`script OUT_DIR`): bank.json, conformance-positive.jsonl and
conformance-negative.jsonl; by default the one in the shared folder beside the checkout. Needs nerb and
pytest-xdist beside this package in the environment that runs it. Medians of ROUNDS (3) runs in turns;
quote ratios, since machines are noisy.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from processes import Cost, in_turns

_GENERATOR = Path(__file__).parents[2] / "shared" / "bench" / "gen_suite.py"
_BIN = Path(sys.executable).parent
# Plugins that others bring along would slow every item down; a fresh install has none of them.
_OTHERS = ("anyio", "html", "hypothesispytest", "metadata", "pytest_jsonreport", "randomly", "syrupy")
_ALONE = [word for name in _OTHERS for word in ("-p", f"no:{name}")]


def main() -> None:
    """Generate, run in turns, print."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    generator = Path(sys.argv[2]) if len(sys.argv) > 2 else _GENERATOR  # noqa: PLR2004  # the second argument
    with tempfile.TemporaryDirectory(dir=Path.home()) as folder:
        suite = Path(folder)
        suite.chmod(0o700)
        subprocess.run([sys.executable, str(generator), str(suite)], check=True)
        elsewhere = suite / "elsewhere"
        elsewhere.mkdir()
        (elsewhere / "test_nothing.py").write_text("def test_nothing():\n    pass\n", encoding="utf-8")
        empty = in_turns(_empty_runs(), elsewhere, 8 * rounds)
        _report(rounds, in_turns(_commands(suite), suite, rounds), empty)


def _commands(suite: Path) -> dict[str, list[str]]:
    pytest = [str(_BIN / "pytest"), "-q", *_ALONE, "--pii-bank=bank.json", "."]
    nerb = [str(_BIN / "nerb"), "eval-enron-conformance", "--bank", "bank.json"]
    nerb += [
        "--positive-cases",
        "conformance-positive.jsonl",
        "--negative-cases",
        "conformance-negative.jsonl",
    ]
    nerb += ["--output-dir", str(suite / "nerb-{turn}"), "--allow-unignored-output"]
    return {"nerb": nerb, "pytest": [*pytest, "-p", "no:xdist"], "pytest -n 2": [*pytest, "-n", "2"]}


def _empty_runs() -> dict[str, list[str]]:
    without = [str(_BIN / "pytest"), "-q", *_ALONE, "test_nothing.py"]
    return {"without": [*without, "-p", "no:pii_eval"], "with": without}


def _report(rounds: int, costs: dict[str, Cost], empty: dict[str, Cost]) -> None:
    packages = ("pytest-pii-eval", "pytest", "pytest-xdist", "nerb")
    print(f"{', '.join(f'{name} {version(name)}' for name in packages)}; medians of {rounds} runs in turns")
    print(f"{'':14}{'wall s':>9}{'CPU s':>9}{'MB':>7}{'wall/nerb':>11}{'CPU/nerb':>10}")
    base = costs["nerb"]
    for name, cost in costs.items():
        ratios = f"{cost.wall / base.wall:11.2f}{cost.cpu / base.cpu:10.2f}"
        print(f"{name:14}{cost.wall:9.2f}{cost.cpu:9.2f}{cost.megabytes:7.0f}{ratios}")
    added = 1000 * (empty["with"].cpu - empty["without"].cpu)
    print(f"a run that uses none of our files: {added:+.1f} ms of CPU beside the same without the plugin")


if __name__ == "__main__":
    main()
