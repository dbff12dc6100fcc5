"""The part of an artifact that has come so far: a private file and a journal of what of it was whole."""

from __future__ import annotations

import hashlib
import os
import stat
from typing import TYPE_CHECKING, Final, NamedTuple, final

from pytest_pii_eval.contracts.canonical import canonical_bytes
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import read_input
from pytest_pii_eval.contracts.strict_json import parse
from pytest_pii_eval.corpora.transport import is_strong

if TYPE_CHECKING:
    from pathlib import Path

JOURNAL_STEP: Final = 16 * 1024 * 1024
"""Bytes between two entries in the journal."""

_VERSION: Final = "pii_eval.corpus_journal.v1"
_BLOCK: Final = 1 << 20
_LARGEST_JOURNAL: Final = 4096
_OTHERS: Final = 0o077
_NEW: Final = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_OLD: Final = (
    os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
)


@final
class PartialFile:
    """The first `size` bytes of what is downloaded into `folder` under `name`, and their hash.

    Made under the lock of its corpus. What an interrupted command left is taken over as far as its journal
    says and its bytes still hash to; anything else there is removed. Raises `OSError` where the disk refuses.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.path = folder / f".{name}.partial"
        self._journal = folder / f".{name}.journal"
        self._journaled = 0
        self.size = 0
        self.etag: str | None = None
        self._digest = hashlib.sha256()
        self._descriptor = -1
        try:
            self._take_over()
        except BaseException:
            self.close()
            raise

    @property
    def sha256(self) -> str:
        """The hash of the bytes so far, as a pin writes it."""
        return f"sha256:{self._digest.hexdigest()}"

    def append(self, block: bytes) -> None:
        """Add bytes; every `JOURNAL_STEP` of them survive this process."""
        rest = memoryview(block)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]
        self._digest.update(block)
        self.size += len(block)
        if self.size - self._journaled >= JOURNAL_STEP:
            self.keep()

    def begin_anew(self) -> None:
        """Forget every byte."""
        self.discard()
        self.size = self._journaled = 0
        self._digest = hashlib.sha256()
        self._begin()

    def keep(self) -> None:
        """Bring the bytes to the disk, then write into the journal how many there are."""
        if self._journaled == self.size:
            return
        os.fsync(self._descriptor)
        entry: dict[str, object] = {
            "schema_version": _VERSION,
            "bytes": self.size,
            "sha256": self.sha256,
            "etag": self.etag,
        }
        fresh = self._journal.with_name(f"{self._journal.name}.new")
        fresh.unlink(missing_ok=True)
        with os.fdopen(os.open(fresh, _NEW, 0o600), "wb") as handle:
            handle.write(canonical_bytes(entry))
        fresh.replace(self._journal)
        self._journaled = self.size

    def finish(self) -> None:
        """Keep the bytes and let go of the file, which then can be moved."""
        self.keep()
        self.close()

    def discard(self) -> None:
        """Remove the file and its journal."""
        self.close()
        self.path.unlink(missing_ok=True)
        self.forget()

    def forget(self) -> None:
        """Remove the journal, whose file has gone."""
        self._journal.unlink(missing_ok=True)
        self._journal.with_name(f"{self._journal.name}.new").unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the file; what is in it stays."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _begin(self) -> None:
        self._descriptor = os.open(self.path, _NEW, 0o600)

    def _take_over(self) -> None:
        entry = _read_entry(self._journal)
        if entry is not None and self._reopened() and self._holds(entry):
            os.ftruncate(self._descriptor, entry.size)
            self.size = self._journaled = entry.size
            self.etag = entry.etag
            return
        self.begin_anew()

    def _reopened(self) -> bool:
        try:
            self._descriptor = os.open(self.path, _OLD)
        except OSError:
            return False
        return _is_private(os.fstat(self._descriptor))

    def _holds(self, entry: _Entry) -> bool:
        """Hash the bytes that `entry` speaks of, and leave the place for the next one behind them."""
        rest = entry.size
        while rest and (block := os.read(self._descriptor, min(rest, _BLOCK))):
            self._digest.update(block)
            rest -= len(block)
        return not rest and self.sha256 == entry.sha256


class _Entry(NamedTuple):
    """What a journal says: so many bytes were whole, with this hash, of a file that its host called so."""

    size: int
    sha256: str
    etag: str | None


def _read_entry(path: Path) -> _Entry | None:
    """Return what the journal says; None where there is none, or not one of ours."""
    try:
        if not _is_private(path.lstat()):
            return None
        value = parse(read_input(path, limit=_LARGEST_JOURNAL))
    except (OSError, Fault):
        return None
    if not isinstance(value, dict) or value.get("schema_version") != _VERSION:
        return None
    size, digest, etag = value.get("bytes"), value.get("sha256"), value.get("etag")
    if type(size) is not int or size <= 0 or not isinstance(digest, str):
        return None
    return _Entry(size, digest, etag if is_strong(etag) else None)


def _is_private(found: os.stat_result) -> bool:
    """Whether a file is a regular one that nobody else can have read or put there."""
    if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1:
        return False
    return os.name != "posix" or (found.st_uid == os.geteuid() and not found.st_mode & _OTHERS)
