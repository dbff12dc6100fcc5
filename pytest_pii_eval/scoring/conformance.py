"""Catalog conformance, pure: from expected records and matches to outcomes, evidence and the aggregate."""

from __future__ import annotations

import json
from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pytest_pii_eval.scoring.conformance_counts import ClassCounts, TagCounts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_pii_eval.contracts.cases import Expected
    from pytest_pii_eval.contracts.patterns import ActivePattern, Match

Outcome = Literal["correct", "missed", "wrong_canonical"]

CORRECT: Outcome = "correct"
MISSED: Outcome = "missed"
WRONG_CANONICAL: Outcome = "wrong_canonical"


class CaseEvidence(NamedTuple):
    """What one case showed.

    `outcomes` pairs the index of each expected pattern with what became of it, in the order of the
    case; `hits` counts the records a negative case raised and `hit_entities` names whose they were.
    A case whose scan broke a limit carries the reason in `failure`; all it expected counts as missed.
    """

    kind: Literal["positive", "negative"]
    tags: tuple[str, ...]
    outcomes: tuple[tuple[int, Outcome], ...] = ()
    hits: int = 0
    hit_entities: tuple[str, ...] = ()
    failure: str | None = None

    @property
    def passed(self) -> bool:
        """Whether the case holds: everything mapped, or nothing found where nothing may be."""
        if self.failure is not None:
            return False
        if self.kind == "negative":
            return not self.hits
        return all([outcome == CORRECT for _, outcome in self.outcomes])  # noqa: C419  # a hot path


_CODES: tuple[Outcome, ...] = (CORRECT, MISSED, WRONG_CANONICAL)
_CODE_OF = {outcome: code for code, outcome in enumerate(_CODES)}


def encode(evidence: CaseEvidence) -> str:
    """Return the evidence as compact JSON: pattern indices, outcome codes, entity ids and tags, no text."""
    payload: dict[str, object] = {"k": evidence.kind, "t": evidence.tags}
    if evidence.outcomes:
        payload["o"] = [(pattern, _CODE_OF[outcome]) for pattern, outcome in evidence.outcomes]
    if evidence.hits:
        payload["h"] = evidence.hits
        payload["e"] = evidence.hit_entities
    if evidence.failure is not None:
        payload["f"] = evidence.failure
    return _ENCODE(payload)


def encode_positive(tags: tuple[str, ...], outcomes: Sequence[tuple[int, Outcome]]) -> str:
    """Return what `encode` returns for a positive case that was scanned: most cases are that."""
    pairs = ",".join([f"[{pattern},{_CODE_OF[outcome]}]" for pattern, outcome in outcomes])
    return f'{_head_of_positive(tags)},"o":[{pairs}]}}'


@cache
def _head_of_positive(tags: tuple[str, ...]) -> str:
    return encode(CaseEvidence("positive", tags))[:-1]


def decode(payload: str) -> CaseEvidence:
    """Return the evidence that `encode` wrote."""
    value = _DECODE(payload)
    return CaseEvidence(
        value["k"],
        tuple(value["t"]),
        tuple([(pattern, _CODES[code]) for pattern, code in value.get("o", ())]),
        value.get("h", 0),
        tuple(value.get("e", ())),
        value.get("f"),
    )


_ENCODE = json.JSONEncoder(separators=(",", ":")).encode
_DECODE = json.JSONDecoder().decode


_ONE_CORRECT = (CORRECT,)


def judge_positive(
    expected: Sequence[Expected], matches: Sequence[Match], patterns: Sequence[ActivePattern]
) -> tuple[Outcome, ...]:
    """Return the outcome of each expected record, in the order given.

    Exact matches are reserved first for all expected records. Of what is left, an unused match of the
    same entity and span under another name or canonical name makes a record *wrong canonical*; the
    same canonical identity by another pattern is a *miss* (spec/bank.md, "Conformance classification").
    """
    if len(expected) == 1:  # most cases are that
        only: tuple[int, int, int] = expected[0]
        if only in matches:
            return _ONE_CORRECT
    unused: set[tuple[int, int, int]] = set(matches)
    outcomes: list[Outcome] = [MISSED] * len(expected)
    for position, wanted in enumerate(expected):
        if wanted in unused:
            unused.remove(wanted)
            outcomes[position] = CORRECT
    if unused and MISSED in outcomes:
        _mark_wrong_canonical(expected, outcomes, unused, patterns)
    return tuple(outcomes)


def _mark_wrong_canonical(
    expected: Sequence[Expected],
    outcomes: list[Outcome],
    unused: set[tuple[int, int, int]],
    patterns: Sequence[ActivePattern],
) -> None:
    rivals: dict[tuple[str, int, int], list[ActivePattern]] = defaultdict(list)
    for start, end, index in sorted(unused):
        rivals[patterns[index].entity_id, start, end].append(patterns[index])
    open_positions = [position for position, outcome in enumerate(outcomes) if outcome == MISSED]
    for position in sorted(open_positions, key=lambda position: expected[position]):
        start, end, index = expected[position]
        wanted = patterns[index]
        candidates = rivals[wanted.entity_id, start, end]
        for rival in candidates:
            if (rival.name_id, rival.canonical_name) != (wanted.name_id, wanted.canonical_name):
                candidates.remove(rival)
                outcomes[position] = WRONG_CANONICAL
                break


class ConformanceTally:
    """The sum of case evidence, a commutative monoid: any order and grouping gives the same sum."""

    __slots__ = ("entities", "failed_scans", "negative_cases", "positive_cases", "tags", "unexpected")

    def __init__(self) -> None:
        self.positive_cases = 0
        self.negative_cases = 0
        self.unexpected = 0
        self.failed_scans = 0
        self.entities: defaultdict[str, ClassCounts] = defaultdict(ClassCounts)
        self.tags: defaultdict[str, TagCounts] = defaultdict(TagCounts)

    def add(self, evidence: CaseEvidence, entity_of: Sequence[str]) -> None:
        """Add one case; `entity_of` maps a pattern's index to its entity id."""
        self.failed_scans += evidence.failure is not None
        if evidence.kind == "positive":
            self._add_positive(evidence, entity_of)
        else:
            self._add_negative(evidence)

    def _add_positive(self, evidence: CaseEvidence, entity_of: Sequence[str]) -> None:
        self.positive_cases += 1
        failed = evidence.failure is not None
        for pattern, outcome in evidence.outcomes:
            counts = self.entities[entity_of[pattern]]
            counts.witnesses.add(pattern)
            if outcome == CORRECT:
                counts.correctly_mapped += 1
                continue
            failed = True
            if outcome == MISSED:
                counts.missed += 1
            else:
                counts.wrong_canonical += 1
        for tag in evidence.tags:
            tagged = self.tags[tag]
            tagged.positive_cases += 1
            tagged.failed_positive_cases += failed

    def _add_negative(self, evidence: CaseEvidence) -> None:
        unexpected = evidence.hits > 0
        self.negative_cases += 1
        self.unexpected += unexpected
        for entity in evidence.hit_entities:
            self.entities[entity].unexpected_negative_matches += 1
        for tag in evidence.tags:
            tagged = self.tags[tag]
            tagged.negative_cases += 1
            tagged.unexpected_negative_matches += unexpected

    def merge(self, other: ConformanceTally) -> None:
        """Add what `other` counts, which stays as it is; one that counts nothing changes nothing."""
        self.positive_cases += other.positive_cases
        self.negative_cases += other.negative_cases
        self.unexpected += other.unexpected
        self.failed_scans += other.failed_scans
        for entity, counts in other.entities.items():
            self.entities[entity].merge(counts)
        for tag, tagged in other.tags.items():
            self.tags[tag].merge(tagged)

    def packed(self) -> str:
        """Return the sum as compact JSON: counts, entity ids, tags and pattern indices, no text."""
        totals = [self.positive_cases, self.negative_cases, self.unexpected, self.failed_scans]
        entities = {entity: counts.packed() for entity, counts in sorted(self.entities.items())}
        tags = {tag: counts.packed() for tag, counts in sorted(self.tags.items())}
        return _ENCODE({"n": totals, "e": entities, "t": tags})


def tally_of(value: Mapping[str, Any]) -> ConformanceTally:
    """Return the sum in the decoded JSON of `ConformanceTally.packed`."""
    total = ConformanceTally()
    total.positive_cases, total.negative_cases, total.unexpected, total.failed_scans = value["n"]
    for entity, numbers in value["e"].items():
        total.entities[entity] = ClassCounts.unpacked(numbers)
    for tag, numbers in value["t"].items():
        total.tags[tag] = TagCounts.unpacked(numbers)
    return total
