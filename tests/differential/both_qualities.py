"""One quality suite in a directory, as nerb evaluates it and as we do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from nerb import enron_quality

from pytest_pii_eval import BankDetector, evaluate
from pytest_pii_eval.contracts.bank import parse_bank

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from generated_slices import QualitySuite

    from pytest_pii_eval.reports.model import Report


def write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Write one JSON Lines file."""
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    path.write_text("".join(lines), encoding="utf-8", newline="\n")


def write_suite(folder: Path, suite: QualitySuite) -> None:
    """Write the files of a generated suite; `contact` and `ref` are no types of the built-in taxonomy."""
    write_rows(folder / "quality-records.jsonl", suite.records)
    write_rows(folder / "quality-slices.jsonl", suite.slices)
    types = {"person": "identity", "place": "location", "contact": "contact", "ref": "gov_id"}
    (folder / "taxonomy.json").write_text(json.dumps({"version": "1", "types": types}), encoding="utf-8")
    (folder / "suite.yaml").write_text("taxonomy: taxonomy.json\n", encoding="utf-8")


def by_nerb(folder: Path, bank: dict[str, Any], *, unsupported: Path | None = None) -> dict[str, Any]:
    """Return what nerb says of the files in `folder`."""
    result: dict[str, Any] = enron_quality.evaluate_enron_quality_files(
        bank,
        records_path=folder / "quality-records.jsonl",
        slice_specs_path=folder / "quality-slices.jsonl",
        unsupported_slice_specs_path=unsupported,
    )
    return result


def by_us(folder: Path, bank: dict[str, Any], **options: Any) -> Report:
    """Return our report of the same."""
    return evaluate(folder, BankDetector(parse_bank(bank)), **options)
