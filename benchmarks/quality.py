"""Prints what a whole quality run costs at 2,000 and at 20,000 documents, beside nerb on the same files.

Usage: python benchmarks/quality.py [ROUNDS] [DOCUMENTS]

The documents are short and generated, the bank is the shipped one; there is one slice a class and one of
the documents without gold. Needs nerb beside this package in the environment that runs it. Medians of
ROUNDS (3) runs in turns; DOCUMENTS (2000) is the smaller size. A run of 25 documents (nerb wants five in
each slice) is taken off before times are divided by documents, since starting up and compiling the bank
cost the same for any number.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from processes import in_turns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from processes import Cost

_ROOT = Path(__file__).parents[1]
_BIN = Path(sys.executable).parent
_ALONE = ["-p", "no:html", "-p", "no:pytest_jsonreport", "-p", "no:metadata", "-p", "no:anyio"]
_ALONE += ["-p", "no:hypothesispytest", "-p", "no:randomly", "-p", "no:syrupy", "-p", "no:xdist"]
_GROWTH = 10
_FEW = 25
_ZEROS = "sha256:" + "0" * 64
_CLASSES = ("email", "phone", "iban", "person")
_TEXT = (
    "please ask about the draft before noon and send it back with many thanks order number was late"
    " naïve Zürich résumé “draft” — 12 2024 Monday re-sent A7 floor EU"
)
_WORDS = _TEXT.split(" ")


class Workload(NamedTuple):
    """A suite in a directory and the number of its documents."""

    folder: Path
    documents: int


def write(folder: Path, documents: int) -> Workload:
    """Write a suite of short documents, two gold spans in four of five of them."""
    folder.mkdir()
    rng = random.Random(7)  # noqa: S311  # a seeded workload, not a secret
    shutil.copy(_ROOT / "conformance" / "bank.json", folder / "bank.json")
    slices = [_slice(name, name) for name in _CLASSES] + [_slice("negative", "email")]
    _rows(folder / "quality-slices.jsonl", iter(slices))
    _rows(folder / "quality-records.jsonl", (_record(rng, number) for number in range(documents)))
    return Workload(folder, documents)


def _rows(path: Path, rows: Iterator[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as handle:
        handle.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _slice(slice_id: str, entity_class: str) -> dict[str, Any]:
    scope = {"entity_classes": [entity_class], "document_regions": ["body"]}
    view = {"id": "body", "artifact_sha256": _ZEROS, "content_policy_sha256": _ZEROS}
    return {
        "id": slice_id,
        "label_artifact_id": "generated",
        "label_strength": "independent",
        "annotation_scope": {**scope, "span_policy_sha256": _ZEROS, "exclusions": []},
        "annotation_completeness": "exhaustive_within_scope",
        "entity_class": entity_class,
        "cohort": "all",
        "split_role": "validation",
        "text_view": "body",
        "text_view_descriptor": {
            **view,
            "document_regions": ["body"],
            "primary_for_quality": True,
            "answer_bearing_fields_included": False,
        },
        "promotion_gate": False,
    }


def _record(rng: random.Random, number: int) -> dict[str, Any]:
    document_id = f"doc-{number:07}"
    text, gold = "", []
    chosen = rng.sample(_CLASSES, 2) if number % 5 else []
    for entity_class in (*chosen, None):
        text += " ".join(rng.choices(_WORDS, k=rng.randint(6, 16))) + " "
        if entity_class is not None:
            surface = _surface(rng, entity_class)
            gold.append((len(text), len(text) + len(surface), entity_class))
            text += surface + " "
    document = {
        "document_id": document_id,
        "text": text,
        "text_view": "body",
        "split_role": "validation",
    }
    spans = [
        {
            "document_id": document_id,
            "entity_class": entity_class,
            "start": start,
            "end": end,
            "catalog_identity": None,
        }
        for start, end, entity_class in gold
    ]
    slice_ids = list(_CLASSES) if gold else [*_CLASSES, "negative"]
    return {"document": document, "gold_spans": spans, "slice_ids": slice_ids}


def _surface(rng: random.Random, entity_class: str) -> str:
    if entity_class == "email":
        return f"{rng.choice(_WORDS[:9])}.{rng.randrange(1000)}@example.org"
    if entity_class == "phone":
        return f"202-555-01{rng.randrange(100):02}"
    if entity_class == "iban":
        return f"DE{rng.randrange(10**20):020}"
    return rng.choice(("Tamsin Orlowe", "Pell", "Mira Nobody", "Adam Stranger"))


def commands(workload: Workload) -> dict[str, list[str]]:
    """Return the command of each tool on one suite."""
    folder = workload.folder
    pytest = [str(_BIN / "pytest"), "-q", *_ALONE, "-pno:cacheprovider", f"--rootdir={folder}"]
    nerb = [str(_BIN / "nerb"), "eval-enron-quality", "--bank", str(folder / "bank.json")]
    nerb += ["--records", str(folder / "quality-records.jsonl")]
    nerb += ["--slice-plan", str(folder / "quality-slices.jsonl")]
    name = f"{workload.documents}"
    return {
        f"pytest {name}": [*pytest, f"--pii-bank={folder / 'bank.json'}", str(folder)],
        f"nerb {name}": nerb,
    }


def main() -> None:
    """Generate, run in turns, print."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    small = int(sys.argv[2]) if len(sys.argv) > 2 else 2000  # noqa: PLR2004  # the second argument
    sizes = (_FEW, small, small * _GROWTH)
    with tempfile.TemporaryDirectory(dir=Path.home()) as temporary:
        home = Path(temporary)
        home.chmod(0o700)
        planned: dict[str, list[str]] = {}
        for size in sizes:
            planned |= commands(write(home / str(size), size))
        report(rounds, sizes, in_turns(planned, home, rounds))


def report(rounds: int, sizes: tuple[int, int, int], costs: dict[str, Cost]) -> None:
    """Print costs, then cost a document and growth."""
    packages = ("pytest-pii-eval", "pytest", "nerb")
    print(f"{', '.join(f'{name} {version(name)}' for name in packages)}; medians of {rounds} runs in turns")
    print(f"{'':16}{'wall s':>9}{'CPU s':>9}{'MB':>7}{'CPU µs a document':>20}")
    for name, cost in costs.items():
        tool, documents = name.split(" ")
        each = f"{_each(costs, tool, (_FEW, int(documents))):20.0f}" if int(documents) > _FEW else ""
        print(f"{name:16}{cost.wall:9.2f}{cost.cpu:9.2f}{cost.megabytes:7.0f}{each}")
    _, small, large = sizes
    for tool in ("pytest", "nerb"):
        memory = costs[f"{tool} {large}"].megabytes / costs[f"{tool} {small}"].megabytes
        times = _each(costs, tool, (small, large)) / _each(costs, tool, (sizes[0], small))
        print(f"{tool}: {_GROWTH} times the documents, memory x{memory:.2f}, CPU of each x{times:.2f}")
    ours, theirs = costs[f"pytest {large}"], costs[f"nerb {large}"]
    print(
        f"pytest / nerb at {large}: wall {ours.wall / theirs.wall:.2f}, CPU {ours.cpu / theirs.cpu:.2f},"
        f" memory {ours.megabytes / theirs.megabytes:.2f}"
    )


def _each(costs: dict[str, Cost], tool: str, sizes: tuple[int, int]) -> float:
    """Return the CPU microseconds of each document by which the sizes differ."""
    first, last = (costs[f"{tool} {size}"].cpu for size in sizes)
    return 1e6 * (last - first) / (sizes[1] - sizes[0])


if __name__ == "__main__":
    main()
