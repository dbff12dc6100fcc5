"""Our conformance aggregate equals that of nerb's evaluator: as generated, and after random damage."""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import bank_damage
import case_damage
import pytest
from both_evaluators import REFUSED, by_nerb, by_us, compared
from generated_suite import Suite, build

from pytest_pii_eval.contracts.bank import parse_bank
from pytest_pii_eval.detectors.bank_detector import BankDetector

if TYPE_CHECKING:
    from collections.abc import Mapping

pytest.importorskip("nerb.enron_conformance")

ROOT = Path(__file__).parents[2]
GENERATOR = ROOT / "../shared/bench/gen_suite.py"
ENGINES = ("embedded", "nerb")
SEEDS = 24  # each way to damage a bank, and each to damage rows, comes up


def _lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n")[:-1]]


def _read(folder: Path) -> Suite:
    kinds = ("positive", "negative")
    rows = [
        [row for file in sorted(folder.glob(f"conformance-{kind}*.jsonl")) for row in _lines(file)]
        for kind in kinds
    ]
    return Suite(json.loads((folder / "bank.json").read_text("utf-8")), *rows)


@pytest.fixture(scope="module")
def suites(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Suite]:
    """The suite of our own making and, where the shared folder is there, that of its generator."""
    found = {"ours": build(1)}
    if GENERATOR.exists():
        folder = tmp_path_factory.mktemp("generated")
        subprocess.run(
            [sys.executable, str(GENERATOR), str(folder), "60", "3", "40"], check=True, capture_output=True
        )
        found["shared"] = _read(folder)
    return found


def _suite(suites: Mapping[str, Suite], which: str) -> Suite:
    if which not in suites:
        pytest.skip("the shared folder is not here")
    return copy.deepcopy(suites[which])


def _damaged(suite: Suite, kind: str, seed: int) -> Suite:
    """Damage `suite` in one to three ways; the first is chosen in turn."""
    rng = random.Random(f"{kind} {seed}")  # noqa: S311  # reproducible, not secret
    banks, cases = bank_damage.DAMAGES, case_damage.DAMAGES
    ways = {"bank": banks, "cases": cases, "both": (*banks, *cases)}[kind]
    chosen = [ways[seed % len(ways)], *rng.sample(ways, rng.choice([0, 0, 1, 2]))]
    for way in chosen:
        if suite.positives and suite.negatives:
            way(suite, rng)
    return suite


@pytest.mark.parametrize("which", ["ours", "shared"])
def test_the_suites_pass_as_they_are(suites, which) -> None:
    """Undamaged, nerb and both engines of ours find everything and nothing else."""
    suite = _suite(suites, which)
    theirs = by_nerb(suite)
    assert theirs["passed"] is True
    assert theirs["approved_positive_cases"] > 200
    assert [by_us(suite, engine) for engine in ENGINES] == [theirs, theirs]


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("kind", ["bank", "cases", "both"])
@pytest.mark.parametrize("which", ["ours", "shared"])
def test_damaged_suites_are_judged_alike(suites, which, kind, seed) -> None:
    """After random damage both refuse the input, or both come to the same numbers."""
    suite = _damaged(_suite(suites, which), kind, seed)
    theirs = by_nerb(suite)
    assert {engine: by_us(suite, engine) for engine in ENGINES} == dict.fromkeys(ENGINES, theirs)


@pytest.mark.parametrize("kind", ["bank", "cases"])
def test_the_damage_shows(suites, kind) -> None:
    """Among the damaged suites are refused ones, and ones with each kind of failure."""
    verdicts = [by_nerb(_damaged(_suite(suites, "ours"), kind, seed)) for seed in range(SEEDS)]
    judged = [verdict for verdict in verdicts if verdict != REFUSED and verdict["evaluated"]]
    assert verdicts.count(REFUSED) >= 3
    assert sum(verdict["missed"] > 0 for verdict in judged) >= 3
    assert sum(verdict["wrong_canonical"] > 0 for verdict in judged) >= 2
    assert any(verdict["unexpected_negative_matches"] > 0 for verdict in judged)
    assert any(verdict["patterns_with_positive_cases"] < verdict["active_patterns"] for verdict in judged)


def test_without_active_patterns_nothing_is_evaluated() -> None:
    """A difference: the document asks for `evaluated` false, nerb refuses a bank that is a draft."""
    suite = build(1)
    suite.bank["status"] = "draft"
    suite.positives.clear()
    assert by_nerb(suite) == REFUSED
    assert by_us(suite, "embedded") == {"evaluated": False, "recall": None, "passed": False}


def test_priorities_may_be_below_zero() -> None:
    """A difference: the format says integer, nerb compiles none below zero; we do, and lower is first."""
    suite = build(1)
    suite.bank["entities"]["firm"]["names"]["f0"]["patterns"]["plain"]["priority"] = -1
    assert by_nerb(suite) == REFUSED
    assert [by_us(suite, engine)["passed"] for engine in ENGINES] == [True, True]


def test_all_ten_tags_are_a_matter_of_support() -> None:
    """A difference: a suite that lacks a tag is refused by nerb, and fails a support item of ours."""
    suite = build(1)
    suite.positives[:] = [row for row in suite.positives if "html" not in row["tags"]]
    assert by_nerb(suite) == REFUSED
    assert by_us(suite, "embedded")["evaluated"] is True


def test_the_shipped_suite_is_judged_alike() -> None:
    """On the files under conformance/ both pass with the same numbers."""
    suite = _read(ROOT / "conformance")
    theirs = by_nerb(suite)
    assert theirs["passed"] is True
    assert by_us(suite, "embedded") == theirs


def test_the_engines_agree_on_every_shipped_text() -> None:
    """On every text under conformance/ the embedded engine raises the records that nerb raises."""
    suite = _read(ROOT / "conformance")
    bank = parse_bank(suite.bank)
    embedded, native = (BankDetector(bank, engine=engine) for engine in ENGINES)
    rows = [*suite.positives, *suite.negatives]
    assert len(rows) >= 900
    different = [row["case_id"] for row in rows if embedded.scan(row["text"]) != native.scan(row["text"])]
    assert different == []


def test_a_whole_run_reports_what_the_command_of_nerb_prints(tmp_path) -> None:
    """One pytest run over damaged files and `nerb eval-enron-conformance` come to the same aggregate."""
    suite = build(2)
    rng = random.Random(5)  # noqa: S311  # reproducible, not secret
    for way in (
        bank_damage.swap_values,
        bank_damage.flip_boundary,
        bank_damage.shadow,
        case_damage.other_pattern_of_the_name,
        case_damage.shift_span,
        case_damage.drop_cases,
        case_damage.hit_negative,
    ):
        way(suite, rng)
    _write(suite, tmp_path)
    theirs = _command(tmp_path)
    ours = _run(tmp_path)
    assert compared(ours["conformance"]) == theirs
    assert ours["passed"] is False
    assert min(theirs[field] for field in ("missed", "wrong_canonical", "unexpected_negative_matches")) > 0


def _write(suite: Suite, folder: Path) -> None:
    (folder / "bank.json").write_text(json.dumps(suite.bank), "utf-8")
    for kind, rows in (("positive", suite.positives), ("negative", suite.negatives)):
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
        (folder / f"conformance-{kind}.jsonl").write_text("".join(lines), "utf-8", newline="\n")


def _command(folder: Path) -> dict[str, object]:
    options = ["--bank=bank.json", "--positive-cases=conformance-positive.jsonl"]
    options += [
        "--negative-cases=conformance-negative.jsonl",
        "--output-dir=audit",
        "--allow-unignored-output",
    ]
    start = "import sys; from nerb.cli import app; app(sys.argv[1:])"
    command = [sys.executable, "-c", start, "eval-enron-conformance", *options]
    finished = subprocess.run(command, cwd=folder, check=False, capture_output=True)
    return compared(json.loads(finished.stdout)["catalog_conformance"])


def _run(folder: Path) -> dict[str, dict[str, object]]:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--rootdir=.",
        "-pno:cacheprovider",
        "--pii-bank=bank.json",
    ]
    finished = subprocess.run(command, cwd=folder, check=False, capture_output=True)
    assert finished.returncode == pytest.ExitCode.TESTS_FAILED
    report: dict[str, dict[str, object]] = json.loads((folder / ".pii_eval/report.json").read_text("utf-8"))
    return report
