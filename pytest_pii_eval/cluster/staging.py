"""The small files of a suite on this machine: where they lie, or copied from shared storage for a while."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.cluster.storage import LocalFolder, StorageFailure
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.kinds import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pii_eval.cluster.storage import Storage, StoredFile
    from pytest_pii_eval.settings import FileKind, Settings

MAX_SMALL: Final = 256 * 1024 * 1024
"""Bytes of all files of a suite together that are copied from shared storage to the client."""

_LARGE: Final = ("records", "provenance")
_SUFFIXES: Final = (".jsonl", ".json", ".yaml", ".yml")
_SUITE_FILE: Final = "suite.yaml"
_NOT_OF_A_SUITE: Final = (None, "bank", "corpora", "freezes")


class Staged(NamedTuple):
    """A suite as this machine sees it: records and provenance lie in `storage`, all others in `folder`, too.

    `settings` have the root that names of files in messages are relative to.
    """

    folder: Path
    settings: Settings
    storage: Storage
    kinds: dict[str, FileKind | None]
    files: dict[str, StoredFile]

    def of_kind(self, *kinds: FileKind) -> list[StoredFile]:
        """Return the files of some kinds, in order of their names."""
        return [file for name, file in self.files.items() if self.kinds[name] in kinds]

    def shown(self, file: StoredFile) -> str:
        """Return how messages name a file."""
        return self.storage.shown(file)


@contextmanager
def staged(storage: Storage, settings: Settings) -> Iterator[Staged]:
    """Make the small files of a suite reachable; raises `Fault`.

    Copies are private, and gone when the block ends.
    """
    files = storage.files()
    with tempfile.TemporaryDirectory(prefix="pii-eval-") as name:
        if isinstance(storage, LocalFolder):
            folder = storage.folder
        else:
            folder, settings = Path(name) / storage.name, settings._replace(root=Path(name))
            folder.mkdir()
        kinds = {file.name: kind_of(folder / file.name, settings) for file in files}
        if not any(kinds.values()):
            raise Fault("holds no file of a suite", file=storage.name)
        for file in files:
            if file.refused and (file.name == _SUITE_FILE or kinds[file.name] not in _NOT_OF_A_SUITE):
                raise Fault(file.refused, file=storage.shown(file))
        if not isinstance(storage, LocalFolder):
            small = [file for file in files if kinds[file.name] not in _LARGE and not file.refused]
            wanted = [file for file in small if kinds[file.name] or file.name.endswith(_SUFFIXES)]
            _copy(storage, folder, wanted)
        yield Staged(folder, settings, storage, kinds, {file.name: file for file in files})


def _copy(storage: Storage, folder: Path, wanted: list[StoredFile]) -> None:
    if sum(file.size for file in wanted) > MAX_SMALL:
        rule = (
            f"holds more than {MAX_SMALL:,} bytes beside records and provenance; keep other files elsewhere"
        )
        raise Fault(rule, file=storage.name)
    for file in wanted:
        try:
            with storage.open(file) as handle:
                (folder / file.name).write_bytes(handle.read(file.size))
        except StorageFailure as failure:
            raise Fault(f"cannot be read ({failure})", file=storage.shown(file)) from None
