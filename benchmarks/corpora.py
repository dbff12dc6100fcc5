"""Prints how fast corpora are read, prepared and verified, and in how much memory.

Usage: python benchmarks/corpora.py [ROWS] [ROUNDS]

Texts are generated, some 1,800 characters and eight spans each (short ones: 300 and three), half of them in
ASCII alone; the Parquet file has one row group. 200,000 (ROWS) rows make a Parquet file of about 160 MB and
the others of about half a gigabyte. Each step has a process of its own; CPU seconds of the best of ROUNDS (2)
count, since wall time follows the load of the machine. Needs pyarrow. The last column says by how much memory
grew from a tenth of the rows.
"""

from __future__ import annotations

import hashlib
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_pii_eval.contracts.corpora_file import parse_corpora
from pytest_pii_eval.contracts.taxonomy import default_taxonomy
from pytest_pii_eval.corpora.cache import Cache
from pytest_pii_eval.corpora.finding import build_adapter
from pytest_pii_eval.corpora.prepare import prepare
from pytest_pii_eval.corpora.recipe import make_recipe
from pytest_pii_eval.corpora.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pytest_pii_eval.corpora.recipe import Recipe

_TENTH = 10
_POOL = 2_000
_LABELS = ["first_name", "last_name", "user_name", "email", "street_address", "date_of_birth", "url", "pin"]
_WORDS = ["please", "send", "the", "draft", "before", "noon", "and", "ask", "about", "it", "with", "thanks"]
_ACCENTED = [*_WORDS, "naïve", "Zürich", "résumé", "“draft”", "—"]
_SURFACES = (
    "Tamsin",
    "Orlowe",
    "O'Nowhere",
    "t.orlowe@example.org",
    "12 Nowhere Lane",
    "2024-02-30",
    41_017_233,
)
_UNIT = 1024 * 1024 if sys.platform == "darwin" else 1024


class Workload(NamedTuple):
    """A corpus file: who writes it, and the adapter that reads it."""

    file: str
    write: Callable[[Path, Iterator[dict[str, Any]]], None]
    adapter: str
    options: Mapping[str, str]
    spans: int = 8
    stretch: int = 240


def rows(number: int, workload: Workload) -> Iterator[dict[str, Any]]:
    """Yield generated rows; no two have the same text."""
    rng = random.Random(7)  # noqa: S311  # a seeded workload, not a secret
    pool = [_row(rng, _WORDS if at % 2 else _ACCENTED, workload) for at in range(min(_POOL, number))]
    for at in range(number):
        text, spans = pool[at % len(pool)]
        yield {
            "uid": f"{at // 2:08x}",
            "locale": ("us", "intl")[at % 2],
            "text": f"{text}{at}",
            "spans": spans,
        }


def _row(rng: random.Random, words: list[str], workload: Workload) -> tuple[str, list[dict[str, Any]]]:
    text, spans = "", []
    for at in range(workload.spans):
        text += " ".join(rng.choices(words, k=workload.stretch // 6)) + " "
        surface = rng.choices(_SURFACES, [8, 8, 1, 8, 8, 8, 3])[0]
        end = len(text) + len(str(surface))
        spans.append({"start": len(text), "end": end, "text": surface, "label": _LABELS[at]})
        text += f"{surface} "
    return text, spans


def _parquet(path: Path, generated: Iterator[dict[str, Any]]) -> None:
    import pyarrow as pa  # noqa: PLC0415  # only the process that writes needs it from the start
    import pyarrow.parquet as pq  # noqa: PLC0415  # the same

    table = pa.Table.from_pylist([row | {"spans": repr(row["spans"])} for row in generated])
    pq.write_table(table, path, row_group_size=len(table))


def _lines(path: Path, generated: Iterator[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as handle:
        handle.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in generated)


def _array(path: Path, generated: Iterator[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as handle:
        for at, row in enumerate(generated):
            handle.write(("," if at else "[") + json.dumps(_task(at, row), ensure_ascii=False))
        handle.write("]")


def _task(at: int, row: dict[str, Any]) -> dict[str, Any]:
    values = [
        {"start": one["start"], "end": one["end"], "text": str(one["text"]), "labels": [one["label"]]}
        for one in row["spans"]
    ]
    result = [{"id": "r", "from_name": "l", "to_name": "t", "type": "labels", "value": one} for one in values]
    return {"id": at, "data": {"text": row["text"]}, "annotations": [{"completed_by": 1, "result": result}]}


_IDS = {"document_id": "uid+locale", "value": "text"}
WORKLOADS = {
    "Parquet, repr": Workload("a.parquet", _parquet, "spans", _IDS),
    "JSON Lines, lists": Workload("a.jsonl", _lines, "spans", _IDS),
    "JSON Lines, short": Workload("a.jsonl", _lines, "spans", _IDS, spans=3, stretch=90),
    "JSON, Label Studio": Workload("a.json", _array, "label-studio", {}),
}


def read(workload: Workload, path: Path) -> None:
    """Make the drafts of the file, and keep none."""
    deque(build_adapter(workload.adapter, workload.options).read(path), maxlen=0)


def prepare_suite(workload: Workload, path: Path) -> None:
    """Hash the file, and write the whole suite into a cache of its own."""
    with tempfile.TemporaryDirectory(dir=path.parent) as cache:
        prepare(_recipe(workload, path), path, Cache(Path(cache, "cache")))


def verify_suite(workload: Workload, path: Path) -> None:
    """Make the suite in a process of its own, and verify it here down to its artifact."""
    cache = path.with_suffix(".cache")
    if not cache.exists():
        name = next(name for name, one in WORKLOADS.items() if one == workload)
        run("--keep", name, str(path))
    verify(_recipe(workload, path), Cache(cache), path)


def keep(name: str, path: Path) -> None:
    """Make the suite, and keep it beside the file."""
    prepare(_recipe(WORKLOADS[name], path), path, Cache(path.with_suffix(".cache")))


def _recipe(workload: Workload, path: Path) -> Recipe:
    with path.open("rb") as handle:
        digest = hashlib.file_digest(handle, "sha256").hexdigest()
    pin = {
        "source": {"kind": "local", "path": path.name},
        "bytes": str(path.stat().st_size),
        "sha256": digest,
        "licence": "generated",
        "redistribution": "generated",
        "adapter": workload.adapter,
        "options": dict(workload.options),
        "label_map": "nemotron_pii",
        "split_key": "document_id",
        "split_role": "test",
        "label_strength": "independent",
        "annotation_completeness": "exhaustive_within_scope",
        "regions": ["document"],
        "languages": ["en"],
        "max_quarantined": "0",
    }
    document = {"version": "pii_eval.corpora.v1", "corpora": {"bench": pin}}
    corpora = parse_corpora(document, path.parent / "corpora.yaml", default_taxonomy())
    adapter = build_adapter(workload.adapter, workload.options)
    return make_recipe(corpora.pins["bench"], adapter, corpora.taxonomy)


# What is done with a file, by name: another step is another function here.
STEPS: dict[str, Callable[[Workload, Path], None]] = {
    "read": read,
    "prepare": prepare_suite,
    "verify": verify_suite,
}


def measure(step: str, name: str, path: Path) -> dict[str, float]:
    """Return the CPU seconds of one step in this process, and its peak memory in megabytes."""
    begun = time.process_time()
    STEPS[step](WORKLOADS[name], path)
    seconds = time.process_time() - begun
    return {"cpu": seconds, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _UNIT}


def run(*arguments: str) -> str:
    """Run this script in a process of its own: a child's peak memory starts with that of its parent."""
    command = [sys.executable, __file__, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def best(step: str, name: str, path: Path, *, rounds: int) -> dict[str, float]:
    """Return the smallest CPU seconds and the largest memory of `rounds` processes."""
    found = [json.loads(run("--measure", step, name, str(path))) for _ in range(rounds)]
    return {"cpu": min(one["cpu"] for one in found), "peak": max(one["peak"] for one in found)}


def report(name: str, number: int, rounds: int) -> None:
    """Generate one workload in two sizes, run every step, and print a line each."""
    with tempfile.TemporaryDirectory(dir=Path.home()) as temporary:
        small, large = (Path(temporary, f"{size}-{WORKLOADS[name].file}") for size in ("small", "large"))
        run("--write", name, str(small), str(number // _TENTH))
        run("--write", name, str(large), str(number))
        for step in STEPS:
            few, many = best(step, name, small, rounds=1), best(step, name, large, rounds=rounds)
            print(
                f"{name:20}{step:10}{large.stat().st_size / 1e6:9.0f}{many['cpu']:9.2f}"
                f"{number / many['cpu']:13,.0f}{many['peak']:9.0f}{many['peak'] / few['peak']:9.2f}"
            )


def main() -> None:
    """Write or measure in this process, or do all of it in processes of their own."""
    if sys.argv[1:2] == ["--write"]:
        name, path, number = sys.argv[2:]
        WORKLOADS[name].write(Path(path), rows(int(number), WORKLOADS[name]))
        return
    if sys.argv[1:2] == ["--keep"]:
        keep(sys.argv[2], Path(sys.argv[3]))
        return
    if sys.argv[1:2] == ["--measure"]:
        step, name, path = sys.argv[2:]
        print(json.dumps(measure(step, name, Path(path))))
        return
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 2  # noqa: PLR2004  # the second argument
    print(f"{'':20}{'step':10}{'file MB':>9}{'CPU s':>9}{'rows a CPU s':>13}{'peak MB':>9}{'growth':>9}")
    for name in WORKLOADS:
        report(name, number, rounds)


if __name__ == "__main__":
    main()
