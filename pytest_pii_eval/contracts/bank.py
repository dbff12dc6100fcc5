"""A bank: read, checked against its limits, flattened to its active patterns and fingerprinted."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from pytest_pii_eval.contracts.bank_model import BankModel, LiteralPattern, RegexPattern
from pytest_pii_eval.contracts.canonical import canonical_bytes, fingerprint
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import read_input
from pytest_pii_eval.contracts.model_faults import fault_of
from pytest_pii_eval.contracts.patterns import ActivePattern
from pytest_pii_eval.contracts.strict_json import parse, refuse_foreign_start

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from pytest_pii_eval.contracts.bank_model import EntityModel, NameModel, PatternModel
    from pytest_pii_eval.contracts.patterns import Normalization

_FLAG_ORDER = ("ASCII", "IGNORECASE", "MULTILINE", "DOTALL", "VERBOSE")


class BankLimits(NamedTuple):
    """What a bank may hold at most; counts cover every status."""

    file_bytes: int = 256 * 1024 * 1024
    entities: int = 100_000
    patterns: int = 500_000
    pattern_characters: int = 64 * 1024 * 1024
    metadata_bytes: int = 1024 * 1024


class EntityRange(NamedTuple):
    """The half-open range of pattern indices that one entity holds in `Bank.patterns`."""

    entity_id: str
    start: int
    end: int


DEFAULT_LIMITS = BankLimits()


@dataclass(frozen=True, slots=True)
class Bank:
    """A checked bank.

    `patterns` are the active patterns in order of (entity id, name id, pattern id); a pattern's index
    in it is its identity everywhere in this package. `fingerprint` is the SHA-256 of the canonical
    bank (the one `nerb` prints as `bank_hash`) and does not change with key order, flag order or
    repeated flags. Names and expressions stay out of `repr`.
    """

    id: str
    version: str
    normalization: Normalization
    fingerprint: str
    patterns: tuple[ActivePattern, ...] = field(repr=False)
    _ordinals: array[int] = field(repr=False, compare=False)

    def place(self, index: int) -> str:
        """Return where pattern `index` stands in the file, as a path of field names and ordinals from 0."""
        entity, name, pattern = self._ordinals[3 * index : 3 * index + 3]
        return f"entities[{entity}].names[{name}].patterns[{pattern}]"

    @property
    def entities(self) -> tuple[EntityRange, ...]:
        """Entity ids with their ranges of active patterns, in order."""
        starts = [
            index
            for index, pattern in enumerate(self.patterns)
            if not index or pattern.entity_id != self.patterns[index - 1].entity_id
        ]
        return tuple(
            EntityRange(self.patterns[start].entity_id, start, end)
            for start, end in pairwise([*starts, len(self.patterns)])
        )

    def index(self) -> dict[tuple[str, str, str], int]:
        """Map (entity id, name id, pattern id) of every active pattern to its index."""
        return {
            (pattern.entity_id, pattern.name_id, pattern.pattern_id): index
            for index, pattern in enumerate(self.patterns)
        }


def load_bank(
    path: str | os.PathLike[str], *, limits: BankLimits = DEFAULT_LIMITS, root: Path | None = None
) -> Bank:
    """Read and check the bank at `path`; raises `Fault` at the first rule it breaks."""
    file = Path(path)
    payload = read_input(file, limit=limits.file_bytes, root=root)
    try:
        refuse_foreign_start(payload)
        return parse_bank(parse(payload), limits=limits)
    except Fault as fault:
        raise fault.at(file=file.name) from None


def parse_bank(document: object, *, limits: BankLimits = DEFAULT_LIMITS) -> Bank:
    """Return the bank that `document` (decoded JSON) describes; raises `Fault` without a file name."""
    try:
        model = BankModel.model_validate(document)
    except ValidationError as error:
        raise fault_of(error, document) from None
    except RecursionError:
        raise Fault("nested too deeply") from None
    _check_limits(model, limits)
    placed = sorted(_active(model), key=lambda row: row[0][:3])
    return Bank(
        id=model.id,
        version=model.version,
        normalization=model.unicode_normalization,
        fingerprint=_fingerprint(document, model),
        patterns=tuple(pattern for pattern, _ in placed),
        _ordinals=array("l", chain.from_iterable(ordinals for _, ordinals in placed)),
    )


def _active(model: BankModel) -> Iterator[tuple[ActivePattern, tuple[int, int, int]]]:
    """Yield every active pattern with the ordinals of its entity, its name and itself in the file."""
    if model.status != "active":
        return
    for at_entity, (entity_id, entity) in enumerate(model.entities.items()):
        if entity.status != "active":
            continue
        flags = frozenset([*model.default_regex_flags, *entity.regex_flags])
        for at_name, (name_id, name) in enumerate(entity.names.items()):
            if name.status == "active":
                for at_pattern, pattern in _active_of_name((entity_id, name_id), name, flags):
                    yield pattern, (at_entity, at_name, at_pattern)


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
    return ActivePattern(
        *place,
        kind="literal",
        canonical_name=canonical,
        value=pattern.value,
        priority=pattern.priority,
        flags=flags,
        case_sensitive=pattern.case_sensitive,
        normalize_whitespace=pattern.normalize_whitespace,
        left_boundary=pattern.left_boundary,
        right_boundary=pattern.right_boundary,
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


def _check_limits(model: BankModel, limits: BankLimits) -> None:
    _require(len(model.entities), limits.entities, "entities")
    patterns = [
        pattern
        for entity in model.entities.values()
        for name in entity.names.values()
        for pattern in name.patterns.values()
    ]
    _require(len(patterns), limits.patterns, "patterns")
    _require(sum(len(pattern.value) for pattern in patterns), limits.pattern_characters, "pattern characters")
    for described in _described(model):
        if described.metadata:
            size = len(canonical_bytes(described.metadata))
            _require(size, limits.metadata_bytes, "bytes of metadata on one object")


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


def _fingerprint(document: object, model: BankModel) -> str:
    # Most banks list their flags in order already: then the file's own tree is canonical but for key order.
    return fingerprint(document if _in_order(model) else _canonical(document, None))


def _in_order(model: BankModel) -> bool:
    if any(described.metadata for described in _described(model)):
        return False  # what lies in metadata is reordered too where it bears one of these keys
    flags = [model.default_regex_flags]
    references = [model.eval_refs]
    for entity in model.entities.values():
        flags.append(entity.regex_flags)
        references.append(entity.eval_refs)
        for name in entity.names.values():
            references.append(name.eval_refs)
            for pattern in name.patterns.values():
                references.append(pattern.eval_refs)
                if isinstance(pattern, RegexPattern):
                    flags.append(pattern.regex_flags)
    return all(row == _ordered(row) for row in flags if row) and all(
        row == sorted(row) for row in references if row
    )


def _ordered(flags: list[Any]) -> list[str]:
    known = [flag for flag in _FLAG_ORDER if flag in flags]
    return known + sorted(set(flags).difference(known), key=repr)  # metadata may hold others


def _canonical(value: object, key: str | None) -> object:
    if isinstance(value, dict):
        return {name: _canonical(inner, name) for name, inner in value.items()}
    if isinstance(value, list):
        words = all(isinstance(inner, str) for inner in value)  # always, but in metadata
        if key == "eval_refs" and words:
            return sorted(value)
        if key in {"default_regex_flags", "regex_flags"} and words:
            return _ordered(value)
        return [_canonical(inner, None) for inner in value]
    return value
