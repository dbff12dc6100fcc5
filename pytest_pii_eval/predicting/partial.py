"""The file that predictions grow in: private, appended to, resumable, moved into place once it is whole."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.predictions import header_line
from pytest_pii_eval.detectors.replay import Predictions
from pytest_pii_eval.private import sync_folder

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pii_eval.contracts.predictions import Header

try:
    import fcntl
except ImportError:  # pragma: no cover  # Windows: nobody keeps two commands apart there
    fcntl = None  # type: ignore[assignment]

_FLAGS = (
    os.O_RDWR
    | os.O_CREAT
    | os.O_APPEND
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)
_BLOCK = 1 << 20
_ANEW = "; delete it to begin anew"


@final
class PartialFile:
    """The predictions made so far for `out`, in the file of that name with `.partial` behind it.

    It is made with mode 0600, or continued where it is there: complete rows are checked and kept, a last line
    that was cut off is removed. Raises `Fault` where it breaks the contract, is of another detector than
    `header`, or another process writes it; `shown` is its name as output may show it.
    """

    def __init__(self, out: Path, header: Header, *, shown: str) -> None:
        self._out = out
        self.path = out.with_name(f"{out.name}.partial")
        self.shown = f"{shown}.partial"
        self._descriptor = self._opened()
        self.kept: Predictions | None = None
        try:
            self._take_over(header)
        except BaseException:
            self.close()
            raise

    def append(self, line: bytes) -> None:
        """Add a line, its line feed included; it survives this process, and a cut of power after `sync`."""
        rest = memoryview(line)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]

    def sync(self) -> None:
        """Bring what was added to the disk."""
        os.fsync(self._descriptor)

    def publish(self, *, force: bool) -> None:
        """Move the file into place, in one step; raises `Fault` where one is there, but for `force`."""
        self.sync()
        refuse_target(self._out, shown=self.shown.removesuffix(".partial"), force=force)
        if os.name == "nt":
            self.close()  # Windows moves no open file
        self.path.replace(self._out)
        sync_folder(self._out.parent)

    def close(self) -> None:
        """Let go of the file; what is in it stays."""
        if self.kept is not None:
            self.kept.close()
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _opened(self) -> int:
        if self.path.is_symlink():
            raise Fault("is a symlink; name the real file", file=self.shown)
        descriptor = os.open(self.path, _FLAGS, 0o600)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise Fault("is not a regular file", file=self.shown)
        return descriptor

    def _take_over(self, header: Header) -> None:
        self._lock()
        if hasattr(os, "fchmod"):
            os.fchmod(self._descriptor, 0o600)
        os.ftruncate(self._descriptor, _complete(self._descriptor))
        if not os.fstat(self._descriptor).st_size:
            self.append(header_line(header))
            return
        try:
            self.kept = Predictions(self.path, shown=lambda _: self.shown)
            self._check_header(header)
        except Fault as fault:
            raise Fault(fault.rule + _ANEW, file=fault.file, line=fault.line, field=fault.field) from None

    def _lock(self) -> None:
        """Keep others out; the kernel opens the lock when this process ends, however that happens."""
        if fcntl is None:
            return
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            mine = os.path.samestat(os.fstat(self._descriptor), self.path.lstat())
        except (BlockingIOError, FileNotFoundError):
            mine = False
        if not mine:  # or its writer has just moved it into place
            raise Fault("another process is writing it", file=self.shown)

    def _check_header(self, header: Header) -> None:
        if self.kept is None or self.kept.header == header:
            return
        for field, value in header._asdict().items():
            if value != getattr(self.kept.header, field):
                rule = "was begun with another detector, or with other options"
                raise Fault(rule, file=self.shown, line=1, field=f"detector.{field}")


def refuse_target(out: Path, *, shown: str, force: bool) -> None:
    """Raise `Fault` where predictions may not be moved to `out`; nothing is written."""
    if out.is_symlink():
        raise Fault("is a symlink; name the real file", file=shown)
    if out.exists() and not out.is_file():
        raise Fault("is not a regular file", file=shown)
    if out.exists() and not force:
        raise Fault("exists already; give --force to replace it", file=shown)
    if not out.parent.is_dir():
        raise Fault("lies in a folder that does not exist; create it first", file=shown)


def _complete(descriptor: int) -> int:
    """Return the size of the complete lines of a file: up to its last line feed."""
    end = os.fstat(descriptor).st_size
    while end:
        start = max(0, end - _BLOCK)
        os.lseek(descriptor, start, os.SEEK_SET)
        found = os.read(descriptor, end - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0
