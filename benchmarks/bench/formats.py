"""Whole quality runs on records as JSON Lines, gzip, zstd and Parquet, where they are taken."""

from __future__ import annotations

import gzip
import json
import shutil
from typing import TYPE_CHECKING, Any

from bench.commands import CHEAP, pytest, write_detectors
from bench.costs import Broken, in_turns, run
from bench.plan import child, written
from bench.rows import Check, Row, row

if TYPE_CHECKING:
    from pathlib import Path

    from bench.costs import Command
    from bench.plan import Plan

_DOCUMENTS = 20_000
_NAMES = {
    "JSON Lines": "jsonl",
    "gzip": "jsonl.gz",
    "zstd": "jsonl.zst",
    "Parquet": "parquet",
}


def measure(plan: Plan) -> list[Row]:
    """Return a row a format, with the size of its file and its wall time beside that of plain lines."""
    documents = plan.size(_DOCUMENTS)
    folders = {name: plan.new_folder(f"format-{at}") for at, name in enumerate(_NAMES)}
    commands = {name: _written(folder, _NAMES[name], documents) for name, folder in folders.items()}
    taken = {name: command for name, command in commands.items() if command is not None}
    found = in_turns(taken, plan.rounds)
    base = found["JSON Lines"]
    return [
        row(
            (f"{documents:,} documents, a cheap detector", f"pytest, {name}"),
            cost,
            Check("MB of records", (folders[name] / f"quality-records.{_NAMES[name]}").stat().st_size / 1e6),
            Check("CPU / JSON Lines", cost.cpu / base.cpu),
        )
        for name, cost in found.items()
    ]


def _written(folder: Path, suffix: str, documents: int) -> Command | None:
    """Write a suite; return its run, or nothing where the format is refused or cannot be written."""
    write_detectors(folder)
    written("bench.documents:write_documents", folder, documents=documents)
    plain = folder / "quality-records.jsonl"
    if suffix != "jsonl":
        child("bench.formats:convert", plain=str(plain), suffix=suffix)
        plain.unlink()
    command = pytest(folder, f"--pii-detector={CHEAP}", ".")
    try:
        run(command)
    except Broken as broken:
        print(f"formats: {suffix} is refused: {str(broken).splitlines()[-1]}", flush=True)
        return None
    return command


def convert(plain: str, suffix: str) -> dict[str, Any]:
    """Write the records of a file in another format beside it, in this process."""
    target = plain.removesuffix("jsonl") + suffix
    with open(plain, "rb") as source:  # noqa: PTH123  # a path as text came in
        if suffix == "parquet":
            _parquet(target, [json.loads(line) for line in source])
        else:
            with _opened(target) as output:
                shutil.copyfileobj(source, output)
    return {}


def _opened(target: str) -> Any:
    if target.endswith(".gz"):
        return gzip.open(target, "wb")
    from backports import zstd  # noqa: PLC0415  # optional

    return zstd.open(target, "wb")


def _parquet(target: str, rows: list[dict[str, Any]]) -> None:
    import pyarrow as pa  # noqa: PLC0415  # optional
    import pyarrow.parquet as pq  # noqa: PLC0415  # optional

    pq.write_table(pa.Table.from_pylist(rows), target)
