"""The command `pii-eval`: `check`, `corpus`, `freeze`, `import`, `predict`, `schema`, and their arguments."""

from __future__ import annotations

import argparse
import json
import os
import sys
from contextlib import closing
from fnmatch import fnmatchcase
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pii_eval.corpora import command as corpus
from pytest_pii_eval.corpora import import_command
from pytest_pii_eval.freezes import command as freeze
from pytest_pii_eval.predicting import command as predict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pii_eval.collection.suite import Suite
    from pytest_pii_eval.contracts.bank import Bank

_OK, _FAULTY, _USAGE, _INTERRUPTED = 0, 1, 2, 130
_LARGEST_JSON = 256 * 1024 * 1024
_PREDICTIONS = b'"pii_eval.predictions.'
_LONGEST_HEADER = 1 << 20
_OURS = frozenset(
    {
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0 where all holds, 1 where a file breaks its contract, 2 for wrong usage.

    Returns 130 where it is interrupted.
    """
    _let_all_be_printed()
    try:
        return _main(arguments)
    except KeyboardInterrupt:  # one that no command has told of: it came early
        print("pii-eval: interrupted", file=sys.stderr)  # noqa: T201  # what the command is for
        return _INTERRUPTED


def _let_all_be_printed() -> None:
    """Escape what an output cannot encode: names of files hold anything."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _main(arguments: Sequence[str] | None) -> int:
    parser = argparse.ArgumentParser(prog="pii-eval", description="Contract tests for PII detectors.")
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="validate files of a suite without running anything")
    check.add_argument("paths", nargs="+", metavar="PATH", help="a file of a suite, or a directory of them")
    check.add_argument(
        "--bank", metavar="FILE", help="the bank that cases and catalog identities speak about"
    )
    schema = commands.add_parser("schema", help="print the JSON Schema of a file format")
    schema.add_argument("name", nargs="?", help="which one; without it, the names are listed")
    predict.add_arguments(
        commands.add_parser("predict", help="write what a detector finds in a suite, to be scored without it")
    )
    corpus.add_arguments(commands.add_parser("corpus", help="fetch, prepare and check pinned corpora"))
    import_command.add_arguments(
        commands.add_parser("import", help="make a quality suite of an export of your own")
    )
    freeze.add_arguments(
        commands.add_parser("freeze", help="split suites, seal them, and check what a promotion is held to")
    )
    given = parser.parse_args(arguments)
    try:
        status = _run(given)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has seen enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _OK
    return status


def _run(given: argparse.Namespace) -> int:
    if given.command == "predict":
        return predict.run_command(given)
    if given.command in ("corpus", "import"):
        from pytest_pii_eval.plugins_outside import outside_adapter  # noqa: PLC0415  # nothing else needs it
        from pytest_pii_eval.terminating import ended_by_sigterm  # noqa: PLC0415  # as above

        run = corpus.run_command if given.command == "corpus" else import_command.run_command
        with ended_by_sigterm():
            return run(given, outside_adapter)
    if given.command == "freeze":
        return _freeze(given)
    return _check(given.paths, given.bank) if given.command == "check" else _schema(given.name)


def _freeze(given: argparse.Namespace) -> int:
    from pytest_pii_eval.kinds import kind_of  # noqa: PLC0415  # `schema` needs none of these
    from pytest_pii_eval.settings import default_settings  # noqa: PLC0415  # as above
    from pytest_pii_eval.terminating import ended_by_sigterm  # noqa: PLC0415  # as above

    settings = default_settings(Path.cwd())
    with ended_by_sigterm():
        return freeze.run_command(given, lambda path: kind_of(path, settings))


def _check(paths: Sequence[str], bank: str | None) -> int:
    from pytest_pii_eval.contracts.faults import Fault  # noqa: PLC0415  # `schema` needs none of these

    faulty = False
    suite = _suite(bank or _bank_beside(paths))
    for path in paths:
        try:
            for line in _check_path(suite, Path(os.path.normpath(Path.cwd() / path))):
                print(line)  # noqa: T201  # what the command is for
        except Fault as fault:
            faulty = True
            print(fault, file=sys.stderr)  # noqa: T201
    return _FAULTY if faulty else _OK


def _bank_beside(paths: Sequence[str]) -> str | None:
    """Return the `bank.json` of the first directory that has one: what its cases speak about."""
    candidates = (Path(path) / "bank.json" for path in paths)
    return next((str(bank) for bank in candidates if bank.is_file()), None)


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
    """Tell whether a file met in a directory is ours; other JSON and YAML there is somebody else's."""
    return _kind(suite, path) in _OURS or path.name in ("bank.json", "suite.yaml")


def _kind(suite: Suite, path: Path) -> str | None:
    """Return what a file is: by its name, or for other JSON and YAML by what it says it is."""
    from pytest_pii_eval.kinds import kind_of  # noqa: PLC0415

    if path.name == "suite.yaml":
        return "suite"
    if path.suffix in (".yaml", ".yml") and kind_of(path, suite.settings) == "corpora":
        return "corpora"
    if path.suffix in (".yaml", ".yml"):
        return "taxonomy"
    if path.suffix == ".jsonl":
        return kind_of(path, suite.settings) or _kind_of_rows(path)
    return kind_of(path, suite.settings) or (_kind_of_json(path) if path.suffix == ".json" else None)


def _kind_of_rows(path: Path) -> str | None:
    """Tell predictions by their name or their first row: they lie anywhere, under any name."""
    from pytest_pii_eval.contracts.faults import Fault  # noqa: PLC0415
    from pytest_pii_eval.contracts.files import open_input  # noqa: PLC0415

    if fnmatchcase(path.name, "predictions*.jsonl"):
        return "predictions"
    try:
        with open_input(path) as handle:
            return "predictions" if _PREDICTIONS in handle.readline(_LONGEST_HEADER) else None
    except Fault:
        return None


def _kind_of_json(path: Path) -> str:
    from pytest_pii_eval.contracts.faults import Fault  # noqa: PLC0415
    from pytest_pii_eval.contracts.files import read_input  # noqa: PLC0415
    from pytest_pii_eval.contracts.strict_json import parse  # noqa: PLC0415

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
    from pytest_pii_eval.contracts.faults import Fault  # noqa: PLC0415

    shown = suite.settings.shown(path)
    if not path.exists() and not path.is_symlink():
        raise Fault("does not exist", file=shown)
    kind = _kind(suite, path)
    if kind is None:
        raise Fault("is no file of a suite; its name fits none of them", file=shown)
    yield f"{shown}: {_checked(suite, path, kind)}"


def _checked(suite: Suite, path: Path, kind: str) -> str:
    """Check one file and return what it is; raises `Fault`."""
    from pytest_pii_eval.contracts.taxonomy import read_taxonomy  # noqa: PLC0415
    from pytest_pii_eval.reports.read import read_report  # noqa: PLC0415

    alone = _ALONE.get(kind)
    if alone is not None:
        return alone(suite, path)
    if kind in ("positive", "negative"):
        rows = sum(1 for _ in suite.read_cases(path, "positive" if kind == "positive" else "negative"))
        return f"{rows:,} {kind} cases"
    if kind == "taxonomy":
        return f"a taxonomy of {len(read_taxonomy(path, root=suite.settings.root).types):,} types"
    if kind == "report":
        return f"a report on {len(read_report(path).slices):,} slices"
    directory = suite.quality.directory(path.parent, _known_bank(suite))
    if directory is None:
        return "not checked: its directory is at fault"
    documents, shards = len(directory.population), len(directory.shards)
    return f"holds with its directory of {documents:,} documents ({shards} shards)"


def _checked_predictions(suite: Suite, path: Path) -> str:
    from pytest_pii_eval.detectors.replay import Predictions  # noqa: PLC0415

    with closing(Predictions(path, root=suite.settings.root, shown=suite.settings.shown)) as made:
        failed = f", {made.failures.total():,} of them without an answer" if made.failures else ""
        return f"predictions for {len(made):,} documents by {made.name} {made.version}{failed}"


def _checked_corpora(suite: Suite, path: Path) -> str:
    from pytest_pii_eval.contracts.corpora_file import read_corpora  # noqa: PLC0415

    pins = read_corpora(path, root=suite.settings.root).pins.values()
    open_pins = sum(pin.sha256 is None for pin in pins)
    return f"{len(pins)} pinned corpora" + (f", {open_pins} of them without a sha256" if open_pins else "")


def _checked_bank(suite: Suite, path: Path) -> str:
    from pytest_pii_eval.contracts.bank import load_bank  # noqa: PLC0415
    from pytest_pii_eval.contracts.faults import Fault  # noqa: PLC0415
    from pytest_pii_eval.detectors.bank_detector import BankDetector  # noqa: PLC0415

    bank = load_bank(path, root=suite.settings.root)
    try:
        BankDetector(bank)
    except Fault as fault:
        raise fault.at(file=suite.settings.shown(path)) from None
    return f"a bank of {len(bank.patterns):,} active patterns in {len(bank.entities)} entities"


def _checked_bindings(suite: Suite, path: Path) -> str:
    from pytest_pii_eval.contracts.bindings import read_bindings  # noqa: PLC0415

    shown = suite.settings.shown(path)
    bindings = read_bindings(path, root=suite.settings.root, shown=shown, bank=_known_bank(suite))
    return f"{len(bindings):,} catalog bindings; a run says whether they cover its records"


def _known_bank(suite: Suite) -> Bank | None:
    return None if suite.settings.bank is None else suite.known_bank


_ALONE = {
    "bank": _checked_bank,
    "bindings": _checked_bindings,
    "corpora": _checked_corpora,
    "predictions": _checked_predictions,
}


def _schema(name: str | None) -> int:
    from pytest_pii_eval.reports.schemas import SCHEMAS, json_schema  # noqa: PLC0415

    if name is None or name not in SCHEMAS:
        lines = "\n".join(sorted(SCHEMAS))
        print(lines, file=sys.stdout if name is None else sys.stderr)
        return _OK if name is None else _USAGE
    print(json.dumps(json_schema(name), indent=2, sort_keys=True))  # noqa: T201
    return _OK
