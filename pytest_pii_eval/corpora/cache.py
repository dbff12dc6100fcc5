"""Where corpora lie on this machine: one private folder that git ignores; places, no content."""

from __future__ import annotations

import codecs
import os
import shutil
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.private import MARKER, ignore_for_git

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_pii_eval.contracts.corpora_file import Pin
    from pytest_pii_eval.corpora.recipe import Recipe

try:
    import fcntl
except ImportError:  # pragma: no cover  # Windows: two commands at once are not kept apart there
    fcntl = None  # type: ignore[assignment]

DEFAULT_CACHE: Final = ".pii_eval/corpora"
"""The cache of a project, relative to its root directory."""

ARTIFACTS: Final = "artifacts"
PREPARED: Final = "prepared"
_SHORT: Final = 16


@final
class Cache:
    """The private cache below `root`; nothing is created before something is written.

    `artifacts/KEY/HASH/FILE` is a downloaded file, `prepared/KEY/HASH/` a suite made of it. Both are private
    directories (`private.private_directory`): complete, with a marker, or absent.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def artifact(self, pin: Pin) -> Path:
        """Return where the artifact of `pin` lies once it is downloaded; raises `Fault` without a hash."""
        return self.artifact_folder(pin) / pin.source.file_name

    def artifact_folder(self, pin: Pin) -> Path:
        """Return the private directory of the artifact of `pin`; raises `Fault` where the pin has no hash."""
        return self.root / ARTIFACTS / pin.key / _short(known_hash(pin))

    def prepared(self, recipe: Recipe) -> Path:
        """Return the private directory of the suite that `recipe` gives."""
        return self.root / PREPARED / recipe.pin.key / _short(recipe.fingerprint)

    @contextmanager
    def locked(self, pin: Pin) -> Iterator[None]:
        """Keep other commands off the corpus of `pin`, and remove what dead ones left half-done.

        The kernel opens the lock when its holder ends, however that happens. Raises `Fault` where another
        command works on the corpus.
        """
        self._make()
        lock = self.root / f".{pin.key}.lock"
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        try:
            _lock(descriptor, pin.key)
            yield
        finally:
            os.close(descriptor)

    def clear(self, recipe: Recipe) -> bool:
        """Remove what lies where the suite of `recipe` goes, and return whether anything did.

        Call it under `locked`. Raises `Fault` where a symlink is on the way.
        """
        target = self.prepared(recipe)
        refuse_links(target)
        if not os.path.lexists(target):
            return False
        if target.is_dir():
            shutil.rmtree(target)
        else:
            target.unlink()
        return True

    def make_place(self, target: Path) -> None:
        """Make the folder that `target` will lie in, and remove what killed commands left beside it.

        Call it under `locked`: what is half-done of this corpus then belongs to nobody.
        """
        self._make()
        folder = target.parent
        refuse_links(folder)
        for each in (folder.parent, folder):
            if each.exists() and not each.is_dir():
                place = each.relative_to(self.root).as_posix()
                raise Fault(f"the cache holds a file where its folder {place} belongs; remove that file")
            each.mkdir(mode=0o700, exist_ok=True)
        for leftover in folder.glob(".*.*.partial"):
            if leftover.is_dir() and not leftover.is_symlink():
                shutil.rmtree(leftover, ignore_errors=True)

    def _make(self) -> None:
        refuse_links(self.root)
        if os.path.lexists(self.root / ".git") or (self.root.exists() and self.root.samefile(os.curdir)):
            raise Fault("the cache is the folder of a project; name one of its own with --cache")
        if not self.root.exists():
            self.root.mkdir(mode=0o700, parents=True)
        found = self.root.lstat()
        if not stat.S_ISDIR(found.st_mode):
            raise Fault("the cache is no folder; name another with --cache")
        ignore = self.root / ".gitignore"
        if ignore.is_symlink():  # git follows none
            raise Fault("the cache has a .gitignore that is a symlink; put a file with the line * there")
        ignore_for_git(self.root)
        if not _ignores_all(ignore.read_bytes()):
            raise Fault(
                "the cache has a .gitignore that keeps not all of it from git;"
                " let the line * be in it, and no line that begins with !"
            )


def _ignores_all(rules: bytes) -> bool:
    """Whether git sees nothing beside a `.gitignore` of these bytes; in doubt, it does."""
    lines = [line.removesuffix(b"\r") for line in rules.removeprefix(codecs.BOM_UTF8).split(b"\n")]
    return b"*" in lines and not any(line.startswith(b"!") for line in lines)


def _lock(descriptor: int, key: str) -> None:
    if fcntl is None:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Fault(f"another command works on the corpus {key}; wait for it") from None


def is_committed(folder: Path) -> bool:
    """Whether `folder` is a complete private directory."""
    return folder.is_dir() and not folder.is_symlink() and (folder / MARKER).is_file()


def known_hash(pin: Pin) -> str:
    """Return the hash that `pin` demands; raises `Fault` where nobody has filled it in."""
    if pin.sha256 is None:
        raise Fault(
            f"the pin of {pin.key} has no sha256, so no bytes can be told from others; check a copy of the"
            " file, run 'pii-eval corpus lock FILE' on it, and put the lines into the corpora file",
            field=f"corpora.{pin.key}.sha256",
        )
    return pin.sha256


def refuse_links(path: Path) -> None:
    """Raise `Fault` where `path` or a folder on the way to it is a symlink."""
    for folder in (path, *path.parents):
        if folder.is_symlink():
            raise Fault("the cache is reached through a symlink; name the real folder with --cache")


def _short(digest: str) -> str:
    return digest.removeprefix("sha256:")[:_SHORT]
