"""The nodes of the freezes file: an item a rule, and in a sealed run the shards and slices of the freeze."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from pytest_pii_eval.collection.failures import CaseFailure, NothingToJudge
from pytest_pii_eval.collection.freezes.met_rules import MET_RULES
from pytest_pii_eval.collection.freezes.sealed_set import sealed_membership
from pytest_pii_eval.collection.freezes.standing import standing_of
from pytest_pii_eval.collection.nodes import QUALITY, TextFreeFile, TextFreeItem
from pytest_pii_eval.collection.quality.nodes import gap_item, shard_item, slice_item
from pytest_pii_eval.contracts.collector import paused_collector
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.finding import fail
from pytest_pii_eval.freezes.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pytest

    from pytest_pii_eval.collection.quality.directory import QualityDirectory
    from pytest_pii_eval.contracts.freezes_file import FreezesFile
    from pytest_pii_eval.freezes.finding import Finding
    from pytest_pii_eval.freezes.standing import Standing

PLAN = (*RULES, *MET_RULES)
"""The names of all rules, in order."""


class FreezesNode(TextFreeFile):
    """The freezes file; becomes one item a rule, named after it."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the rules, then what a sealed run scores."""
        suite = self.suite
        suite.freezes_were_met = True
        suite.subject_is_needed = suite.subject_is_needed or not suite.settings.asks_a_bank
        try:
            file = suite.freezes
        except Fault as fault:
            self.refuse(fault)
        if file is None:
            self.refuse(Fault("does not exist", file=suite.settings.shown(self.path)))
        for name in PLAN:
            yield RuleItem.from_parent(self, name=name)
        if suite.settings.sealed is not None:
            yield from self._sealed(file, suite.settings.sealed.suite)

    @cached_property
    def standing(self) -> Standing:
        """What the rules look at, the same for all of them."""
        file = self.suite.freezes
        if file is None:
            raise Fault("does not exist", file=self.suite.settings.shown(self.path))
        return standing_of(file, self.suite.settings)

    def _sealed(self, file: FreezesFile, folder: Path) -> Iterator[pytest.Item]:
        suite = self.suite
        suite.subject_is_needed = True
        with suppress(Fault):  # the subject's own node reports it, once
            subject = suite.subject()
            try:
                with paused_collector():
                    membership = sealed_membership(file, suite.settings)
                    directory = suite.quality.directory(
                        folder, suite.known_bank, subject, membership=membership
                    )
            except Fault as fault:
                self.refuse(fault)
            if directory is not None and membership.one is not None:
                yield from self._items(directory, membership.one.key)

    def _items(self, directory: QualityDirectory, key: str) -> Iterator[pytest.Item]:
        for number, shard in enumerate(directory.shards, start=1):
            yield shard_item(self, directory.folder, shard, f"{key}.shard-{number:05}")
        for name in directory.plan.slices:
            yield slice_item(self, directory, name, 1)
        for name, gap in directory.plan.unsupported.items():
            yield gap_item(self, name, 1, gap.reason_code)


class RuleItem(TextFreeItem):
    """One rule about freezes: fails where it is broken, is skipped where nothing can be said."""

    parent: FreezesNode

    def check(self) -> None:
        """Leave the finding on the stash, then complain."""
        finding = self._finding()
        payload = {"rule": self.name, "verdict": finding.verdict, "reasons": finding.reasons}
        self.stash[QUALITY] = json.dumps(payload, sort_keys=True, separators=(",", ":"))
        if finding.verdict == "fail":
            raise CaseFailure("\n  ".join([f"rule {self.name} is broken", *finding.reasons]))
        if not finding.holds:
            raise NothingToJudge("; ".join(finding.reasons))

    def _finding(self) -> Finding:
        met = MET_RULES.get(self.name)
        try:
            return RULES[self.name](self.parent.standing) if met is None else met(self.parent.suite)
        except Fault as fault:
            return fail(str(fault))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return file, line from 0, and a name."""
        return self.path, 0, f"rule {self.name}"
