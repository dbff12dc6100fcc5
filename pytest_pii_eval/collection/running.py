"""Running one case: read its row again, scan, judge; the text of the case lives in these frames only."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from pytest_pii_eval.collection.failures import CaseFailure, Narrator
from pytest_pii_eval.contracts.files import open_descriptor
from pytest_pii_eval.contracts.jsonl import parse_row
from pytest_pii_eval.detectors.bank.errors import ScanFailure
from pytest_pii_eval.scoring.conformance import (
    CORRECT,
    MISSED,
    CaseEvidence,
    encode,
    encode_positive,
    judge_positive,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_pii_eval.collection.suite import Suite
    from pytest_pii_eval.contracts.cases import Case, CaseKind
    from pytest_pii_eval.contracts.patterns import Match

_SCAN_LIMITS = {
    "input_limit": "the text is larger than the engine takes",
    "match_limit": "raised more records than the limit of {max_matches:,} a case (ini pii_max_matches)",
    "time_limit": "took longer than the limit of {time_limit:g} s a case (ini pii_time_limit)",
}


class RowPlace(NamedTuple):
    """Where a row lies: bytes offset and size in its file, line from 1, and a hash of its bytes."""

    offset: int
    size: int
    line: int
    digest: int


class CaseOutcome(NamedTuple):
    """The evidence of a case as JSON, and the text of its failure or None."""

    evidence: str
    failure: str | None


class RowReader:
    """Reads rows by place; keeps the file of the last one open."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._path: Path | None = None
        self._descriptor = -1

    def read(self, path: Path, place: RowPlace) -> bytes:
        """Return the bytes of a row; raises `CaseFailure` where they are not those collected."""
        if path is not self._path:
            self.close()
            self._descriptor = open_descriptor(path, root=self._root)
            self._path = path
        os.lseek(self._descriptor, place.offset, os.SEEK_SET)
        raw = os.read(self._descriptor, place.size)
        if hash(raw) != place.digest:
            raise CaseFailure(f"line {place.line} of {path.name} changed while the run went on; run again")
        return raw

    def close(self) -> None:
        """Close the file that is open, if one is."""
        if self._path is not None:
            os.close(self._descriptor)
            self._path = None


def read_case(suite: Suite, path: Path, kind: CaseKind, place: RowPlace) -> Case:
    """Return the case at `place`, which was checked when it was collected."""
    return suite.contract(kind).restore(parse_row(suite.rows.read(path, place)))


def run_case(suite: Suite, case: Case) -> CaseOutcome:
    """Scan `case` with the whole bank and judge what was found."""
    try:
        matches = suite.detector().scan(case.text, max_matches=suite.settings.max_matches)
    except ScanFailure as failure:
        return _failed_scan(suite, case, failure.reason)
    return _positive(suite, case, matches) if case.kind == "positive" else _negative(suite, case, matches)


def _positive(suite: Suite, case: Case, matches: Sequence[Match]) -> CaseOutcome:
    outcomes = judge_positive(case.expected, matches, suite.bank.patterns)
    pairs = [(wanted.pattern, outcome) for wanted, outcome in zip(case.expected, outcomes, strict=True)]
    evidence = encode_positive(case.tags, pairs)
    failure = None
    if outcomes.count(CORRECT) != len(outcomes):
        failure = _narrator(suite).positive(case, outcomes, matches)
    return CaseOutcome(evidence, failure)


def _negative(suite: Suite, case: Case, matches: Sequence[Match]) -> CaseOutcome:
    patterns = suite.bank.patterns
    entities = tuple(sorted({patterns[match.pattern].entity_id for match in matches}))
    evidence = CaseEvidence("negative", case.tags, hits=len(matches), hit_entities=entities)
    return CaseOutcome(encode(evidence), _narrator(suite).negative(case, matches) if matches else None)


def _failed_scan(suite: Suite, case: Case, reason: str) -> CaseOutcome:
    pairs = tuple((wanted.pattern, MISSED) for wanted in case.expected)
    evidence = CaseEvidence(case.kind, case.tags, pairs, failure=reason)
    rule = _SCAN_LIMITS[reason].format(
        max_matches=suite.settings.max_matches, time_limit=suite.settings.time_limit
    )
    return CaseOutcome(encode(evidence), f"case {case.case_id}: the scan {rule}")


def _narrator(suite: Suite) -> Narrator:
    return Narrator(suite.bank.patterns, suite.settings.reveal)
