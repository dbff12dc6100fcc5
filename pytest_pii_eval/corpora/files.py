"""The files of a prepared suite: their names, where they go, and lines on their way there, hashed."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, BinaryIO, Final, Protocol, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.jsonl import MAX_LINE_BYTES
from pytest_pii_eval.corpora.receipt import Committed

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractContextManager

RECORDS: Final = "quality-records.jsonl"
PROVENANCE: Final = "quality-provenance.jsonl"
SLICES: Final = "quality-slices.jsonl"
GAPS: Final = "unsupported-slices.jsonl"
DOCUMENTS: Final = "documents.jsonl"
LABELS: Final = "labels.jsonl"

_BUFFER: Final = 1 << 20


class Target(Protocol):
    """Where the files of a suite go."""

    def open(self, name: str) -> AbstractContextManager[BinaryIO]:
        """Open the new file `name` for writing bytes."""


@final
class HashedFile:
    """Lines on their way to a file: gathered, counted and hashed."""

    def __init__(self, handle: BinaryIO) -> None:
        self._handle = handle
        self._digest = hashlib.sha256()
        self._lines: list[bytes] = []
        self._waiting = 0
        self._bytes = 0
        self._rows = 0

    def write(self, line: bytes) -> None:
        """Take one line; raises `Fault` where no reader would."""
        size = len(line) - 1  # without its line feed
        if size > MAX_LINE_BYTES:
            raise Fault(f"a document takes {size:,} bytes as a line of JSON; a line holds {MAX_LINE_BYTES:,}")
        self._lines.append(line)
        self._waiting += len(line)
        self._rows += 1
        if self._waiting >= _BUFFER:
            self.flush()

    def flush(self) -> None:
        """Hand on what waits."""
        block = b"".join(self._lines)
        self._digest.update(block)
        self._handle.write(block)
        self._bytes += len(block)
        self._lines.clear()
        self._waiting = 0

    def committed(self) -> Committed:
        """Return what was flushed so far."""
        return Committed(bytes=self._bytes, sha256=f"sha256:{self._digest.hexdigest()}", rows=self._rows)


def written(target: Target, name: str, lines: Iterable[bytes]) -> Committed:
    """Write `lines` to the new file `name`, and return what it holds."""
    with target.open(name) as handle:
        sink = HashedFile(handle)
        for line in lines:
            sink.write(line)
        sink.flush()
    return sink.committed()
