"""The command `pii-eval check`: which file is what, and whether it keeps its contract; nothing is run."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pii_eval.checking_freezes import CHECKS, kind_of_freeze_file
from pytest_pii_eval.collection.suite import Suite
from pytest_pii_eval.contracts.bank import load_bank
from pytest_pii_eval.contracts.bindings import read_bindings
from pytest_pii_eval.contracts.containers import container_of
from pytest_pii_eval.contracts.corpora_file import read_corpora
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import open_input, read_input
from pytest_pii_eval.contracts.strict_json import parse
from pytest_pii_eval.contracts.taxonomy import read_taxonomy
from pytest_pii_eval.detectors.bank_detector import BankDetector
from pytest_pii_eval.detectors.replay import Predictions
from pytest_pii_eval.kinds import kind_of
from pytest_pii_eval.reports.read import read_report
from pytest_pii_eval.settings import default_settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pii_eval.contracts.bank import Bank

_LARGEST_JSON = 256 * 1024 * 1024
_PREDICTIONS = b'"pii_eval.predictions.'
_LONGEST_HEADER = 1 << 20
_OURS = frozenset(
    {
        "freezes",
        "bindings",
        "corpora",
        "negative",
        "positive",
        "predictions",
        "provenance",
        "records",
        "slices",
        "suite",
        "unsupported",
    }
)


def check(paths: Sequence[str], bank: str | None) -> bool:
    """Print what each file is, and the first fault of those that break their contract; say if none does."""
    faulty = False
    suite = _suite(bank or _bank_beside(paths))
    for path in paths:
        try:
            for line in _check_path(suite, Path(os.path.normpath(Path.cwd() / path))):
                print(line)  # noqa: T201  # what the command is for
        except Fault as fault:
            faulty = True
            print(fault, file=sys.stderr)  # noqa: T201
    return not faulty


def _bank_beside(paths: Sequence[str]) -> str | None:
    """Return the `bank.json` of the first directory that has one: what its cases speak about."""
    candidates = (Path(path) / "bank.json" for path in paths)
    return next((str(bank) for bank in candidates if bank.is_file()), None)


def _suite(bank: str | None) -> Suite:
    root = Path.cwd()
    path = None if bank is None else Path(os.path.normpath(root / bank))
    return Suite(default_settings(root, bank=path))


def _check_path(suite: Suite, path: Path) -> Iterator[str]:
    if path.is_dir():
        inner = [file for file in sorted(path.iterdir()) if _is_of_a_suite(suite, file)]
        if not inner:
            raise Fault("holds no file of a suite", file=suite.settings.shown(path))
        for file in inner:
            yield from _check_file(suite, file)
    else:
        yield from _check_file(suite, path)


def _is_of_a_suite(suite: Suite, path: Path) -> bool:
    """Tell whether a file met in a directory is ours; other JSON and YAML there is somebody else's."""
    return _kind(suite, path) in _OURS or path.name in ("bank.json", "suite.yaml")


def _kind(suite: Suite, path: Path) -> str | None:
    """Return what a file is: by its name, or for other JSON and YAML by what it says it is."""
    if path.name == "suite.yaml":
        return "suite"
    if path.suffix in (".yaml", ".yml") and kind_of(path, suite.settings) == "corpora":
        return "corpora"
    if container_of(path.name) != "jsonl":
        return kind_of(path, suite.settings)
    if path.suffix == ".jsonl":
        return kind_of(path, suite.settings) or _kind_of_rows(path)
    named = kind_of(path, suite.settings) or kind_of_freeze_file(path)
    if path.suffix in (".yaml", ".yml"):
        return named or "taxonomy"
    return named or (_kind_of_json(path) if path.suffix == ".json" else None)


def _kind_of_rows(path: Path) -> str | None:
    """Tell predictions by their name or their first row: they lie anywhere, under any name."""
    if fnmatchcase(path.name, "predictions*.jsonl"):
        return "predictions"
    try:
        with open_input(path) as handle:
            if _PREDICTIONS in handle.readline(_LONGEST_HEADER):
                return "predictions"
    except Fault:
        return None
    return kind_of_freeze_file(path)


def _kind_of_json(path: Path) -> str:
    try:
        value = parse(read_input(path, limit=_LARGEST_JSON))
    except Fault:
        return "bank"  # whose reader says what is wrong
    if not isinstance(value, dict):
        return "bank"
    if str(value.get("schema_version")).startswith("pii_eval.report."):
        return "report"
    return "taxonomy" if "types" in value and "entities" not in value else "bank"


def _check_file(suite: Suite, path: Path) -> Iterator[str]:
    shown = suite.settings.shown(path)
    if not path.exists() and not path.is_symlink():
        raise Fault("does not exist", file=shown)
    kind = _kind(suite, path)
    if kind is None:
        raise Fault("is no file of a suite; its name fits none of them", file=shown)
    yield f"{shown}: {_checked(suite, path, kind)}"


def _checked(suite: Suite, path: Path, kind: str) -> str:
    """Check one file and return what it is; raises `Fault`."""
    if kind in CHECKS:
        return CHECKS[kind](path, suite.settings.root)
    alone = _ALONE.get(kind)
    if alone is not None:
        return alone(suite, path)
    directory = suite.quality.directory(path.parent, _known_bank(suite))
    if directory is None:
        return "not checked: its directory is at fault"
    documents, shards = len(directory.population), len(directory.shards)
    return f"holds with its directory of {documents:,} documents ({shards} shards)"


def _checked_positives(suite: Suite, path: Path) -> str:
    return f"{sum(1 for _ in suite.read_cases(path, 'positive')):,} positive cases"


def _checked_negatives(suite: Suite, path: Path) -> str:
    return f"{sum(1 for _ in suite.read_cases(path, 'negative')):,} negative cases"


def _checked_taxonomy(suite: Suite, path: Path) -> str:
    return f"a taxonomy of {len(read_taxonomy(path, root=suite.settings.root).types):,} types"


def _checked_report(_: Suite, path: Path) -> str:
    return f"a report on {len(read_report(path).slices):,} slices"


def _checked_predictions(suite: Suite, path: Path) -> str:
    with closing(Predictions(path, root=suite.settings.root, shown=suite.settings.shown)) as made:
        failed = f", {made.failures.total():,} of them without an answer" if made.failures else ""
        return f"predictions for {len(made):,} documents by {made.name} {made.version}{failed}"


def _checked_corpora(suite: Suite, path: Path) -> str:
    pins = read_corpora(path, root=suite.settings.root).pins.values()
    open_pins = sum(pin.sha256 is None for pin in pins)
    return f"{len(pins)} pinned corpora" + (f", {open_pins} of them without a sha256" if open_pins else "")


def _checked_bank(suite: Suite, path: Path) -> str:
    bank = load_bank(path, root=suite.settings.root)
    try:
        BankDetector(bank)
    except Fault as fault:
        raise fault.at(file=suite.settings.shown(path)) from None
    return f"a bank of {len(bank.patterns):,} active patterns in {len(bank.entities)} entities"


def _checked_bindings(suite: Suite, path: Path) -> str:
    shown = suite.settings.shown(path)
    bindings = read_bindings(path, root=suite.settings.root, shown=shown, bank=_known_bank(suite))
    return f"{len(bindings):,} catalog bindings; a run says whether they cover its records"


def _known_bank(suite: Suite) -> Bank | None:
    return None if suite.settings.bank is None else suite.known_bank


_ALONE = {
    "bank": _checked_bank,
    "bindings": _checked_bindings,
    "corpora": _checked_corpora,
    "negative": _checked_negatives,
    "positive": _checked_positives,
    "predictions": _checked_predictions,
    "report": _checked_report,
    "taxonomy": _checked_taxonomy,
}
