"""The nodes of quality suites: one item a shard of documents, one a slice, one a declared gap."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_pii_eval.collection.failures import CaseFailure, NothingToJudge
from pytest_pii_eval.collection.nodes import QUALITY, TextFreeFile, TextFreeItem
from pytest_pii_eval.collection.quality.origins import NO_TEMPLATE_IN_BOTH, shared_templates
from pytest_pii_eval.collection.quality.shards import shard_payload
from pytest_pii_eval.collection.quality.verdicts import judge_evidence
from pytest_pii_eval.contracts.collector import paused_collector
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.reports.words import many

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_pii_eval.collection.quality.directory import QualityDirectory
    from pytest_pii_eval.collection.quality.origins import Origins
    from pytest_pii_eval.collection.quality.shards import Shard


class _QualityFile(TextFreeFile):
    """A file of a quality suite."""

    def quality(self) -> QualityDirectory | None:
        """Return the suite of this directory, or None where its fault was reported before."""
        suite = self.suite
        suite.subject_is_needed = True
        try:
            subject = suite.subject()
        except Fault:
            return None  # the subject's own node reports it, once
        try:
            with paused_collector():
                return suite.quality.directory(self.path.parent, suite.known_bank, subject)
        except Fault as fault:
            self.refuse(fault)


class RecordsFile(_QualityFile):
    """Documents with gold; becomes one item a shard."""

    def collect(self) -> Iterator[ShardItem]:
        """Yield the shards of this file."""
        directory = self.quality()
        for shard in directory.shards_in(self.path) if directory else ():
            yield shard_item(self, self.path.parent, shard, shard.name)


class SlicesFile(_QualityFile):
    """A frozen slice plan; becomes one item a slice."""

    def collect(self) -> Iterator[SliceItem]:
        """Yield the slices of this file, in the order of their rows."""
        directory = self.quality()
        if directory is None:
            return
        for slice_id, line in directory.ids_in(self.path).items():
            yield slice_item(self, directory, slice_id, line)


class UnsupportedFile(_QualityFile):
    """Declared gaps; becomes one skipped item a gap."""

    def collect(self) -> Iterator[GapItem]:
        """Yield the gaps, each skipped with its reason code."""
        directory = self.quality()
        if directory is None:
            return
        for gap_id, line in directory.ids_in(self.path).items():
            yield gap_item(self, gap_id, line, directory.plan.unsupported[gap_id].reason_code)


class ProvenanceFile(_QualityFile):
    """The sidecar that says where each document comes from.

    It has an item where its suite holds both a train and a test split, and no freezes file has that rule.
    """

    def collect(self) -> Iterator[pytest.Item]:
        """Check the directory, and with it that the sidecar covers its records exactly."""
        directory = self.quality()
        if directory is None or directory.origins is None or directory.membership.file is not None:
            return
        if self.path == next(directory.files("provenance"), None):
            item: SplitItem = SplitItem.from_parent(self, name=NO_TEMPLATE_IN_BOTH)
            item.origins = directory.origins
            yield item


class SplitItem(TextFreeItem):
    """That no template of a suite is in its train and in its test split, whatever F1 says."""

    origins: Origins

    def check(self) -> None:
        """Raise where there are such templates (spec/evaluation.md, "Sets")."""
        count = shared_templates([self.origins])
        if count:
            raise CaseFailure(f"{self.name}: {count:,} templates are in split role train and in test")

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return file, line from 0, and a name."""
        return self.path, 0, f"split {self.name}"


class _QualityItem(TextFreeItem):
    """An item of a quality suite; `folder` is where the files of the suite lie."""

    parent: TextFreeFile
    folder: Path


class ShardItem(_QualityItem):
    """One shard: the detector answered for each document within its limits."""

    shard: Shard

    def check(self) -> None:
        """Scan the shard, leave its evidence on the stash, then complain of documents without an answer."""
        suite = self.parent.suite
        account = suite.quality.account(self.folder, self.shard, suite.subject())
        self.stash[QUALITY] = shard_payload(account)
        failed = account["failed"]
        if failed:
            reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(failed.items()))
            line = account["first_failure"]
            raise CaseFailure(
                f"{self.name}: {sum(failed.values())} of {account['documents']} documents have no answer"
                f" ({reasons}; first at line {line}); their gold counts as missed and leaked"
            )

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return file, first line from 0, and a name."""
        return self.path, self.shard.line - 1, f"documents {self.name}"


class SliceItem(_QualityItem):
    """One slice: its gates hold on all of its documents."""

    line: int

    def check(self) -> None:
        """Add up the shards of the slice, leave evidence and verdicts on the stash, then complain."""
        folder, suite = self.folder, self.parent.suite
        quality = suite.quality
        total = quality.total(folder, self.name, suite.subject())
        alone = quality.runs_without_shards(folder)
        verdict = judge_evidence(quality.directories[folder], self.name, total, alone=alone)
        self.stash[QUALITY] = verdict.payload
        if verdict.complaints:
            head = f"slice {self.name}: {many(len(verdict.complaints), 'complaint')}"
            raise CaseFailure("\n  ".join([head, *verdict.complaints]))
        if verdict.unsupported is not None:
            raise NothingToJudge(verdict.unsupported)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return file, line from 0, and a name."""
        return self.path, self.line - 1, f"slice {self.name}"


class GapItem(TextFreeItem):
    """One declared gap; always skipped."""

    line: int

    def check(self) -> None:
        """Do nothing: the mark skips it before."""

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return file, line from 0, and a name."""
        return self.path, self.line - 1, f"gap {self.name}"


def shard_item(parent: TextFreeFile, folder: Path, shard: Shard, name: str) -> ShardItem:
    """Return the item of a shard of the suite in `folder`."""
    item: ShardItem = ShardItem.from_parent(parent, name=name)
    item.folder, item.shard = folder, shard
    return item


def slice_item(parent: TextFreeFile, directory: QualityDirectory, slice_id: str, line: int) -> SliceItem:
    """Return the item of a slice; it is skipped where nobody is in it and nothing depends on it."""
    item: SliceItem = SliceItem.from_parent(parent, name=slice_id)
    item.folder, item.line = directory.folder, line
    one = directory.plan.slices[slice_id]
    item.extra_keyword_matches.update({one.entity_class, one.cohort})
    if not directory.documents[slice_id] and not one.promotion_gate:
        item.add_marker(pytest.mark.skip(reason="empty_population"))
    return item


def gap_item(parent: TextFreeFile, name: str, line: int, reason: str) -> GapItem:
    """Return the skipped item of what is not measured, with its reason."""
    item: GapItem = GapItem.from_parent(parent, name=name)
    item.line = line
    item.add_marker(pytest.mark.skip(reason=reason))
    return item
