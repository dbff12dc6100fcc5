"""The pieces of a bank, added up: its active patterns, and what it holds against its limits."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, final

from pytest_pii_eval.contracts.bank_hash import is_in_order
from pytest_pii_eval.contracts.bank_model import LiteralPattern
from pytest_pii_eval.contracts.canonical import canonical_bytes
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.patterns import ActivePattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pii_eval.contracts.bank_limits import BankLimits
    from pytest_pii_eval.contracts.bank_model import (
        BankModel,
        EntityModel,
        NameModel,
        PatternModel,
        RegexPattern,
    )


@final
class BankReading:
    """What was read of a bank so far. Pieces come in the order of the file."""

    def __init__(self, limits: BankLimits) -> None:
        self.in_order = True
        """Whether every list stands as the canonical bank has it."""
        self._limits = limits
        self._patterns: list[ActivePattern] = []
        self._ordinals = array("l")
        self._names: dict[str, int] = {}  # of each entity, those read so far
        self._count = self._characters = self._largest_metadata = 0

    def add(self, model: BankModel) -> None:
        """Add one piece."""
        self.in_order = self.in_order and is_in_order(model)
        self._count_metadata(model)
        for entity_id, entity in model.entities.items():
            read = self._names.get(entity_id, 0)
            self._names[entity_id] = read + len(entity.names)
            if model.status == entity.status == "active":
                flags = frozenset([*model.default_regex_flags, *entity.regex_flags])
                self._add_active(entity_id, entity, flags, read)
            self._count_patterns(entity)

    def _add_active(self, entity_id: str, entity: EntityModel, flags: frozenset[str], read: int) -> None:
        at_entity = len(self._names) - 1
        for at_name, (name_id, name) in enumerate(entity.names.items(), read):
            if name.status == "active":
                for at_pattern, pattern in _active_of_name((entity_id, name_id), name, flags):
                    self._patterns.append(pattern)
                    self._ordinals.extend((at_entity, at_name, at_pattern))

    def _count_patterns(self, entity: EntityModel) -> None:
        for name in entity.names.values():
            self._count += len(name.patterns)
            self._characters += sum(len(pattern.value) for pattern in name.patterns.values())

    def _count_metadata(self, model: BankModel) -> None:
        for described in _described(model):
            if described.metadata:
                size = len(canonical_bytes(described.metadata))
                if self._largest_metadata <= self._limits.metadata_bytes:
                    self._largest_metadata = size

    def check_limits(self) -> None:
        """Raise `Fault` where the bank holds more than it may."""
        limits = self._limits
        _require(len(self._names), limits.entities, "entities")
        _require(self._count, limits.patterns, "patterns")
        _require(self._characters, limits.pattern_characters, "pattern characters")
        _require(self._largest_metadata, limits.metadata_bytes, "bytes of metadata on one object")

    def sorted(self) -> tuple[tuple[ActivePattern, ...], array[int]]:
        """Return the active patterns by their ids, and three ordinals of the file for each."""
        patterns, ordinals = self._patterns, self._ordinals
        ids = [pattern[:3] for pattern in patterns]
        order = sorted(range(len(patterns)), key=ids.__getitem__)
        if order == list(range(len(patterns))):  # as most files have it
            return tuple(patterns), ordinals
        flat = array("l", (ordinals[3 * at + step] for at in order for step in range(3)))
        return tuple(patterns[at] for at in order), flat


def _active_of_name(
    ids: tuple[str, str], name: NameModel, flags: frozenset[str]
) -> Iterator[tuple[int, ActivePattern]]:
    for ordinal, (pattern_id, pattern) in enumerate(name.patterns.items()):
        if pattern.status != "active":
            continue
        place = (*ids, pattern_id)
        if isinstance(pattern, LiteralPattern):
            yield ordinal, _literal(place, name.canonical, pattern, flags)
        else:
            yield ordinal, _regex(place, name.canonical, pattern, flags)


def _literal(
    place: tuple[str, str, str], canonical: str, pattern: LiteralPattern, flags: frozenset[str]
) -> ActivePattern:
    return ActivePattern(  # by place: naming the fields costs as much as the rest
        *place,
        "literal",
        canonical,
        pattern.value,
        pattern.priority,
        flags,
        pattern.case_sensitive,
        pattern.normalize_whitespace,
        pattern.left_boundary,
        pattern.right_boundary,
    )


def _regex(
    place: tuple[str, str, str], canonical: str, pattern: RegexPattern, flags: frozenset[str]
) -> ActivePattern:
    return ActivePattern(
        *place,
        kind="regex",
        canonical_name=canonical,
        value=pattern.value,
        priority=pattern.priority,
        flags=flags.union(pattern.regex_flags),
    )


def _described(model: BankModel) -> Iterator[BankModel | EntityModel | NameModel | PatternModel]:
    yield model
    for entity in model.entities.values():
        yield entity
        for name in entity.names.values():
            yield name
            yield from name.patterns.values()


def _require(count: int, limit: int, what: str) -> None:
    if count > limit:
        raise Fault(f"holds {count:,} {what}; the limit is {limit:,}")
