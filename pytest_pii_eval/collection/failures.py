"""What a failed case says: ids of case and entity, what happened, byte spans; more only where revealed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.scoring.conformance import CORRECT, MISSED, WRONG_CANONICAL
from pytest_pii_eval.withheld import InternalError, withheld

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pii_eval.contracts.cases import Case
    from pytest_pii_eval.contracts.patterns import ActivePattern, Match
    from pytest_pii_eval.scoring.conformance import Outcome
    from pytest_pii_eval.settings import Reveal

_MAX_LINES = 20


class CaseFailure(Exception):
    """A case that does not hold; its text is all that output may show."""


class NothingToJudge(Exception):
    """Evidence that supports no verdict; its text is the reason code, and the item is skipped for it."""


def one_line(error: BaseException) -> str:
    """Return what output may show of `error`: its text where it is ours, else its type and place."""
    if isinstance(error, (CaseFailure, pytest.Collector.CollectError, Fault, InternalError)):
        return str(error)
    return withheld(error)


class Narrator:
    """Writes failure texts at one level of disclosure."""

    def __init__(self, patterns: Sequence[ActivePattern], reveal: Reveal) -> None:
        self._patterns = patterns
        self._reveal = reveal

    def positive(self, case: Case, outcomes: Sequence[Outcome], matches: Sequence[Match]) -> str:
        """Say which expected records were not mapped, and what stood in their way."""
        missed = outcomes.count(MISSED)
        wrong = outcomes.count(WRONG_CANONICAL)
        head = (
            f"case {case.case_id}: {missed + wrong} of {len(outcomes)} expected records not mapped"
            f" ({missed} missed, {wrong} wrong canonical)"
        )
        return _bounded([head, *self._unmapped(case, outcomes, matches)])

    def negative(self, case: Case, matches: Sequence[Match]) -> str:
        """Say which entities matched where nothing may match."""
        head = f"case {case.case_id}: {len(matches)} unexpected hits in a negative case"
        payload = case.text.encode("utf-8")
        return _bounded([head, *(f"{self._record(match, payload)} matched" for match in matches)])

    def _unmapped(self, case: Case, outcomes: Sequence[Outcome], matches: Sequence[Match]) -> Iterator[str]:
        payload = case.text.encode("utf-8")
        for wanted, outcome in zip(case.expected, outcomes, strict=True):
            if outcome != CORRECT:
                yield f"{self._record(wanted, payload)}: {self._why(wanted, outcome, matches, payload)}"

    def _why(
        self, wanted: tuple[int, int, int], outcome: Outcome, matches: Sequence[Match], payload: bytes
    ) -> str:
        start, end, index = wanted
        entity = self._patterns[index].entity_id
        overlapping = [match for match in matches if match.start < end and start < match.end]
        own = [match for match in overlapping if self._patterns[match.pattern].entity_id == entity]
        if outcome == WRONG_CANONICAL:
            name = self._patterns[index].name_id
            rival = next(
                match
                for match in own
                if match[:2] == (start, end) and self._patterns[match.pattern].name_id != name
            )
            named = self._named(rival, payload)
            return f"wrong canonical, shadowed by another name of the same entity{named}"
        if own:
            return f"missed, shadowed by the same entity's pattern at {self._record(own[0], payload)}"
        if overlapping:
            return f"missed, another entity's pattern matched at {self._record(overlapping[0], payload)}"
        return "missed, nothing matched there"

    def _record(self, record: tuple[int, int, int], payload: bytes) -> str:
        start, end, index = record
        return f"{self._patterns[index].entity_id} bytes {start}..{end}{self._named(record, payload)}"

    def _named(self, record: tuple[int, int, int], payload: bytes) -> str:
        if self._reveal == "none":
            return ""
        start, end, index = record
        pattern = self._patterns[index]
        ids = f" ({pattern.name_id}/{pattern.pattern_id})"
        if self._reveal == "ids":
            return ids
        return f"{ids} {payload[start:end].decode('utf-8', 'replace')!r}"


def _bounded(lines: list[str]) -> str:
    shown = lines[: _MAX_LINES + 1]
    if len(lines) > len(shown):
        shown.append(f"and {len(lines) - len(shown)} more")
    return "\n  ".join(shown)
