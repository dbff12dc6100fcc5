"""Writing the report: sorted keys, UTF-8, LF, a temporary file moved into place."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

MARKDOWN_MARKS: Final = (b"<!-- pii-eval report -->", b"<!-- pii-eval comparison -->")
"""One of these is the last line of each Markdown page of ours."""

HTML_MARK: Final = b'<meta name="generator" content="pytest-pii-eval">'
"""What the head of each HTML page of ours holds."""

_VERSION: Final = b'"schema_version": "pii_eval.%b.v'
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
    if payload.lstrip()[:15].lower() == b"<!doctype html>":
        return HTML_MARK in payload[:_HEAD]
    return not payload or payload.rstrip().endswith(MARKDOWN_MARKS) or _is_record(payload, b"comparison")


def is_report(path: Path) -> bool:
    """Whether a report may be written to the file `path`: it holds one, or nothing."""
    payload = path.read_bytes()
    return not payload or _is_record(payload, b"report")


def is_baseline(path: Path) -> bool:
    """Whether a snapshot may be written to the file `path`: it holds one, or a report, or nothing."""
    return is_report(path) or _is_record(path.read_bytes(), b"snapshot")


def _is_record(payload: bytes, kind: bytes) -> bool:
    return payload.startswith(b"{") and _VERSION % kind in payload


def withdraw(path: Path) -> None:
    """Remove the report of an earlier run, and no other file: a run may die before it writes its own."""
    try:
        if path.is_file() and not path.is_symlink() and path.stat().st_size and is_report(path):
            path.unlink()
    except OSError:
        return  # who cannot remove it will not be able to replace it either, and that is told


def _umask() -> int:
    """Return the mask for new files; asking for it means setting it for a moment."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
