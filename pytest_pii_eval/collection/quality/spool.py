"""What became of the documents of a shard, kept in a private file until the run ends; no text in it."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, BinaryIO, Final, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.scoring.outcomes import outcome_of
from pytest_pii_eval.wire import OUTCOMES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pytest_pii_eval.collection.quality.books import Asked
    from pytest_pii_eval.collection.quality.shards import Scoring, Shard
    from pytest_pii_eval.scoring.documents import Document

_NEW: Final = (
    os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
)


@final
class Spool:
    """The open file of one shard: a line about the shard, then one a document."""

    def __init__(self, handle: BinaryIO, shard: Shard, scoring: Scoring) -> None:
        self._handle = handle
        self._scopes = scoring.scopes
        self._write(
            {
                "path": os.fspath(shard.path),
                "file": shard.file,
                "suite": min(scoring.scopes),
                "offset": shard.offset,
                "line": shard.line,
                "rows": shard.rows,
                "state": shard.state,
            }
        )

    def note(self, asked: Asked, document: Document, reason: str | None) -> None:
        """Keep what became of a document in each of its slices; slices of one scope share a view of it."""
        views, slices = self._views(asked.slices, document)
        detection = document.detection
        failure = "failed" if detection is None else "partial"
        self._write(
            {
                "line": asked.line,
                "id": asked.record.document_id,
                "length": document.length,
                "outcome": "answered" if reason is None else failure,
                "reason": reason,
                "unmapped": document.unmapped,
                "dropped": document.dropped,
                "selected": [] if detection is None else [span[:3] for span in detection.selected],
                "views": views,
                "slices": slices,
            }
        )

    def _views(self, names: Sequence[str], document: Document) -> tuple[list[Any], dict[str, int]]:
        views: list[Any] = []
        numbers: dict[frozenset[str], int] = {}
        slices: dict[str, int] = {}
        for name in names:
            scope = self._scopes[name]
            if scope.types not in numbers:
                numbers[scope.types] = len(views)
                views.append(outcome_of(document, scope))
            slices[name] = numbers[scope.types]
        return views, slices

    def _write(self, value: dict[str, Any]) -> None:
        line = json.dumps(value, separators=(",", ":")).encode("ascii")
        try:
            self._handle.write(line + b"\n")
        except OSError as error:
            raise _refused(error) from None


@contextmanager
def spooled(folder: Path, key: str, shard: Shard, scoring: Scoring) -> Iterator[Spool]:
    """Open the spool of a shard; it gets its name in `folder` once it is whole, and else leaves nothing.

    Whoever scans the shard holds its lock, and may find the spool of a process that died before it was done:
    that one is replaced. Raises `Fault` where the disk refuses.
    """
    path = folder / f"{key}{OUTCOMES}"
    temporary = path.with_suffix(f".{os.getpid()}.partial")
    try:
        try:
            descriptor = os.open(temporary, _NEW, 0o600)
        except OSError as error:
            raise _refused(error) from None
        handle = os.fdopen(descriptor, "wb", buffering=1 << 16)
        try:
            yield Spool(handle, shard, scoring)
        finally:
            _close(handle)
        temporary.replace(path)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _close(handle: BinaryIO) -> None:
    try:
        handle.close()
    except OSError as error:
        raise _refused(error) from None


def _refused(error: OSError) -> Fault:
    return Fault(f"what became of the documents could not be kept ({error.strerror})")
