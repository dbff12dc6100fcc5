"""Where a suite lies: a local folder, or one of shared storage that fsspec reaches; no row is read here."""

from __future__ import annotations

import io
import re
import stat
from contextlib import closing, contextmanager
from platform import node
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple, Protocol, final
from urllib.parse import quote, urlsplit

from pytest_pii_eval.arguments import path_of, why
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import open_input, state_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from pytest_pii_eval.settings import Settings

_BUFFER: Final = 1 << 20
"""Bytes that are asked of shared storage at once."""

_VERSIONS: Final = ("ETag", "etag", "md5Hash", "LastModified", "last_modified", "updated", "mtime", "created")
"""What file systems of fsspec tell of a file that changes when it is written anew."""

_GONE: Final = "changed while the run went on; run again"
_LINK: Final = "is a symlink; name the real file"
_ODD: Final = "is not a regular file"
_SIZELESS: Final = "has a size that its storage does not tell; put the suite into one that does"

_UNNAMED: Final = "the suite"
"""How messages call a folder at a URL whose path has no plain name at its end."""

_PLAIN: Final = re.compile(r"[\w+=,~-][\w .+=,~-]{0,99}")


class StorageFailure(Exception):
    """A read that shared storage refused, told without its own words; another try may be served."""


class StoredFile(NamedTuple):
    """What lies in a folder: its name, its size in bytes, and what changes where somebody writes to it.

    `refused` says why it may be no file of a suite, whatever its name: it is a link, a folder, a pipe, or
    of a size that nobody knows.
    """

    name: str
    size: int
    version: str
    refused: str | None = None


class Storage(Protocol):
    """A folder with the files of a suite; every worker reads from its own copy of this object."""

    name: str

    def files(self) -> list[StoredFile]:
        """Return what lies in it, in order of names; raises `Fault` where the folder cannot be read."""

    def shown(self, file: StoredFile) -> str:
        """Return how messages name a file."""

    def open(self, file: StoredFile) -> AbstractContextManager[BinaryIO]:
        """Open a file; raises `Fault` where it changed, `StorageFailure` where it cannot be read."""


@final
class LocalFolder:
    """A folder that each machine reaches by the same path; links below the root of `settings` are refused."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.name = settings.shown(folder)
        self.folder = folder
        self._settings = settings

    def files(self) -> list[StoredFile]:
        """Return whatever lies in the folder."""
        try:
            return [_local(path) for path in sorted(self.folder.iterdir())]
        except OSError as error:
            raise Fault(f"cannot be read ({why(error)})", file=self.name) from None

    def shown(self, file: StoredFile) -> str:
        """Return its path relative to the root directory."""
        return self._settings.shown(self.folder / file.name)

    @contextmanager
    def open(self, file: StoredFile) -> Iterator[BinaryIO]:
        """Open a file as private input; raises `Fault` where it is not what it was."""
        path = self.folder / file.name
        with open_input(path, root=self._settings.root, shown=self.shown(file)) as handle:
            self._check(path, file)
            yield handle
            self._check(path, file)

    def _check(self, path: Path, file: StoredFile) -> None:
        if not _is_same(_version(path), file.version):
            raise Fault(_GONE, file=self.shown(file))


@final
class SharedFolder:
    """A folder at a URL; fsspec reads it, and what it needs to know comes from its own configuration."""

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")
        self.name = _name_in(self._url)

    def files(self) -> list[StoredFile]:
        """Return what lies right below the URL."""
        system, folder = self._system()
        try:
            return sorted(_listed(system, one) for one in system.ls(folder, detail=True))
        except Exception as error:  # noqa: BLE001  # any library of a storage; its text may name keys
            raise Fault(f"cannot be listed ({type(error).__name__})", file=self.name) from None

    def shown(self, file: StoredFile) -> str:
        """Return the last part of the URL's path, and the file's name."""
        return f"{self.name}/{file.name}"

    @contextmanager
    def open(self, file: StoredFile) -> Iterator[BinaryIO]:
        """Open a file, whose bytes are fetched as they are read."""
        system, folder = self._system()
        path = f"{folder.rstrip('/')}/{file.name}"
        with _told():
            found = _shared(system.info(path))
            if found != file:
                raise Fault(_GONE, file=self.shown(file))
            raw = system.open(path, "rb", block_size=_BUFFER)
        with closing(raw), io.BufferedReader(_Remote(raw), _BUFFER) as handle:
            yield handle

    def _system(self) -> tuple[Any, str]:
        try:
            from fsspec.core import url_to_fs  # noqa: PLC0415  # an extra
        except ImportError:
            rule = "a suite at a URL needs fsspec; install pytest-pii-eval[cluster]"
            raise Fault(rule, file=self.name) from None
        try:
            system, folder = url_to_fs(self._url)
        except ImportError:
            rule = "its storage needs a library that is not installed; fsspec's list of protocols names it"
            raise Fault(rule, file=self.name) from None
        except Exception as error:  # noqa: BLE001  # as above
            raise Fault(f"its storage cannot be reached ({type(error).__name__})", file=self.name) from None
        return system, str(folder)


@final
class _Remote(io.RawIOBase):
    """A file of shared storage whose refusals are told without the storage's own words."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return int(self._handle.seek(offset, whence))

    def tell(self) -> int:
        return int(self._handle.tell())

    def readinto(self, buffer: Any) -> int:
        with _told():
            read: bytes = self._handle.read(len(buffer))
        buffer[: len(read)] = read
        return len(read)


def storage_of(given: str, settings: Settings) -> Storage:
    """Return where the suite `given` lies: a folder relative to the root directory, or at a URL."""
    scheme, found, rest = given.partition("://")
    if found and scheme != "file":
        return SharedFolder(given)
    return LocalFolder(path_of(rest if found else given, settings.root), settings)


@contextmanager
def _told() -> Iterator[None]:
    """Turn what a storage's library raises into its type alone."""
    try:
        yield
    except Fault:
        raise
    except Exception as error:  # noqa: BLE001  # any library of a storage; its text may name keys
        raise StorageFailure(type(error).__name__) from None


def _local(path: Path) -> StoredFile:
    found = path.lstat()
    if stat.S_ISLNK(found.st_mode):
        refused: str | None = _LINK
    else:
        refused = None if stat.S_ISREG(found.st_mode) else _ODD
    return StoredFile(path.name, found.st_size, _version(path), refused)


def _version(path: Path) -> str:
    """Return what changes where a file is written to, removed or replaced, as this machine sees it."""
    inode, size, modified, changed = state_of(path)
    return f"{quote(node())} {size} {modified} {inode} {changed}"


def _is_same(now: str, then: str) -> bool:
    """Compare versions; another machine may number the inodes of a file system in its own way."""
    (here, *found), (there, *wanted) = now.split(" "), then.split(" ")
    return found == wanted if here == there else found[:2] == wanted[:2]


def _listed(system: Any, one: dict[str, Any]) -> StoredFile:
    """Return one row of a listing; of a file it is asked for as workers ask: a listing may tell otherwise."""
    if one.get("islink") or one["type"] == "link":
        return _shared(one)._replace(refused=_LINK)
    if one["type"] != "file":
        return _shared(one)._replace(refused=_ODD)
    info = system.info(one["name"])
    return _shared(info) if info.get("size") is not None else _shared(info)._replace(refused=_SIZELESS)


def _name_in(url: str) -> str:
    """Return the last part of the path of a URL alone: what stands around it may be a key or a password."""
    first = next((part for part in url.split("::") if "://" in part), "")
    try:
        name = urlsplit(first).path.rpartition("/")[2].partition(";")[0]
    except ValueError:
        return _UNNAMED
    return name if _PLAIN.fullmatch(name) else _UNNAMED


def _shared(info: dict[str, Any]) -> StoredFile:
    version = next((str(info[key]) for key in _VERSIONS if info.get(key) is not None), "")
    name = str(info["name"]).rstrip("/").rpartition("/")[2]
    return StoredFile(name, int(info.get("size") or 0), version)
