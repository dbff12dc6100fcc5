"""The order in which the patterns of one entity are tried where several match at the same start."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pii_eval.contracts.patterns import ActivePattern


def by_entity(patterns: Sequence[ActivePattern]) -> list[list[int]]:
    """Return the indexes of `patterns`, one list an entity, each in the order in which they are tried.

    The order is that of `nerb` (spec/bank.md, "Scan"): priority, canonical name, surface; a literal's
    surface is its value, a regex's its pattern id. What is equal in all three goes by value, flags, index.
    """
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for index, pattern in enumerate(patterns):
        groups[pattern.entity_id].append(index)
    for indexes in groups.values():
        indexes.sort(key=lambda index: _key(patterns[index]))
    return list(groups.values())


def _key(pattern: ActivePattern) -> tuple[int, str, str, str, tuple[str, ...]]:
    surface = pattern.value if pattern.kind == "literal" else pattern.pattern_id
    return pattern.priority, pattern.canonical_name, surface, pattern.value, tuple(sorted(pattern.flags))
