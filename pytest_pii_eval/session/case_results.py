"""What became of single cases, whatever items held them: for the audit, where every case is a row."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, final

from pytest_pii_eval.scoring.case_groups import (
    EVERY_CASE,
    is_group,
    pattern_group,
    reason_group,
    unpack_group,
)
from pytest_pii_eval.scoring.conformance import decode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_pii_eval.scoring.conformance import CaseEvidence
    from pytest_pii_eval.session.results import Results
    from pytest_pii_eval.settings import Settings


class CaseResult(NamedTuple):
    """The outcome of one case as pytest words it, or `missing`, and its evidence where there is any."""

    outcome: str
    evidence: CaseEvidence | None


@final
class CaseResults:
    """Finds the item that held the case in a row, and in what that item left, the result of the case."""

    def __init__(self, settings: Settings, results: Results) -> None:
        self._settings = settings
        self._results = results
        self._groups: dict[str, Mapping[str, str | None]] = {}

    def item(self, row: Mapping[str, Any]) -> str:
        """Return the name of the item that holds the case in `row`."""
        if self._settings.items == "case":
            return str(row.get("case_id"))
        if self._settings.items == "file":
            return EVERY_CASE
        if "expected" not in row:
            return reason_group(str(row.get("reason_code")))
        first = row["expected"][0]
        return pattern_group(self._patterns[first["entity_id"], first["name_id"], first["pattern_id"]])

    def result(self, nodeid: str, case_id: str) -> CaseResult:
        """Return the result of a case that the item `nodeid` holds."""
        outcome = self._results.outcomes.get(nodeid, "missing")
        evidence = self._results.evidence.get(nodeid)
        if evidence is None:
            return CaseResult(outcome, None)
        if not is_group(evidence):
            return CaseResult(outcome, decode(evidence))
        return _of_group(self._cases(nodeid, evidence), case_id)

    def _cases(self, nodeid: str, evidence: str) -> Mapping[str, str | None]:
        if nodeid not in self._groups:
            self._groups[nodeid] = unpack_group(evidence).cases
        return self._groups[nodeid]

    @cached_property
    def _patterns(self) -> Mapping[tuple[str, str, str], int]:
        """The number of each active pattern: an xdist controller has no bank, so it is loaded here."""
        from pytest_pii_eval.contracts.bank import load_bank  # noqa: PLC0415  # heavy, and only here

        bank = self._settings.bank
        return {} if bank is None else load_bank(bank, root=self._settings.root).index()


def _of_group(cases: Mapping[str, str | None], case_id: str) -> CaseResult:
    """Return the result of a case in a group that told of each; one that it did not reach is missing."""
    if case_id not in cases:
        return CaseResult("missing", None)
    own = cases[case_id]
    if own is None:  # what looked into the case broke on it
        return CaseResult("failed", None)
    evidence = decode(own)
    return CaseResult("passed" if evidence.passed else "failed", evidence)
