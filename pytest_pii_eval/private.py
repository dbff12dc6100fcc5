"""Private directories: new, mode 0700, complete with a commit marker or absent, never where git looks."""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import stat
import subprocess
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO, final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

try:
    import fcntl
except ImportError:  # pragma: no cover  # Windows: what killed processes left is not told from what is alive
    fcntl = None  # type: ignore[assignment]

MARKER = "COMMITTED"
MARK = b"pii_eval.private_directory.v1\n"
"""What the marker of a complete directory holds."""

_GIT_SECONDS = 10
_IGNORED = ".gitignore"
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def refuse_unsafe_target(
    target: Path, *, allow_tracked: bool, option: str | None = "--pii-audit-allow-tracked"
) -> str | None:
    """Return why `target` may not become a private directory, or None; nothing is created.

    `option` is what the user gives to allow a place that git tracks, where anything does.
    """
    if target.is_symlink() or target.exists():
        return "exists already; name a new directory"
    if any(folder.is_symlink() for folder in target.parents):
        return "is reached through a symlink; name the real folder"
    if not target.parent.is_dir():
        return "lies in a folder that does not exist; create it first"
    if not allow_tracked and _git_would_track(target):
        other = "" if option is None else f", or give {option}"
        return f"lies where git would track it; choose an ignored place{other}"
    return None


@final
class PrivateDirectory:
    """A directory being filled; only `private_directory` makes one."""

    def __init__(self, staging: Path) -> None:
        self._staging = staging

    @property
    def staging(self) -> Path:
        """Where it lies until it is complete; private directories made there move along."""
        return self._staging

    @contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        """Open the new file `name` (mode 0600) for writing bytes; it is on disk when the block ends."""
        with os.fdopen(os.open(self._staging / name, _NEW, 0o600), "wb") as handle:
            yield handle
            handle.flush()
            os.fsync(handle.fileno())

    def write(self, name: str, payload: bytes) -> None:
        """Write the new file `name`."""
        with self.open(name) as handle:
            handle.write(payload)

    def move_in(self, name: str, file: Path) -> None:
        """Move `file`, which is on this disk and synced already, to the new file `name`."""
        target = self._staging / name
        if target.is_symlink() or target.exists():
            raise FileExistsError(errno.EEXIST, "it appeared meanwhile")
        file.rename(target)


@contextmanager
def private_directory(target: Path, *, ignored: bool = False) -> Iterator[PrivateDirectory]:
    """Fill a staging directory beside `target`, then move it into place; on any failure remove it.

    Where it is to be `ignored`, it keeps the file that makes git ignore all of it.

    A process killed in between leaves at most a hidden `.NAME.….partial` directory, which git ignores, as
    rules for `target` need not fit its name; the next one with this target removes it. Raises `OSError`
    where the disk refuses.
    """
    remove_leftovers(target)
    staging = target.with_name(f".{target.name}.{secrets.token_hex(8)}.partial")
    staging.mkdir(mode=0o700)
    try:
        with _claimed(staging):
            directory = PrivateDirectory(staging)
            yield directory
            directory.write(MARKER, MARK)
            if not ignored:
                (staging / _IGNORED).unlink()  # last of all: what git could see from here on is whole
            _move(staging, target)
    except BaseException:
        _remove(staging)
        raise
    sync_folder(target.parent)


def remove_leftovers(target: Path) -> None:
    """Remove the staging directories of `target` that killed processes left; in doubt, leave them."""
    name = re.compile(rf"\.{re.escape(target.name)}\.[0-9a-f]{{16}}\.partial").fullmatch
    with suppress(OSError):
        for folder in [one for one in target.parent.iterdir() if name(one.name)]:
            if _is_dead(folder):
                _remove(folder)


@contextmanager
def _claimed(staging: Path) -> Iterator[None]:
    """Make `staging` ignore itself for git, by a file that is locked for as long as this process fills it.

    The file gets its name once it is locked: whoever finds it without a lock knows that its owner is dead.
    """
    fresh = staging / f"{_IGNORED}.new"
    with os.fdopen(os.open(fresh, _NEW, 0o600), "wb") as handle:
        handle.write(b"*\n")
        handle.flush()
        if fcntl is None:
            handle.close()  # Windows neither renames nor removes what is open
        else:
            with suppress(OSError):  # a disk without locks: then nobody else gets one there, either
                fcntl.flock(handle.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        fresh.rename(staging / _IGNORED)
        yield


def _is_dead(staging: Path) -> bool:
    """Whether a staging directory is our own, and surely nobody's any more."""
    if fcntl is None:
        return False
    try:
        found = staging.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
            return False
        descriptor = os.open(staging / _IGNORED, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True


def _remove(staging: Path) -> None:
    """Remove a staging directory; the file that keeps it from git goes last."""
    with suppress(OSError):
        for one in staging.iterdir():
            if one.is_dir() and not one.is_symlink():
                shutil.rmtree(one, ignore_errors=True)
            elif one.name != _IGNORED:
                one.unlink()
    shutil.rmtree(staging, ignore_errors=True)


def _move(staging: Path, target: Path) -> None:
    if target.is_symlink() or target.exists():
        raise FileExistsError(errno.EEXIST, "it appeared meanwhile")
    staging.rename(target)


def sync_folder(folder: Path) -> None:
    """Bring the names in `folder` to the disk, where the system has a way to."""
    if os.name == "nt":
        return  # Windows cannot open folders to sync them
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def ignore_for_git(folder: Path) -> None:
    """Make `folder` ignore itself for git, as tool folders do."""
    folder.mkdir(parents=True, exist_ok=True)
    marker = folder / ".gitignore"
    if not marker.exists():
        marker.write_text("# Written by pytest-pii-eval.\n*\n", encoding="utf-8")


def _git_would_track(target: Path) -> bool:
    """Whether `target` lies in a git work tree that does not ignore it; in doubt, yes."""
    if not any((folder / ".git").exists() for folder in target.parents):
        return False
    inside = target / MARKER  # so that a rule for folders alone (`audit/`) counts before there is one
    try:
        finished = subprocess.run(  # noqa: S603  # fixed arguments, no shell
            ["git", "-C", str(target.parent), "check-ignore", "-q", "--", str(inside)],  # noqa: S607  # as the user finds it
            capture_output=True,
            check=False,
            timeout=_GIT_SECONDS,
        )
    except (OSError, subprocess.SubprocessError):
        return True
    return finished.returncode != 0
