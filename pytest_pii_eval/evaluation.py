"""Evaluating without pytest: the same collection, scoring and report, called from Python."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pii_eval.collection.facts import Planned, only_slices, suite_facts
from pytest_pii_eval.collection.quality.shards import shard_payload
from pytest_pii_eval.collection.quality.verdicts import judge_evidence
from pytest_pii_eval.collection.running import run_case
from pytest_pii_eval.collection.subjects import BankSubject, DetectorSubject
from pytest_pii_eval.collection.suite import Suite
from pytest_pii_eval.collection.support import CHECKS
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.detectors.bank_detector import BankDetector
from pytest_pii_eval.detectors.vetting import vetted
from pytest_pii_eval.kinds import kind_of
from pytest_pii_eval.scoring.tally import Tally
from pytest_pii_eval.session.build import build_report, run_facts
from pytest_pii_eval.session.results import Results
from pytest_pii_eval.settings import default_settings
from pytest_pii_eval.silence import silenced

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from pytest_pii_eval.contracts.cases import CaseKind
    from pytest_pii_eval.detectors.protocol import Detector
    from pytest_pii_eval.reports.model import Report
    from pytest_pii_eval.scoring.documents import Document, Scope
    from pytest_pii_eval.scoring.evidence import Evidence


def score(documents: Iterable[Document], scope: Scope) -> Evidence:
    """Return the evidence of `documents` in `scope`, one document at a time, in any order.

    Evidence of parts adds up with `Evidence.merge`; docs/metrics.md says what every count means.
    """
    tally = Tally(scope)
    for document in documents:
        tally.add(document)
    return tally.evidence()


def evaluate(
    suite: str | os.PathLike[str],
    detector: Detector,
    *,
    types: Iterable[str] = (),
    shard_size: int = 500,
    label_map: str | None = None,
) -> Report:
    """Hold `detector` to every record and slice in the directory `suite`, a bank to its cases, too.

    What the detector prints, logs or warns is dropped, as in items: it may hold text of a document.
    `label_map` names the taxonomy's map for the labels of a detector that is no bank. Gates are those of the
    directory's suite file and the defaults. Raises `Fault` where a file breaks its contract; nothing is
    written, and `detector` is not closed.
    """
    folder = Path(suite).absolute()
    settings = default_settings(folder, types=frozenset(types), shard_size=shard_size)
    if isinstance(detector, BankDetector):
        bank = BankSubject(detector, settings.max_matches)
        return silenced(_Evaluation(folder, Suite(settings, bank)).report)
    name = type(detector).__name__
    settings = settings._replace(detector=name, label_map=label_map)
    subject = DetectorSubject(vetted(detector, name), label_map=label_map)
    return silenced(_Evaluation(folder, Suite(settings, subject)).report)


class _Evaluation:
    """One evaluation: fills `Results` as items of a pytest run would."""

    def __init__(self, folder: Path, suite: Suite) -> None:
        self._folder = folder
        self._suite = suite
        self._results = Results()
        self._started = time.time()

    def report(self) -> Report:
        """Run everything and build the report."""
        kinds = {path: kind_of(path, self._suite.settings) for path in sorted(self._folder.iterdir())}
        if not any(kinds.values()):
            raise Fault("holds no file of a suite", file=self._folder.name)
        for path, kind in kinds.items():
            if kind in ("positive", "negative") and self._suite.settings.asks_a_bank:
                self._cases(path, kind)
        if "records" in kinds.values() or "slices" in kinds.values():
            self._slices()
        self._facts()
        if not only_slices(self._suite):
            self._support()
        return build_report(self._results, run_facts(self._started))

    def _cases(self, path: Path, kind: CaseKind) -> None:
        for _, case in self._suite.read_cases(path, kind):
            outcome = run_case(self._suite, case)
            nodeid = f"{self._suite.settings.shown(path)}::{case.case_id}"
            self._settle(nodeid, failed=outcome.failure is not None)
            self._results.evidence[nodeid] = outcome.evidence

    def _support(self) -> None:
        for name, check in CHECKS.items():
            self._settle(f"bank::{name}", failed=check(self._suite) is not None)

    def _slices(self) -> None:
        suite = self._suite
        directory = suite.quality.directory(self._folder, suite.known_bank, suite.subject())
        if directory is None:
            return
        subject = suite.subject()
        for shard in directory.shards:
            account = suite.quality.account(self._folder, shard, subject)
            nodeid = f"{shard.file}::{shard.name}"
            self._settle(nodeid, failed=bool(account["failed"]))
            self._results.quality[nodeid] = shard_payload(account)
        for name, one in directory.plan.slices.items():
            if not (directory.documents[name] or one.promotion_gate):
                continue  # skipped in a run, too; the report names it as unsupported
            verdict = judge_evidence(directory, name, suite.quality.total(self._folder, name, subject))
            self._settle(f"slices::{name}", failed=bool(verdict.complaints))
            self._results.quality[f"slices::{name}"] = verdict.payload

    def _settle(self, nodeid: str, *, failed: bool) -> None:
        self._results.plan([nodeid])
        self._results.outcomes[nodeid] = "failed" if failed else "passed"

    def _facts(self) -> None:
        files = self._suite.files.values()
        counts = {kind: self._suite.count(kind) for kind in ("positive", "negative")}
        occurrences = sum(census.occurrences for census in files)
        planned = Planned(counts["positive"], counts["negative"], occurrences, whole=True, every_item=True)
        self._results.facts = json.loads(suite_facts(self._suite, planned))
