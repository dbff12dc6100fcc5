"""Writes small corpus files and reads them with an adapter, the way a pin names it; holds no tests."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pytest_pii_eval.corpora.draft import Unfit
from pytest_pii_eval.corpora.finding import build_adapter

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pii_eval.corpora.draft import Draft


def read(path: Path, name: str, **options: str) -> list[Draft | Unfit]:
    """Everything that the adapter `name` makes of the file."""
    return list(build_adapter(name, options).read(path))


def drafts(path: Path, name: str, **options: str) -> list[Draft]:
    """The drafts of a file in which every row fits."""
    found = read(path, name, **options)
    assert not [one for one in found if isinstance(one, Unfit)]
    return found


def reasons(path: Path, name: str, **options: str) -> list[str]:
    """A word a row: why it does not fit, or `fits`."""
    found = read(path, name, **options)
    return [one.reason if isinstance(one, Unfit) else "fits" for one in found]


def lines_file(folder: Path, *rows: object, name: str = "rows.jsonl") -> Path:
    """A JSON Lines file."""
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8", newline="\n")
    return path


def array_file(folder: Path, *rows: object, name: str = "rows.json") -> Path:
    """A file that is one JSON array."""
    path = folder / name
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def bytes_file(folder: Path, payload: bytes, name: str) -> Path:
    """A file of these bytes."""
    path = folder / name
    path.write_bytes(payload)
    return path
