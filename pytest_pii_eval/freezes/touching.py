"""Whether some paths that git names touch a file or a folder, spelled in whatever way; nothing is read."""

from __future__ import annotations

import unicodedata
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pytest_pii_eval.freezes.git import Repository


@final
class Touched:
    """The paths that somebody touched.

    Names that differ in case or in Unicode composition alone are one file on some disks: they count as one.
    """

    def __init__(self, repository: Repository, paths: Iterable[Path]) -> None:
        self._repository = repository
        self._names = {_folded(repository.shown(one)) for one in paths}
        self._folders = {str(folder) for name in self._names for folder in PurePosixPath(name).parents}

    def holds(self, path: Path) -> bool:
        """Whether the file was touched, or as a whole what it lies in: a submodule, a symlink to a folder."""
        name = PurePosixPath(_folded(self._repository.shown(path)))
        return any(str(one) in self._names for one in (name, *name.parents))

    def holds_below(self, folder: Path) -> bool:
        """Whether `folder` or anything below it was touched."""
        return self.holds(folder) or _folded(self._repository.shown(folder)) in self._folders


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
