"""What the adapters of PyTorch models share: where a model is, the SHA-256 of its files, its device."""

from __future__ import annotations

import hashlib
import re
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_pii_eval.contracts.canonical import fingerprint
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.detectors.adapters.options import whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_HUB_ID = re.compile(r"[A-Za-z0-9_][\w.-]*(?:/[A-Za-z0-9_][\w.-]*)?", re.ASCII)
_READS_NOTHING = frozenset({".md", ".png", ".jpg", ".pdf"})
_CHUNK = 1 << 20


class Source(NamedTuple):
    """A model as the libraries take it: a folder, or the id of a model on a hub and its revision."""

    place: str
    local: bool
    revision: str | None

    def identity(self, commit: str | None) -> Mapping[str, str | None]:
        """Return what names the weights: the hash of a folder's files, or id and commit of the hub.

        The revision, which may move, stands in only where the library does not tell the commit.
        """
        if self.local:
            return {"files": files_digest(Path(self.place))}
        return {"id": self.place, "commit": commit or self.revision}


def source(model: str | Path, revision: str | None) -> Source:
    """Return where `model` is: a folder that exists, else a hub id; raises `Fault` where it is neither."""
    place = Path(model).expanduser()
    if place.is_dir():
        if revision is not None:
            raise Fault("--pii-detector-option: revision is for the id of a model on a hub, not for a folder")
        return Source(str(place), local=True, revision=None)
    if not _HUB_ID.fullmatch(str(model)):
        raise Fault("--pii-detector-option: model is no folder that exists and no id of a model on a hub")
    return Source(str(model), local=False, revision=revision)


def files_digest(folder: Path) -> str:
    """Return the SHA-256 of the names and contents of all files that a model may be read from.

    Hidden files and those of documentation are left out; where the folder lies does not count.
    """
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*"), key=lambda path: path.relative_to(folder).as_posix()):
        name = path.relative_to(folder)
        if path.is_file() and path.suffix not in _READS_NOTHING and not _hidden(name.parts):
            total.update(f"{name.as_posix()}\0{_file_digest(path)}\n".encode())
    return "sha256:" + total.hexdigest()


def device(name: str, threads: str | int | None) -> str:
    """Return `name` where PyTorch knows such a device, and limit its threads; raises `Fault` otherwise."""
    import torch  # noqa: PLC0415  # seconds to import

    if threads is not None:
        torch.set_num_threads(whole(threads, "threads", most=1024))
    try:
        return str(torch.device(name))
    except RuntimeError:
        raise Fault("--pii-detector-option: device must be one of PyTorch, as cpu or cuda:0") from None


def versions(packages: Iterable[str]) -> Mapping[str, str]:
    """Return the installed versions of `packages`."""
    return {package: version(package) for package in packages}


def bound(name: str, libraries: Mapping[str, str], parts: Mapping[str, Any]) -> str:
    """Return the fingerprint of an adapter: its name, its libraries and what else can change an answer."""
    return fingerprint({"detector": name, "libraries": dict(libraries), **parts})


def _file_digest(path: Path) -> str:
    one = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            one.update(chunk)
    return one.hexdigest()


def _hidden(parts: tuple[str, ...]) -> bool:
    return any(part.startswith(".") for part in parts)
