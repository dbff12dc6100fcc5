"""Opening private input: regular files only, no symlink on the way, bounded reads; no parsing."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

from pytest_pii_eval.contracts.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_FLAGS = (
    os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
)
_BLOCK = 1 << 20


@contextmanager
def open_input(path: Path, *, root: Path | None = None, shown: str | None = None) -> Iterator[BinaryIO]:
    """Open `path` for reading bytes.

    Refuses symlinks (the file itself and, below `root`, every folder on the way), folders, pipes and
    devices. Raises `Fault` naming the file as `shown`, or else only by its last part.
    """
    try:
        descriptor = open_descriptor(path, root=root)
    except Fault as fault:
        raise Fault(fault.rule, file=shown or fault.file) from None
    with os.fdopen(descriptor, "rb", buffering=1 << 18) as handle:
        yield handle


def open_descriptor(path: Path, *, root: Path | None = None) -> int:
    """Open as `open_input` does, and return a bare file descriptor that the caller closes."""
    refuse_linked_folders(path, root)
    try:
        descriptor = os.open(path, _FLAGS)
    except OSError as error:
        raise Fault(_why(error), file=path.name) from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise Fault("is not a regular file", file=path.name)
    return descriptor


def state_of_input(handle: BinaryIO) -> tuple[int, ...]:
    """Return what changes where somebody writes to an open file or puts another in its place."""
    found = os.fstat(handle.fileno())
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def state_of(path: Path) -> tuple[int, int, int, int]:
    """Return what changes where somebody writes to the file at `path` or puts another in its place.

    Zeros where there is none.
    """
    try:
        found = path.lstat()
    except FileNotFoundError:
        return 0, 0, 0, 0
    # Whoever writes can set the time of modification back, but not that of change, which Windows lacks.
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def hash_of_input(handle: BinaryIO) -> tuple[int, str]:
    """Return how many bytes an open file holds from where it stands, and `sha256:` and their hex digest."""
    digest, size = hashlib.sha256(), 0
    while block := handle.read(_BLOCK):
        digest.update(block)
        size += len(block)
    return size, f"sha256:{digest.hexdigest()}"


def read_input(path: Path, *, limit: int, root: Path | None = None) -> bytes:
    """Return the whole file; raises `Fault` where it holds more than `limit` bytes."""
    with open_input(path, root=root) as handle:
        payload = handle.read(limit + 1)
    if len(payload) > limit:
        raise Fault(f"holds more than the limit of {limit:,} bytes", file=path.name)
    return payload


def refuse_linked_folders(path: Path, root: Path | None) -> None:
    """Raise `Fault` with the name of the file where a folder between `root` and `path` is a symlink."""
    if root is None or root not in path.parents:
        return
    for folder in path.parents:
        if folder == root:
            return
        if folder.is_symlink():
            raise Fault("is reached through a symlink; name the real folder", file=path.name)


def _why(error: OSError) -> str:
    if error.errno in (errno.ELOOP, errno.EMLINK):
        return "is a symlink; name the real file"
    if error.errno == errno.ENOENT:
        return "does not exist"
    return f"cannot be opened ({errno.errorcode.get(error.errno or 0, 'unknown error')})"
