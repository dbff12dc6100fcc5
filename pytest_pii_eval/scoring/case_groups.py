"""The evidence of a group of cases as one string: their sum, how many are left, on request each case."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.scoring.conformance import decode, tally_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_pii_eval.scoring.conformance import ConformanceTally

EVERY_CASE: Final = "all-cases"
"""The group of all cases of a file."""

_START = '{"left":'
_WHOLE = '{"left":0,'


def pattern_group(pattern: int) -> str:
    """Return the name of the group of positive cases whose first expected record is of this pattern.

    It is the number of the pattern in the bank, from 1: ids of names and patterns may be names of people.
    """
    return f"pattern-{pattern + 1:06}"


def reason_group(reason_code: str) -> str:
    """Return the name of the group of negative cases of one reason."""
    return f"negative-{reason_code}"


class GroupEvidence(NamedTuple):
    """What a group of cases showed.

    `left` counts the cases that were not reached: the group was cut off. `cases` holds the evidence of each
    case by its id, where an audit asks for it; None where what looked into the case broke on it.
    """

    tally: ConformanceTally
    left: int
    cases: Mapping[str, str | None]


def pack_group(group: GroupEvidence) -> str:
    """Return the group as JSON that tells itself from the evidence of one case by how it starts."""
    cases = f',"cases":{json.dumps(group.cases)}' if group.cases else ""
    return f'{_START}{group.left},"sum":{group.tally.packed()}{cases}}}'


def unpack_group(evidence: str) -> GroupEvidence:
    """Return the group that `pack_group` wrote."""
    value = json.loads(evidence)
    return GroupEvidence(tally_of(value["sum"]), value["left"], value.get("cases", {}))


def is_group(evidence: str) -> bool:
    """Whether this is the evidence of a group, and not of one case."""
    return evidence.startswith(_START)


def is_cut_off(evidence: str) -> bool:
    """Whether this is the evidence of a group that was cut off before its last case."""
    return is_group(evidence) and not evidence.startswith(_WHOLE)


def add_evidence(total: ConformanceTally, evidence: str, entity_of: Sequence[str]) -> None:
    """Add the evidence of a case or a group to `total`; `entity_of` maps a pattern's index to its entity."""
    if is_group(evidence):
        total.merge(unpack_group(evidence).tally)
    else:
        total.add(decode(evidence), entity_of)
