"""Computing a pin for a file of the user's own, and writing it down as lines of a corpora file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.artifact import hashed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class Lock(NamedTuple):
    """What a pin says of bytes: how many, and `sha256:` with the hex digest."""

    size: int
    sha256: str


def lock(path: Path) -> Lock:
    """Return what a pin for the file at `path` says, read in blocks; raises `Fault` with its name."""
    found = hashed(path)
    if not found.bytes:
        raise Fault("is empty, so there is nothing to pin", file=path.name)
    return Lock(found.bytes, found.sha256)


def pin_lines(locked: Lock) -> list[str]:
    """Return the two lines of an entry."""
    return [f"bytes: {locked.size}", f"sha256: {locked.sha256.removeprefix('sha256:')}"]


def entry_lines(locked: Lock, *, key: str, adapter: str, path: str) -> list[str]:
    """Return a whole entry for a local file at `path`, relative to the corpora file.

    It claims as little as can be: labels that are types already, weak, and not of everything.
    """
    fields = [
        f"source: {{kind: local, path: {json.dumps(path, ensure_ascii=False)}}}",
        *pin_lines(locked),
        "licence: fill in",
        "redistribution: fill in",
        f"adapter: {adapter}",
        "label_map: types",
        "split_key: document_id",
        "split_role: test",
        "label_strength: structured_weak",
        "annotation_completeness: partial",
        "regions: [body]",
        "languages: [und]",
        "max_quarantined: 0",
    ]
    return [f"  {key}:", *(f"    {field}" for field in fields)]


def relative_to(folder: Path, path: Path) -> str:
    """Return how a corpora file in `folder` names `path`; raises `Fault` where it cannot."""
    if folder not in path.parents:
        raise Fault("lies outside the folder of the corpora file; move it there", file=path.name)
    named = path.relative_to(folder).as_posix()
    if _has_any(named, (":", chr(92))):
        raise Fault("has a colon or backslash on its way, which a corpora file cannot name", file=path.name)
    return named


def _has_any(text: str, characters: Sequence[str]) -> bool:
    return any(character in text for character in characters)
