"""The ledger's folder on the disk: its lock, and putting a whole new file in place; no lines."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import refuse_linked_folders
from pytest_pii_eval.private import sync_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

try:
    import fcntl
except ImportError:  # pragma: no cover  # Windows: no lock that ends with its process, so no sealed run
    fcntl = None  # type: ignore[assignment]

ROOM_BYTES: Final = 16 * 1024
"""Room that the disk must have beyond the ledger before a run starts: for its lines, with some to spare."""

_NOFOLLOW: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW
_BUSY: Final = frozenset({errno.EWOULDBLOCK, errno.EAGAIN})


@final
class LockedFolder:
    """The folder of one file, locked; only `locked_folder` makes one. Each method raises `Fault`.

    The lock is on the folder: the file is replaced at every write, and a file for the lock alone would lie
    about in the repository.
    """

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path = path
        self._name = path.name
        self._temporary = f".{path.name}.new"
        self._descriptor: int | None = descriptor

    def check_held(self) -> None:
        """Refuse where the lock was let go, or another folder was put in the place of the locked one."""
        held = os.fstat(self._folder())
        with self._told():
            here = self._path.parent.stat()
        if (here.st_dev, here.st_ino) != (held.st_dev, held.st_ino):
            raise Fault("lies in another folder than the one that was locked", file=self._name)

    def check_writable(self, size: int) -> None:
        """Refuse where the disk would not take `size` bytes and some more; the file stays as it is."""
        folder = self._folder()
        with self._told():
            with suppress(FileNotFoundError):
                os.close(os.open(self._name, os.O_WRONLY | _NOFOLLOW, dir_fd=folder))
            self._write_new(bytes(size + ROOM_BYTES))
            os.unlink(self._temporary, dir_fd=folder)

    def prepare(self, payload: bytes) -> None:
        """Bring `payload` to the disk, beside the file."""
        with self._told():
            self._write_new(payload)

    def put_in_place(self) -> None:
        """Let what was prepared be the file: a reader sees the old one or the new one, never a part."""
        folder = self._folder()
        with self._told():
            os.replace(self._temporary, self._name, src_dir_fd=folder, dst_dir_fd=folder)

    def sync(self) -> None:
        """Bring the names in the folder to the disk."""
        with self._told():
            os.fsync(self._folder())

    def let_go(self) -> None:
        """Close the folder; the lock ends with the last process that has it open."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def remove_temporary(self) -> None:
        """Remove what was prepared and never put in place."""
        if self._descriptor is not None:
            with suppress(OSError):
                os.unlink(self._temporary, dir_fd=self._descriptor)

    def _write_new(self, payload: bytes) -> None:
        """Write the temporary; one of a killed process makes way, as nobody else holds the lock."""
        folder = self._folder()
        with suppress(FileNotFoundError):
            os.unlink(self._temporary, dir_fd=folder)
        with os.fdopen(os.open(self._temporary, _NEW, 0o666, dir_fd=folder), "wb") as handle:
            with suppress(FileNotFoundError):
                found = os.stat(self._name, dir_fd=folder, follow_symlinks=False)
                os.fchmod(handle.fileno(), stat.S_IMODE(found.st_mode))
            handle.write(payload)
            handle.flush()
            os.fsync(handle.fileno())

    def _folder(self) -> int:
        if self._descriptor is None:
            raise Fault("is not held by this process any more", file=self._name)
        return self._descriptor

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn what the disk says into a `Fault` with the name of the file."""
        try:
            yield
        except OSError as error:
            raise _refusal(error, self._name) from None


@contextmanager
def locked_folder(path: Path, *, root: Path | None = None) -> Iterator[LockedFolder]:
    """Lock the folder of `path`, made if need be, until the block ends or the process dies.

    Raises `Fault` at once where somebody else holds it, or where nobody can.
    """
    if fcntl is None:
        raise Fault("cannot be locked on this system; a sealed run needs a lock on it", file=path.name)
    refuse_linked_folders(path, root)
    try:
        _make(path.parent)
        descriptor = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise _refusal(error, path.name) from None
    folder = LockedFolder(path, descriptor)
    # A child by fork alone has the lock too: it must not keep it where this process was killed.
    os.register_at_fork(after_in_child=folder.let_go)
    try:
        _lock(descriptor, path.name)
        try:
            yield folder
        finally:
            folder.remove_temporary()  # not where another holds the lock: there it is theirs
    finally:
        folder.let_go()


def _lock(descriptor: int, name: str) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _BUSY:
            raise Fault("another sealed run is going on; wait until it has ended", file=name) from None
        rule = f"cannot be locked on this disk ({_code(error)}); a sealed run needs a lock on it"
        raise Fault(rule, file=name) from None


def _make(folder: Path) -> None:
    """Make the folder and those above it, and bring their names to the disk."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for one in reversed(missing):
        sync_folder(one.parent)


def _refusal(error: OSError, name: str) -> Fault:
    if error.errno == errno.EROFS:
        return Fault("lies on a read-only disk; a sealed run must be able to write to it", file=name)
    return Fault(f"cannot be written ({_code(error)}); a sealed run must be able to write to it", file=name)


def _code(error: OSError) -> str:
    return errno.errorcode.get(error.errno or 0, "unknown error")
