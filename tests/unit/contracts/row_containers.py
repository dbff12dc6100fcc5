"""Rows written in every container, by the libraries that other people write them with."""

from __future__ import annotations

import gzip
import json
import sys
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

NAMES = ("rows.jsonl", "rows.jsonl.gz", "rows.jsonl.zst", "rows.parquet")
PACKED = {".gz": gzip.compress, ".zst": zstd.compress}


def lines(rows: Sequence[Any]) -> bytes:
    """Return rows as JSON Lines."""
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def write(path: Path, rows: Sequence[Any], *, members: int = 1) -> Path:
    """Write `rows` as the name of `path` says, in so many members, frames or row groups."""
    size = -(-len(rows) // members) or 1
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(list(rows)), path, row_group_size=size)
        return path
    parts = [lines(rows[at : at + size]) for at in range(0, len(rows), size)] or [b""]
    pack = PACKED.get(path.suffix, bytes)
    path.write_bytes(b"".join(pack(part) for part in parts))
    return path


def record(number: int, text: str | None = None) -> dict[str, Any]:
    """Return a record with one gold span, which every second one has an identity for."""
    known = {"entity_id": "person", "name_id": "ada-moe", "pattern_id": "full"}
    return {
        "document": {
            "document_id": f"doc-{number}",
            "text": f"Ada Moe wrötë {number}." if text is None else text,
            "text_view": "body",
            "split_role": "test",
        },
        "gold_spans": [
            {
                "document_id": f"doc-{number}",
                "entity_class": "person",
                "start": 0,
                "end": 7,
                "catalog_identity": known if number % 2 else None,
            }
        ],
        "slice_ids": ["everyone", "person_all"],
    }


__all__ = ["NAMES", "PACKED", "lines", "record", "write", "zstd"]
