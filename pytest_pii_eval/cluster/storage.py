"""Where a suite lies: a local folder, or one of shared storage that fsspec reaches; no row is read here."""

from __future__ import annotations

import io
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple, Protocol, final

from pytest_pii_eval.arguments import path_of, why
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import open_input

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

_BUFFER: Final = 1 << 20
"""Bytes that are asked of shared storage at once."""

_VERSIONS: Final = ("ETag", "etag", "md5Hash", "LastModified", "last_modified", "updated", "mtime", "created")
"""What file systems of fsspec tell of a file that changes when it is written anew."""

_GONE: Final = "changed while the run went on; run again"


class StorageFailure(Exception):
    """A read that shared storage refused, told without its own words; another try may be served."""


class StoredFile(NamedTuple):
    """A file of a suite: its name, its size in bytes, and what changes where somebody writes to it."""

    name: str
    size: int
    version: str


class Storage(Protocol):
    """A folder with the files of a suite; every worker reads from its own copy of this object."""

    name: str

    def files(self) -> list[StoredFile]:
        """Return the files in order of their names; raises `Fault` where the folder cannot be read."""

    def open(self, file: StoredFile) -> AbstractContextManager[BinaryIO]:
        """Open a file; raises `Fault` where it changed, `StorageFailure` where it cannot be read."""


@final
class LocalFolder:
    """A folder that each machine reaches by the same path; links below `root` are refused."""

    def __init__(self, folder: Path, root: Path) -> None:
        self.name = folder.name
        self.folder = folder
        self._root = root

    def files(self) -> list[StoredFile]:
        """Return the regular files and links of the folder."""
        try:
            return [_local(path) for path in sorted(self.folder.iterdir()) if not path.is_dir()]
        except OSError as error:
            raise Fault(f"cannot be read ({why(error)})", file=self.name) from None

    @contextmanager
    def open(self, file: StoredFile) -> Iterator[BinaryIO]:
        """Open a file as private input; raises `Fault` where it is not what it was."""
        path = self.folder / file.name
        with open_input(path, root=self._root, shown=file.name) as handle:
            self._check(path, file)
            yield handle
            self._check(path, file)

    def _check(self, path: Path, file: StoredFile) -> None:
        if _local(path) != file:
            raise Fault(_GONE, file=file.name)


@final
class SharedFolder:
    """A folder at a URL; fsspec reads it, and what it needs to know comes from its own configuration."""

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")
        self.name = self._url.rpartition("/")[2]

    def files(self) -> list[StoredFile]:
        """Return the files right below the URL."""
        system, folder = self._system()
        try:
            names = [one["name"] for one in system.ls(folder, detail=True) if one["type"] == "file"]
            # As workers ask: a listing may tell less, or otherwise, of a file than asking for it does.
            found = [system.info(name) for name in names]
        except Exception as error:  # noqa: BLE001  # any library of a storage; its text may name keys
            raise Fault(f"cannot be listed ({type(error).__name__})", file=self.name) from None
        return sorted(map(_shared, found))

    @contextmanager
    def open(self, file: StoredFile) -> Iterator[BinaryIO]:
        """Open a file, whose bytes are fetched as they are read."""
        system, folder = self._system()
        path = f"{folder.rstrip('/')}/{file.name}"
        with _told():
            found = _shared(system.info(path))
            if found != file:
                raise Fault(_GONE, file=file.name)
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


def storage_of(given: str, root: Path) -> Storage:
    """Return where the suite `given` lies: a folder relative to `root`, or at a URL."""
    scheme, found, rest = given.partition("://")
    if not found:
        return LocalFolder(path_of(given, root), root)
    return LocalFolder(path_of(rest, root), root) if scheme == "file" else SharedFolder(given)


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
    return StoredFile(path.name, found.st_size, str(found.st_mtime_ns))


def _shared(info: dict[str, Any]) -> StoredFile:
    version = next((str(info[key]) for key in _VERSIONS if info.get(key) is not None), "")
    return StoredFile(str(info["name"]).rpartition("/")[2], int(info["size"] or 0), version)
