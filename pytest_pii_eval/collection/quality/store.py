"""Where the evidence of finished shards waits: in memory, or under xdist in a directory of the run.

Under xdist several processes may want one shard. Each takes the lock of the shard first; the kernel lets go
of it when its holder ends, however that happens, so nobody waits for a dead worker.
"""

from __future__ import annotations

import json
import os
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from pytest_pii_eval.collection.quality.shard_evidence import (
    SlicePart,
    Totals,
    compact,
    unpacked_account,
    unpacked_part,
)
from pytest_pii_eval.contracts.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from pytest_pii_eval.collection.quality.shard_evidence import ShardEvidence

    Keyed: TypeAlias = tuple[str, Callable[[], ShardEvidence]]

try:
    import fcntl
except ImportError:  # pragma: no cover  # Windows: processes there scan for themselves
    fcntl = None  # type: ignore[assignment]


class Store(Protocol):
    """Gives the evidence of shards, computing that of each once."""

    def account(self, key: str, compute: Callable[[], ShardEvidence]) -> Mapping[str, Any]:
        """Return the account of the shard `key`, computed now unless it was before."""

    def total(self, slice_id: str, shards: Iterable[Keyed]) -> SlicePart:
        """Return the sum of a slice over `shards`, computing those that were not before."""


class MemoryStore:
    """The store of a run in one process; counts are added up as they come, so that memory stays flat."""

    def __init__(self) -> None:
        self._accounts: dict[str, str] = {}  # as text: a twentieth of what the values take
        self._totals = Totals()

    def account(self, key: str, compute: Callable[[], ShardEvidence]) -> Mapping[str, Any]:
        """Return the account of the shard `key`, computed now unless it was before."""
        self._compute(key, compute)
        account: dict[str, Any] = json.loads(self._accounts[key])
        return account

    def total(self, slice_id: str, shards: Iterable[Keyed]) -> SlicePart:
        """Return the sum of a slice over all shards computed so far; `shards` are all that hold any of it."""
        for key, compute in shards:
            self._compute(key, compute)
        return self._totals.of(slice_id)

    def _compute(self, key: str, compute: Callable[[], ShardEvidence]) -> None:
        if key not in self._accounts:
            evidence = compute()
            self._totals.add(key, evidence)
            self._accounts[key] = compact(evidence.account)


class SharedStore:
    """The store of a run in several processes, or of one that keeps what became of documents.

    It is a private directory that the controller removes.
    It is made on first use: a run that ends in its collection has no controller of ours to remove it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._is_ready = False

    def result(self, key: str, compute: Callable[[], str]) -> str:
        """Return the stored evidence under `key`, or `compute()`, which is stored then."""
        if not self._is_ready:
            self._make_private()
        with _locked(self._folder / f"{key}.lock"):
            path = self._folder / f"{key}.json"
            if path.exists():
                return path.read_text(encoding="utf-8")
            text = compute()
            temporary = path.with_suffix(".partial")
            temporary.write_text(text, encoding="utf-8")
            temporary.replace(path)
            return text

    def account(self, key: str, compute: Callable[[], ShardEvidence]) -> Mapping[str, Any]:
        """Return the account of the shard `key`, computed now unless a process of this run did so before."""
        return unpacked_account(self.result(key, lambda: compute().packed()))

    def total(self, slice_id: str, shards: Iterable[Keyed]) -> SlicePart:
        """Return the sum of a slice over `shards`; only one of them is in memory at a time."""
        total = SlicePart()
        for key, compute in shards:
            text = self.result(key, lambda compute=compute: compute().packed())  # type: ignore[misc]  # bound now
            total = total.merge(unpacked_part(text, slice_id))
        return total

    def _make_private(self) -> None:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        found = self._folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or (hasattr(os, "geteuid") and found.st_uid != os.geteuid()):
            raise Fault("the directory that the workers of this run share belongs to somebody else")
        self._is_ready = True


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
