"""The command `pii-eval`: its subcommands, and what runs each."""

from __future__ import annotations

import argparse
import json
import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pii_eval.arguments import complain
from pytest_pii_eval.cluster import arguments as run_arguments
from pytest_pii_eval.corpora import command as corpus
from pytest_pii_eval.corpora import import_command
from pytest_pii_eval.freezes import command as freeze
from pytest_pii_eval.predicting import command as predict
from pytest_pii_eval.reports import compare_command as compare
from pytest_pii_eval.reports import render_command as render

if TYPE_CHECKING:
    from collections.abc import Sequence


_OK, _FAULTY, _USAGE, _INTERRUPTED = 0, 1, 2, 130


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
    run_arguments.add_arguments(
        commands.add_parser("run", help="hold a bank or a detector to a suite, here or on a cluster")
    )
    predicting = commands.add_parser(
        "predict", help="write what a detector finds in a suite, to be scored without it"
    )
    predict.add_arguments(predicting)
    run_arguments.add_cluster_arguments(predicting)
    corpus.add_arguments(commands.add_parser("corpus", help="fetch, prepare and check pinned corpora"))
    import_command.add_arguments(
        commands.add_parser("import", help="make a quality suite of an export of your own")
    )
    freeze.add_arguments(
        commands.add_parser("freeze", help="split suites, seal them, and check what a promotion is held to")
    )
    compare.add_arguments(
        commands.add_parser("compare", help="say what moved between two runs on the same gold")
    )
    render.add_arguments(commands.add_parser("render", help="make Markdown or HTML of a report"))
    given = parser.parse_args(arguments)
    try:
        status = _run(given)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has seen enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _OK
    return status


def _run(given: argparse.Namespace) -> int:
    if given.command in ("run", "predict"):
        return _asked(given)
    if given.command in ("corpus", "import"):
        from pytest_pii_eval.plugins_outside import outside_adapter  # noqa: PLC0415  # nothing else needs it
        from pytest_pii_eval.terminating import ended_by_sigterm  # noqa: PLC0415  # as above

        run = corpus.run_command if given.command == "corpus" else import_command.run_command
        with ended_by_sigterm():
            return run(given, outside_adapter)
    if given.command == "freeze":
        return _freeze(given)
    if given.command in ("compare", "render"):
        return compare.run_command(given) if given.command == "compare" else render.run_command(given)
    if given.command == "check":
        from pytest_pii_eval.checking import check  # noqa: PLC0415  # `schema` needs none of it

        return _OK if check(given.paths, given.bank) else _FAULTY
    return _schema(given.name)


def _asked(given: argparse.Namespace) -> int:
    if given.command == "predict" and given.cluster is None:
        if given.batch_bytes is not None:
            complain("pii-eval predict: --batch-bytes goes with --cluster")
            return _USAGE
        return predict.run_command(given)
    from pytest_pii_eval.cluster import command  # noqa: PLC0415  # nothing else needs it

    return command.run_command(given) if given.command == "run" else command.predict_command(given)


def _freeze(given: argparse.Namespace) -> int:
    from pytest_pii_eval.kinds import kind_of  # noqa: PLC0415  # `schema` needs none of these
    from pytest_pii_eval.settings import default_settings  # noqa: PLC0415  # as above
    from pytest_pii_eval.terminating import ended_by_sigterm  # noqa: PLC0415  # as above

    settings = default_settings(Path.cwd())
    with ended_by_sigterm():
        return freeze.run_command(given, lambda path: kind_of(path, settings))


def _schema(name: str | None) -> int:
    from pytest_pii_eval.reports.schemas import SCHEMAS, json_schema  # noqa: PLC0415

    if name is None or name not in SCHEMAS:
        lines = "\n".join(sorted(SCHEMAS))
        print(lines, file=sys.stdout if name is None else sys.stderr)
        return _OK if name is None else _USAGE
    print(json.dumps(json_schema(name), indent=2, sort_keys=True))  # noqa: T201
    return _OK
