"""Small corpus files for the tests of rows and adapters: builders, and what an adapter made of one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from pytest_pii_eval.corpora.draft import Draft, Unfit
from pytest_pii_eval.corpora.finding import build_adapter

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path


def lines(path: Path, rows: Iterable[object]) -> Path:
    """Write a row a line."""
    path.write_text(
        "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8", newline="\n"
    )
    return path


def array(path: Path, rows: list[Any]) -> Path:
    """Write one array."""
    path.write_text(json.dumps(rows, ensure_ascii=False, indent=1), "utf-8", newline="\n")
    return path


def parquet(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write a Parquet file of one row group."""
    pq.write_table(pa.Table.from_pylist(rows), path)
    return path


def read(name: str, path: Path, options: Mapping[str, str] | None = None) -> list[Draft | Unfit]:
    """Return all that the adapter makes of the file."""
    return list(build_adapter(name, options or {}).read(path))


def drafts(name: str, path: Path, options: Mapping[str, str] | None = None) -> list[Draft]:
    """Return the drafts where every row is one."""
    made = read(name, path, options)
    assert [one for one in made if isinstance(one, Unfit)] == []
    return [one for one in made if isinstance(one, Draft)]


def reasons(name: str, path: Path, options: Mapping[str, str] | None = None) -> list[str]:
    """Return why each row is none, and `draft` for a draft."""
    return [one.reason if isinstance(one, Unfit) else "draft" for one in read(name, path, options)]
