"""The command `pii-eval`: `check` validates files without running anything, `schema` prints JSON Schemas."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pii_eval.collection.suite import Suite

_OK, _FAULTY, _USAGE = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0 where all holds, 1 where a file breaks its contract, 2 for wrong usage."""
    parser = argparse.ArgumentParser(prog="pii-eval", description="Contract tests for PII detectors.")
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="validate files of a suite without running anything")
    check.add_argument("paths", nargs="+", metavar="PATH", help="a file of a suite, or a directory of them")
    check.add_argument(
        "--bank", metavar="FILE", help="the bank that cases and catalog identities speak about"
    )
    schema = commands.add_parser("schema", help="print the JSON Schema of a file format")
    schema.add_argument("name", nargs="?", help="which one; without it, the names are listed")
    given = parser.parse_args(arguments)
    return _check(given.paths, given.bank) if given.command == "check" else _schema(given.name)


def _check(paths: Sequence[str], bank: str | None) -> int:
    from pytest_pii_eval.contracts.faults import Fault  # noqa: PLC0415  # `schema` needs none of these

    faulty = False
    suite = _suite(bank)
    for path in paths:
        try:
            for line in _check_path(suite, Path(os.path.normpath(Path.cwd() / path))):
                print(line)  # noqa: T201  # what the command is for
        except Fault as fault:
            faulty = True
            print(fault, file=sys.stderr)  # noqa: T201
    return _FAULTY if faulty else _OK


def _suite(bank: str | None) -> Suite:
    from pytest_pii_eval.collection.suite import Suite  # noqa: PLC0415
    from pytest_pii_eval.settings import default_settings  # noqa: PLC0415

    root = Path.cwd()
    path = None if bank is None else Path(os.path.normpath(root / bank))
    return Suite(default_settings(root, bank=path))


def _check_path(suite: Suite, path: Path) -> Iterator[str]:
    from pytest_pii_eval.contracts.faults import Fault  # noqa: PLC0415

    if path.is_dir():
        inner = [file for file in sorted(path.iterdir()) if _is_of_a_suite(suite, file)]
        if not inner:
            raise Fault("holds no file of a suite", file=suite.settings.shown(path))
        for file in inner:
            yield from _check_file(suite, file)
    else:
        yield from _check_file(suite, path)


def _is_of_a_suite(suite: Suite, path: Path) -> bool:
    """Tell whether a file met in a directory is ours; JSON there may be a taxonomy or a report, too."""
    return _kind(suite, path) is not None and (path.suffix != ".json" or path.name.startswith("bank"))


def _kind(suite: Suite, path: Path) -> str | None:
    from pytest_pii_eval.kinds import kind_of  # noqa: PLC0415

    if path.name == "suite.yaml":
        return "suite"
    return kind_of(path, suite.settings) or ("bank" if path.suffix == ".json" else None)


def _check_file(suite: Suite, path: Path) -> Iterator[str]:
    from pytest_pii_eval.contracts.bank import load_bank  # noqa: PLC0415
    from pytest_pii_eval.contracts.faults import Fault  # noqa: PLC0415
    from pytest_pii_eval.detectors.bank_detector import BankDetector  # noqa: PLC0415

    shown, kind = suite.settings.shown(path), _kind(suite, path)
    if not path.exists() and not path.is_symlink():
        raise Fault("does not exist", file=shown)
    if kind is None:
        raise Fault("is no file of a suite; its name fits none of them", file=shown)
    if kind == "bank":
        bank = load_bank(path, root=suite.settings.root)
        try:
            BankDetector(bank)
        except Fault as fault:
            raise fault.at(file=shown) from None
        yield f"{shown}: a bank of {len(bank.patterns):,} active patterns in {len(bank.entities)} entities"
    elif kind in ("positive", "negative"):
        rows = sum(1 for _ in suite.read_cases(path, "positive" if kind == "positive" else "negative"))
        yield f"{shown}: {rows:,} {kind} cases"
    else:
        directory = suite.quality.directory(path.parent, suite.bank)
        if directory is not None:
            documents, shards = len(directory.population), len(directory.shards)
            yield f"{shown}: holds with its directory of {documents:,} documents ({shards} shards)"


def _schema(name: str | None) -> int:
    from pytest_pii_eval.reports.schemas import SCHEMAS, json_schema  # noqa: PLC0415

    if name is None or name not in SCHEMAS:
        lines = "\n".join(sorted(SCHEMAS))
        print(lines, file=sys.stdout if name is None else sys.stderr)
        return _OK if name is None else _USAGE
    print(json.dumps(json_schema(name), indent=2, sort_keys=True))  # noqa: T201
    return _OK
