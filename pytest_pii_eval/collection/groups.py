"""Running a group of cases as one: their evidence added up, and what those say that do not hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, final

from pytest_pii_eval.collection.failures import one_line
from pytest_pii_eval.collection.running import encoded, judge_case
from pytest_pii_eval.scoring.case_groups import GroupEvidence, pack_group
from pytest_pii_eval.scoring.conformance import ConformanceTally

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_pii_eval.collection.suite import Suite
    from pytest_pii_eval.contracts.cases import Case

MOST_TOLD: Final = 50
"""Cases of a group that are told one by one; those beyond are only counted."""


class GroupOutcome(NamedTuple):
    """The evidence of a group as JSON, and what failed cases say: the first ones, then how many more."""

    evidence: str
    failures: list[str]


def run_group(suite: Suite, cases: Iterable[Case]) -> GroupOutcome:
    """Scan and judge every case; whatever a detector raises in one is the failure of that case alone.

    An interrupt, and what `cases` itself raises, pass through: `GroupRun` keeps what was found until then.
    """
    run = GroupRun(suite)
    run.take(cases)
    return run.outcome()


@final
class GroupRun:
    """A group on its way; `done` counts the cases that were judged, `failed` those that do not hold."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self._tally = ConformanceTally()
        self._told: list[str] = []
        self._cases: dict[str, str | None] | None = {} if suite.settings.audit_dir is not None else None
        self.done = 0
        self.failed = 0

    def take(self, cases: Iterable[Case]) -> None:
        """Judge `cases` one after another."""
        suite, total, entity_of = self._suite, self._tally, self._suite.entity_of
        for case in cases:
            evidence = None
            try:
                evidence, failure = judge_case(suite, case)
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # noqa: BLE001  # SystemExit and pytest's own outcomes too: all are the detector's
                failure = f"case {case.case_id}: {one_line(error)}"
            if evidence is not None:
                total.add(evidence, entity_of)
            if failure is not None:
                self._fail(failure)
            if self._cases is not None:
                self._cases[case.case_id] = None if evidence is None else encoded(evidence)
            self.done += 1

    def outcome(self, *, left: int = 0) -> GroupOutcome:
        """Return what was found so far; `left` counts the cases that were not reached."""
        evidence = pack_group(GroupEvidence(self._tally, left, self._cases or {}))
        return GroupOutcome(evidence, with_the_rest(self._told, self.failed))

    def _fail(self, failure: str) -> None:
        self.failed += 1
        if self.failed <= MOST_TOLD:
            self._told.append(failure)


def with_the_rest(told: list[str], failed: int) -> list[str]:
    """Return what the first of the `failed` cases say, and a line that counts those beyond."""
    more = failed - len(told)
    return [*told, f"and {more:,} more failed cases"] if more else list(told)
