"""The nodes of a corpora file: for each prepared corpus its shards, its slice and its gaps; else one item."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from pytest_pii_eval.collection.corpora.opening import Absent, open_corpora
from pytest_pii_eval.collection.failures import CaseFailure
from pytest_pii_eval.collection.nodes import TextFreeFile, TextFreeItem
from pytest_pii_eval.collection.quality.nodes import gap_item, shard_item, slice_item
from pytest_pii_eval.contracts.collector import paused_collector
from pytest_pii_eval.contracts.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pytest

    from pytest_pii_eval.collection.corpora.corpus import Corpus


class CorporaNode(TextFreeFile):
    """A corpora file; a corpus that does not match its pin stops the run here."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the items of every corpus that was asked for, in the order of the file."""
        suite = self.suite
        suite.subject_is_needed = True
        suite.corpora_were_met = True
        opened: list[Corpus | Absent] = []
        try:
            opened.extend(open_corpora(self.path, suite.settings, suite.make_adapter))
        except Fault as fault:
            self.refuse(fault)
        for one in opened:
            yield from self._absent(one) if isinstance(one, Absent) else self._present(one)
        self._check_types()

    def _check_types(self) -> None:
        asked, directories = self.suite.settings.types, self.suite.quality.directories.values()
        if (
            asked
            and directories
            and not any(scope.types for one in directories for scope in one.scopes.values())
        ):
            self.refuse(Fault("--pii-types: no slice has any of these types in its scope"))

    def _present(self, corpus: Corpus) -> Iterator[pytest.Item]:
        suite = self.suite
        with suppress(Fault):  # the subject's own node reports it, once
            subject = suite.subject()
            try:
                with paused_collector():
                    directory = suite.quality.directory(
                        corpus.folder, suite.known_bank, subject, corpus=corpus
                    )
            except Fault as fault:
                self.refuse(fault)
            if directory is None:
                return
            key = corpus.pin.key
            for shard in directory.shards:
                yield shard_item(self, corpus.folder, shard, f"{key}.{shard.name}")
            yield slice_item(self, directory, key, 1)
            for gap in corpus.pin.gaps:
                yield gap_item(self, gap.id, 1, gap.reason_code)

    def _absent(self, one: Absent) -> Iterator[pytest.Item]:
        try:
            self.suite.quality.declare_absent(one.key, one.command)
        except Fault as fault:
            self.refuse(fault)
        reason = f"the corpus is not prepared here; run: {one.command}"
        if not self.suite.settings.require_corpora:
            yield gap_item(self, one.key, 1, reason)
            return
        item: MissingCorpus = MissingCorpus.from_parent(self, name=one.key)
        item.reason = reason
        yield item


class MissingCorpus(TextFreeItem):
    """A corpus that is required and not prepared; always fails."""

    reason: str

    def check(self) -> None:
        """Say which command prepares it."""
        raise CaseFailure(f"{self.name}: {self.reason}")

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return file, line from 0, and a name."""
        return self.path, 0, f"corpus {self.name}"
