"""Six times the documents take no more memory: census, shards and report, counted by tracemalloc."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

from quality_suite import origin, record, slice_row

if TYPE_CHECKING:
    from pathlib import Path

ANNA = ("Anna", "person")

# In a process of its own: what other tests left would count, too.
PROGRAM = """
import gc, sys, tracemalloc
from functools import partial
from pytest_pii_eval import Detection, Span, evaluate
from pytest_pii_eval.collection.quality import directory

class First:
    name, version, offset_unit = "first", "1", "codepoint"

    def fingerprint(self):
        return "sha256:" + "0" * 64

    def detect(self, text):
        return Detection((Span(0, text.index(" "), "person"),))

directory.Population = partial(directory.Population, kept=500)
directory.Coverage = partial(directory.Coverage, kept=500)
directory.Cutter = partial(directory.Cutter, most=3)
for folder in sys.argv[1:]:
    gc.freeze()
    gc.collect()
    tracemalloc.start()
    report = evaluate(folder, First(), shard_size=100)
    print(report.slices["people"].counts["documents"], tracemalloc.get_traced_memory()[1])
    tracemalloc.stop()
"""


def write(folder: Path, documents: int) -> Path:
    """Write records of one gold span each, and where each comes from."""
    folder.mkdir()
    rows = {
        "slices": [slice_row("people", "person")],
        "records": (record(name(number), "Anna is in.", ["people"], ANNA) for number in range(documents)),
        "provenance": (origin(name(number)) for number in reversed(range(documents))),
    }
    for kind, values in rows.items():
        with (folder / f"quality-{kind}.jsonl").open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(value) + "\n" for value in values)
    return folder


def name(number: int) -> str:
    """Return the id of a document."""
    return f"doc-{number:06}"


def test_memory_does_not_follow_the_number_of_documents(tmp_path: Path) -> None:
    """With bounds as far below the smaller suite as they are in a suite of millions, it takes as much."""
    small, large = write(tmp_path / "small", 1_500), write(tmp_path / "large", 9_000)
    folders = map(str, (small, small, large))  # the first time it imports and fills caches
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, *folders], capture_output=True, text=True, check=True
    )
    found = [tuple(map(int, line.split())) for line in ran.stdout.splitlines()]
    assert [documents for documents, _ in found] == [1_500, 1_500, 9_000]
    assert found[2][1] <= 1.2 * found[1][1]
