"""The arguments of `pii-eval run`, and the settings that they come to; nothing runs here."""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pytest_pii_eval.arguments import path_of
from pytest_pii_eval.predicting.arguments import add_subject_arguments, is_decimal

if TYPE_CHECKING:
    from pytest_pii_eval.settings import Settings

BATCH_BYTES: Final = 8 * 1024 * 1024
"""Bytes of a batch, unless somebody asks for another size."""

_GATES: Final = (
    ("max-leaks", "COUNT", "gold spans of a slice that may leak"),
    ("max-leaking-documents", "COUNT", "documents of a slice that may leak"),
    ("min-containment", "RATE", "share of gold spans that must be covered whole"),
    ("min-masking-precision", "RATE", "share of masked characters that must be gold"),
    ("min-recall", "RATE", "exact typed recall that a slice must reach"),
    ("max-unmapped", "COUNT", "predictions whose label may be outside the label map"),
    ("max-dropped", "COUNT", "predictions with invalid offsets (default: 0)"),
)
_FILES: Final = (
    ("report", "where the aggregate JSON report goes (default: .pii_eval/report.json)"),
    ("markdown", "write the report as Markdown"),
    ("html", "write the report as one HTML page"),
    ("baseline", "compare with this report or snapshot; a regression fails the run"),
)
_LOCAL: Final = re.compile(r"local:([1-9][0-9]{0,3})", re.ASCII)
MAX_BATCH: Final = 1 << 40
"""Bytes of the largest batch that may be asked for."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("suite", metavar="SUITE", help="a folder with a suite, or a URL that fsspec reads")
    add_cluster_arguments(parser)
    add_subject_arguments(parser)
    parser.add_argument(
        "--label-map", metavar="NAME", help="label map of the taxonomy for the detector's labels"
    )
    parser.add_argument(
        "--types", type=_names, default=frozenset(), metavar="NAMES", help="score only these types"
    )
    parser.add_argument(
        "--max-predictions", type=_whole, metavar="COUNT", help="predictions that the run may come to"
    )
    parser.add_argument(
        "--gate-output", choices=("selected", "protection"), help="ranges that masking gates judge"
    )
    for name, metavar, text in _GATES:
        kind = _rate if metavar == "RATE" else _limit
        parser.add_argument(f"--{name}", type=kind, metavar=metavar, help=f"gate: {text}")
    for name, text in _FILES:
        parser.add_argument(f"--{name}", metavar="FILE", help=text)
    parser.add_argument("--quiet", action="store_true", help="show no progress bar")


def local_workers(address: str) -> int | None:
    """Return how many workers `local:N` asks for, or None for the address of a scheduler."""
    found = _LOCAL.fullmatch(address)
    return None if found is None else int(found[1])


def add_cluster_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare where batches run, and how large they are."""
    parser.add_argument(
        "--cluster",
        type=_address,
        metavar="ADDRESS",
        help="a dask scheduler (tcp://, tls:// or its file), or local:N for N processes here",
    )
    parser.add_argument(
        "--batch-bytes", type=_whole, metavar="N", help=f"bytes of a batch (default: {BATCH_BYTES:,})"
    )


def usage(given: argparse.Namespace) -> str | None:
    """Return what makes no sense together, or None."""
    if given.detector is None and given.bank is None:
        return "give --bank, or the --detector under test"
    if given.detector is None and (given.detector_option or given.label_map):
        return "--detector-option and --label-map go with --detector"
    if given.detector is not None and given.engine is not None:
        return "--engine goes with a --bank alone"
    if given.baseline is not None and not _is_file(given.baseline):
        return "--baseline: names no file"
    return None


def settings_of(given: argparse.Namespace) -> Settings:
    """Return the settings of a run in the working directory."""
    from pytest_pii_eval.settings import Outputs, default_settings  # noqa: PLC0415  # `--help` needs none of it

    root = Path.cwd()
    files = {
        name: None if getattr(given, name) is None else path_of(getattr(given, name), root)
        for name, _ in _FILES
    }
    report = files.pop("report")
    gates = {name: getattr(given, name.replace("-", "_")) for name, _, _ in _GATES}
    gates["max-dropped"] = gates["max-dropped"] or "0"
    changes: dict[str, Any] = {
        "bank": None if given.bank is None else path_of(given.bank, root),
        "detector": given.detector,
        "detector_options": tuple(dict(given.detector_option).items()),
        "label_map": given.label_map,
        "document_timeout": given.timeout,
        "module_paths": (str(root),),
        "types": given.types,
        "gates": tuple((name, limit) for name, limit in gates.items() if limit is not None),
        "outputs": Outputs(**files),  # type: ignore[arg-type]  # by field name
    }
    if report is not None:
        changes |= {"report": report, "report_is_default": False}
    for name in ("engine", "gate_output", "max_predictions"):
        if getattr(given, name) is not None:
            changes[name] = getattr(given, name)
    if given.detector is None and given.timeout is not None:
        changes |= {"time_limit": given.timeout, "document_timeout": None}
    return default_settings(root, **changes)


def _is_file(name: str) -> bool:
    """Whether there is a file of this name, which may be longer than the system takes."""
    return os.path.isfile(name)  # noqa: PTH113  # Path.is_file raises for such a name


def _limit(text: str) -> str:
    if text != "open" and not is_decimal(text):
        raise argparse.ArgumentTypeError("must be a plain decimal number such as 0.95, or open")
    return text


def _rate(text: str) -> str:
    if _limit(text) != "open" and float(text) > 1:
        raise argparse.ArgumentTypeError("is a share; nothing reaches more than 1")
    return text


def _whole(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 0 < int(text) <= min(MAX_BATCH, sys.maxsize):
        raise argparse.ArgumentTypeError("must be an integer above 0")
    return int(text)


def _address(text: str) -> str:
    if local_workers(text) is None and "://" not in text and not _is_file(text):
        raise argparse.ArgumentTypeError(
            "must be tcp://host:port, tls://host:port, a scheduler file, or local:N"
        )
    return text


def _names(text: str) -> frozenset[str]:
    return frozenset(filter(None, text.replace(" ", "").split(",")))
