"""From the counts of a run without pytest to its report: `Results` filled as items would fill them."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any, final

from pytest_pii_eval.collection.facts import Planned, only_slices, suite_facts
from pytest_pii_eval.collection.quality.shards import shard_payload
from pytest_pii_eval.collection.quality.verdicts import judge_evidence
from pytest_pii_eval.collection.support import CHECKS
from pytest_pii_eval.session.build import build_report, run_facts
from pytest_pii_eval.session.results import Results

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_pii_eval.collection.quality.directory import QualityDirectory
    from pytest_pii_eval.collection.quality.shard_evidence import SlicePart
    from pytest_pii_eval.collection.suite import Suite
    from pytest_pii_eval.reports.model import Report


@final
class Reckoning:
    """What a run of a whole suite came to so far; the suite knows its files, this what became of them."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self._started = time.time()
        self._shards = 0
        self.results = Results()

    def cases(self, nodeid: str, evidence: str, *, failed: bool) -> None:
        """Take the evidence of cases, as `run_group` gives it, and whether any of them failed."""
        self._settle(nodeid, failed=failed)
        self.results.evidence[nodeid] = evidence

    def shard(self, nodeid: str, account: Mapping[str, Any]) -> None:
        """Take the account of some documents: of one shard, or of many together."""
        self._settle(nodeid, failed=bool(account["failed"]))
        self.results.quality[nodeid] = shard_payload(account)
        self._shards += 1

    def miss(self, nodeid: str) -> None:
        """Name what was planned and gave no verdict."""
        self.results.plan([nodeid])

    def slices(self, directory: QualityDirectory, total: Callable[[str], SlicePart]) -> None:
        """Judge every slice of `directory` by its `total`."""
        for name, one in directory.plan.slices.items():
            if not (directory.documents[name] or one.promotion_gate):
                continue  # skipped in a run, too; the report names it as unsupported
            verdict = judge_evidence(directory, name, total(name))
            self._settle(f"slices::{name}", failed=bool(verdict.complaints))
            self.results.quality[f"slices::{name}"] = verdict.payload

    def report(self, *, processes: int = 1) -> Report:
        """Check what supports a verdict about a bank, and build the report."""
        self._facts()
        if not only_slices(self._suite):
            self._support()
        run = run_facts(self._started, processes=processes)
        return build_report(self.results, run, max_p95_ms=self._suite.settings.max_p95_ms)

    def _settle(self, nodeid: str, *, failed: bool) -> None:
        self.results.plan([nodeid])
        self.results.outcomes[nodeid] = "failed" if failed else "passed"

    def _support(self) -> None:
        for name, check in CHECKS.items():
            self._settle(f"bank::{name}", failed=check(self._suite) is not None)

    def _facts(self) -> None:
        files = self._suite.files.values()
        counts = {kind: self._suite.count(kind) for kind in ("positive", "negative")}
        occurrences = sum(census.occurrences for census in files)
        planned = Planned(counts["positive"], counts["negative"], occurrences, whole=True, every_item=True)
        facts = json.loads(suite_facts(self._suite, planned))
        if facts["quality"] is not None:
            facts["quality"]["shards"] = self._shards  # each was told, alone or together with others
        self.results.facts = facts
