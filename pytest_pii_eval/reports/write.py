"""Writing the report: sorted keys, UTF-8, LF, a temporary file moved into place."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

_MARK = b'"pii_eval.report.v'

MARKS: Final = (
    b"<!-- pii-eval report -->",
    b"<!-- pii-eval comparison -->",
    b'<meta name="generator" content="pytest-pii-eval">',
    b'"schema_version": "pii_eval.comparison.v',
)
"""One of these is in the head of each page and comparison of ours, or its last line."""

_RECORDS: Final = (_MARK, b'"pii_eval.snapshot.v')
_HEAD: Final = 4096  # bytes

if TYPE_CHECKING:
    from pytest_pii_eval.reports.model import Report


def render_json(report: Report) -> str:
    """Return the report as indented JSON with sorted keys and a final line feed."""
    document = report.model_dump(mode="json")
    return json.dumps(document, ensure_ascii=False, sort_keys=True, indent=2, allow_nan=False) + "\n"


def write_atomically(path: Path, text: str) -> None:
    """Write `text` to `path` so that a reader sees the old file or the new one, never a part.

    Raises `OSError` where the disk refuses; the temporary file is gone then.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as handle:
            handle.write(text)
            handle.flush()
            os.fsync(handle.fileno())
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def is_page(path: Path) -> bool:
    """Whether a page or a comparison may be written to the file `path`: it holds one of ours, or nothing."""
    payload = path.read_bytes()
    head, end = payload[:_HEAD], payload[-_HEAD:].rstrip()
    return not payload or any(mark in head or end.endswith(mark) for mark in MARKS)


def is_record(path: Path) -> bool:
    """Whether a report or a snapshot may be written to the file `path`: it holds one of ours, or nothing."""
    payload = path.read_bytes()
    return not payload or (payload.startswith(b"{") and any(mark in payload for mark in _RECORDS))


def withdraw(path: Path) -> None:
    """Remove the report of an earlier run, and no other file: a run may die before it writes its own."""
    try:
        if path.is_file() and not path.is_symlink() and _MARK in path.read_bytes():
            path.unlink()
    except OSError:
        return  # who cannot remove it will not be able to replace it either, and that is told


def _umask() -> int:
    """Return the mask for new files; asking for it means setting it for a moment."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
