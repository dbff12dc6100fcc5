"""Evaluating without pytest: the same collection, scoring and report, called from Python."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pii_eval.collection.groups import run_group
from pytest_pii_eval.collection.subjects import BankSubject, DetectorSubject
from pytest_pii_eval.collection.suite import Suite
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.detectors.bank_detector import BankDetector
from pytest_pii_eval.detectors.vetting import vetted
from pytest_pii_eval.kinds import kind_of
from pytest_pii_eval.reckoning import Reckoning
from pytest_pii_eval.scoring.tally import Tally
from pytest_pii_eval.settings import default_settings
from pytest_pii_eval.silence import silenced

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

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
    """One evaluation: goes over the files of a folder as pytest's collection would."""

    def __init__(self, folder: Path, suite: Suite) -> None:
        self._folder = folder
        self._suite = suite
        self._reckoning = Reckoning(suite)

    def report(self) -> Report:
        """Run everything and build the report."""
        kinds = {path: kind_of(path, self._suite.settings) for path in sorted(self._folder.iterdir())}
        if not any(kinds.values()):
            raise Fault("holds no file of a suite", file=self._folder.name)
        for path, kind in kinds.items():
            if kind in ("positive", "negative") and self._suite.settings.asks_a_bank:
                cases = (case for _, case in self._suite.read_cases(path, kind))
                evidence, failures = run_group(self._suite, cases)
                self._reckoning.cases(path.name, evidence, failed=bool(failures))
        if "records" in kinds.values() or "slices" in kinds.values():
            self._slices()
        return self._reckoning.report()

    def _slices(self) -> None:
        suite = self._suite
        subject = suite.subject()
        directory = suite.quality.directory(self._folder, suite.known_bank, subject)
        if directory is None:
            return
        for shard in directory.shards:
            account = suite.quality.account(self._folder, shard, subject)
            self._reckoning.shard(f"{shard.file}::{shard.name}", account)
        self._reckoning.slices(directory, lambda name: suite.quality.total(self._folder, name, subject))
