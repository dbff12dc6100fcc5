"""Builds the shipped quality suite: records, slices, gaps and sidecars, from `suite_source/quality/`.

Usage: python build_quality.py [OUT_DIR]. Standard library only; the same tables give the same bytes.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from suite_source.plan import read_gaps, read_plan, read_policies, slice_row
from suite_source.records import active_paths, provenance_row, read_documents, record_row, texts_commitment
from suite_source.tables import read_bank

if TYPE_CHECKING:
    from collections.abc import Iterable

_HERE = Path(__file__).resolve().parent
_BANK_TABLES = _HERE / "suite_source"
_TABLES = _BANK_TABLES / "quality"
# Two families of files: slices of one class, which nerb takes too, and slices of scopes of our own.
_FAMILIES = ("", "-scopes")


def main(out: Path) -> None:
    """Write the files into `out`, and print how many rows each holds."""
    banks = [(path.name, path.read_text("utf-8")) for path in sorted(_BANK_TABLES.glob("bank-*.txt"))]
    paths = active_paths(read_bank(banks))
    policies = read_policies(_read("policies.txt"))
    plans = {family: read_plan(_read(f"plan{family}.txt")) for family in _FAMILIES}
    documents = {
        family: read_documents(_read(f"records{family}.txt"), family.replace("-", "."))
        for family in _FAMILIES
    }
    artifact = texts_commitment(one for family in _FAMILIES for one in documents[family])
    for family in _FAMILIES:
        by_id = {plan.id: plan for plan in plans[family]}
        rows = [record_row(document, by_id, paths) for document in documents[family]]
        slices = [slice_row(plan, policies, artifact) for plan in plans[family]]
        _write(out / f"quality-records{family}.jsonl", rows)
        _write(out / f"quality-slices{family}.jsonl", slices)
        _write(out / f"quality-provenance{family}.jsonl", map(provenance_row, documents[family]))
    _write(out / "unsupported-slices.jsonl", read_gaps(_read("unsupported.txt")))


def _read(name: str) -> str:
    return (_TABLES / name).read_text("utf-8")


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    encoded = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    path.write_bytes("".join(encoded).encode("utf-8"))
    print(f"{path.name}: {len(encoded)} rows")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else _HERE)
