"""A quality suite whose rows about documents lie in other containers, and in several files."""

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

    from quality_suite import QualityDirectory

PACK = {".jsonl": bytes, ".jsonl.gz": gzip.compress, ".jsonl.zst": zstd.compress}
ENDS = (*PACK, ".parquet")


def write(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Write rows as the name of the file says."""
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(list(rows)), path, row_group_size=2)
        return
    end = next(end for end in PACK if path.name.endswith(end))
    content = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    path.write_bytes(PACK[end](content))


def repack(quality: QualityDirectory, *ends: str, stem: str = "quality-records") -> None:
    """Write records (or the sidecar) of a suite anew, in one file for each end of a name."""
    lines = (quality.path / f"{stem}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    (quality.path / f"{stem}.jsonl").unlink()
    size = -(-len(rows) // len(ends))
    for number, end in enumerate(ends):
        part = rows[number * size : (number + 1) * size]
        write(quality.path / f"{stem}-{number + 1:04}{end}", part)


def unpack(quality: QualityDirectory) -> None:
    """Write the suite anew in plain lines, without the files that packing left."""
    for stem in ("quality-records", "quality-provenance"):
        for path in quality.path.glob(f"{stem}*"):
            path.unlink()
    quality.write()
