"""The quality suites of one process: directories, the shared store, and which slices are wanted."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from pytest_pii_eval.collection.quality.directory import QualityDirectory
from pytest_pii_eval.collection.quality.membership import membership_of
from pytest_pii_eval.collection.quality.shards import score_shard
from pytest_pii_eval.collection.quality.store import MemoryStore, SharedStore
from pytest_pii_eval.contracts.canonical import sha256
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.silence import without_raised_warnings
from pytest_pii_eval.withheld import without_frames

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    import pytest

    from pytest_pii_eval.collection.corpora.corpus import Corpus
    from pytest_pii_eval.collection.quality.membership import Membership
    from pytest_pii_eval.collection.quality.shard_evidence import ShardEvidence, SlicePart
    from pytest_pii_eval.collection.quality.shards import Scoring, Shard
    from pytest_pii_eval.collection.quality.store import Store
    from pytest_pii_eval.collection.subjects import Subject
    from pytest_pii_eval.contracts.bank import Bank
    from pytest_pii_eval.contracts.freezes_file import FreezesFile
    from pytest_pii_eval.settings import Settings


class QualitySuite:
    """Reaches every directory with slices; a directory that breaks a rule says so once."""

    def __init__(
        self,
        settings: Settings,
        run_directory: Path | None,
        freezes: Callable[[], FreezesFile | None] = lambda: None,
    ) -> None:
        self.settings = settings
        self._freezes = freezes
        self.directories: dict[Path, QualityDirectory] = {}
        self.absent: dict[str, str] = {}
        self._wanted: dict[Path, frozenset[str]] = {}
        self._faults: dict[Path, Fault] = {}
        self._reported: set[Path] = set()
        self._scorings: dict[Path, Scoring] = {}
        self._run_directory = run_directory
        self._store: Store = SharedStore(run_directory) if run_directory is not None else MemoryStore()

    def directory(
        self,
        folder: Path,
        bank: Bank | None,
        subject: Subject | None = None,
        *,
        corpus: Corpus | None = None,
        membership: Membership | None = None,
    ) -> QualityDirectory | None:
        """Return the suite in `folder`; its fault is raised by the first call, later ones get None.

        Without `subject` the files are checked, and nothing can be scored. `corpus` says which prepared
        corpus the folder is, if it is one, and `membership` which set, where that is not to be looked up.
        """
        if folder not in self.directories and folder not in self._faults:
            try:
                if membership is None:
                    membership = membership_of(self._freezes(), folder, corpus)
                self.directories[folder] = self._distinct(
                    without_frames(
                        partial(
                            QualityDirectory,
                            folder,
                            self.settings,
                            bank,
                            subject,
                            corpus=corpus,
                            membership=membership,
                        )
                    )
                )
            except Fault as fault:
                self._faults[folder] = fault
        if folder in self._faults:
            if folder in self._reported:
                return None
            self._reported.add(folder)
            raise self._faults[folder]
        if self.directories[folder].corpus != corpus:
            raise Fault(
                "is collected twice: as a suite of its own and as a corpus, or for two corpora files"
                " with other gates; name one of them",
                file=self.settings.shown(folder),
            )
        return self.directories[folder]

    def declare_absent(self, key: str, command: str) -> None:
        """Learn that a corpus is not prepared here; raises `Fault` where a slice or gap has its id."""
        self.absent[key] = command
        for directory in self.directories.values():
            self._check_absent(directory)

    def _check_absent(self, directory: QualityDirectory) -> None:
        both = directory.plan.ids & self.absent.keys()
        if both:
            raise Fault(
                f"uses the id {min(both)} of a corpus that is not prepared here, and a report tells slices by"
                " their ids; rename one, or leave the corpus out",
                file=self.settings.shown(directory.folder),
            )

    def _distinct(self, directory: QualityDirectory) -> QualityDirectory:
        """Refuse an id that another directory of the run has, too: reports and gates go by slice id."""
        self._check_absent(directory)
        for other in self.directories.values():
            both = directory.plan.ids & other.plan.ids
            if both:
                raise Fault(
                    f"uses the slice id {min(both)} as {self.settings.shown(other.folder)} does,"
                    " and a report tells slices by their ids; rename one, or run the directories apart",
                    file=self.settings.shown(directory.folder),
                )
        return directory

    def want(self, items: Sequence[pytest.Item]) -> None:
        """Learn which items run: where no shard of a directory does, only the slices named are scanned."""
        from pytest_pii_eval.collection.quality.nodes import ShardItem, SliceItem  # noqa: PLC0415  # they know us

        for folder in self.directories:
            mine = [item for item in items if isinstance(item, (ShardItem, SliceItem))]
            mine = [item for item in mine if item.folder == folder]
            if not any(isinstance(item, ShardItem) for item in mine):
                self._wanted[folder] = frozenset(item.name for item in mine if isinstance(item, SliceItem))

    def runs_without_shards(self, folder: Path) -> bool:
        """Whether only slices of a directory run, so that no shard item speaks of its documents."""
        return folder in self._wanted

    def account(self, folder: Path, shard: Shard, subject: Subject) -> Mapping[str, Any]:
        """Return the account of a shard, scored now unless a process of this run did so before."""
        with without_raised_warnings(shown=self.settings.reveal == "text"):
            return self._store.account(*self._keyed(folder, shard, subject))

    def total(self, folder: Path, slice_id: str, subject: Subject) -> SlicePart:
        """Return the counts of a slice; shards that nobody scored so far are scored now."""
        shards = self.directories[folder].shards_of(slice_id)
        with without_raised_warnings(shown=self.settings.reveal == "text"):
            return self._store.total(slice_id, (self._keyed(folder, one, subject) for one in shards))

    def _keyed(self, folder: Path, shard: Shard, subject: Subject) -> tuple[str, Callable[[], ShardEvidence]]:
        scoring = self._scorings.get(folder)
        if scoring is None:
            scoring = self._scorings[folder] = self.directories[folder].scoring(subject)
        key = sha256(f"{shard.path}::{shard.name}".encode())[7:47]
        return key, lambda: self._scored(shard, scoring, folder, key)

    def _scored(self, shard: Shard, scoring: Scoring, folder: Path, key: str) -> ShardEvidence:
        """Score a shard; what became of its documents is kept beside, where somebody asked for that."""
        wanted = self._wanted.get(folder)
        if self._run_directory is None or not self.settings.keeps_outcomes:
            return score_shard(shard, scoring, wanted)
        from pytest_pii_eval.collection.quality.spool import spooled  # noqa: PLC0415  # only when asked for

        with spooled(self._run_directory, key, shard, scoring) as spool:
            return score_shard(shard, scoring, wanted, spool)
