"""Builds the shipped suite: `bank.json` and the case files, from the tables in `suite_source/`.

Usage: python build_suite.py [OUT_DIR]. Standard library only; the same tables give the same bytes.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from suite_source.bank import bank_document
from suite_source.cases import Bookkeeper, Examples, read_contexts, written_negatives, written_positives
from suite_source.markup import declared
from suite_source.tables import read_bank

if TYPE_CHECKING:
    from collections.abc import Iterable

_HERE = Path(__file__).resolve().parent
_TABLES = _HERE / "suite_source"
_KINDS = ("formats", "names")


def main(out: Path) -> None:
    """Write the bank and the case files into `out`, and print how many rows each holds."""
    tables = {kind: read_bank(_sources(f"bank-{kind}-*.txt")) for kind in _KINDS}
    entities = [entity for kind in _KINDS for entity in tables[kind]]
    keeper = Bookkeeper(entities)
    marked = Counter(path for _, source in _sources("*-*.txt") for path in declared(source))
    examples = Examples(keeper, read_contexts(_read("contexts.txt")), marked)
    _write(out / "bank.json", json.dumps(bank_document(entities), ensure_ascii=False, indent=1) + "\n")
    for kind in _KINDS:
        _write_cases(out, kind, list(examples.rows(tables[kind])))
    written: list[dict[str, Any]] = []
    for _, source in _sources("positive-*.txt"):
        written += written_positives(keeper, source)
    for _, source in _sources("negative-*.txt"):
        written += written_negatives(keeper, source)
    _write_cases(out, "texts", written)


def _sources(pattern: str) -> list[tuple[str, str]]:
    return [(path.name, _read(path.name)) for path in sorted(_TABLES.glob(pattern))]


def _read(name: str) -> str:
    return (_TABLES / name).read_text(encoding="utf-8")


def _write_cases(out: Path, theme: str, rows: Iterable[dict[str, Any]]) -> None:
    sides: dict[str, list[str]] = {"positive": [], "negative": []}
    for row in rows:
        side = "positive" if "expected" in row else "negative"
        sides[side].append(json.dumps(row, ensure_ascii=False) + "\n")
    for side, encoded in sides.items():
        _write(out / f"conformance-{side}-{theme}.jsonl", "".join(encoded))
        print(f"conformance-{side}-{theme}.jsonl: {len(encoded)} rows")


def _write(path: Path, text: str) -> None:
    path.write_bytes(text.encode("utf-8"))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else _HERE)
