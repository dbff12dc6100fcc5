"""A bank: read, checked against its limits, flattened to its active patterns and fingerprinted."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pydantic import ValidationError

from pytest_pii_eval.contracts.bank_hash import bank_fingerprint
from pytest_pii_eval.contracts.bank_limits import DEFAULT_LIMITS, BankLimits
from pytest_pii_eval.contracts.bank_model import BankModel
from pytest_pii_eval.contracts.bank_pieces import pieces_of
from pytest_pii_eval.contracts.bank_reading import BankReading
from pytest_pii_eval.contracts.collector import paused_collector
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import read_input
from pytest_pii_eval.contracts.model_faults import fault_of
from pytest_pii_eval.contracts.strict_json import decode, parse_text, refuse_foreign_start

if TYPE_CHECKING:
    import os
    from array import array

    from pytest_pii_eval.contracts.patterns import ActivePattern, Normalization

__all__ = ["DEFAULT_LIMITS", "Bank", "BankLimits", "EntityRange", "load_bank", "parse_bank"]


class EntityRange(NamedTuple):
    """The half-open range of pattern indices that one entity holds in `Bank.patterns`."""

    entity_id: str
    start: int
    end: int


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
    try:
        # The bytes, the text and the tree of a large bank never live all three at once.
        with paused_collector():
            return parse_bank(parse_text(_text_of(file, limits.file_bytes, root)), limits=limits)
    except Fault as fault:
        raise fault.at(file=file.name) from None


def _text_of(file: Path, limit: int, root: Path | None) -> str:
    payload = read_input(file, limit=limit, root=root)
    refuse_foreign_start(payload)
    return decode(payload)


def parse_bank(document: object, *, limits: BankLimits = DEFAULT_LIMITS) -> Bank:
    """Return the bank that `document` (decoded JSON) describes; raises `Fault` without a file name."""
    reading = BankReading(limits)
    for piece in pieces_of(document):
        model = _checked(piece, document)
        reading.add(model)
    reading.check_limits()
    patterns, ordinals = reading.sorted()
    return Bank(
        id=model.id,
        version=model.version,
        normalization=model.unicode_normalization,
        fingerprint=bank_fingerprint(document, in_order=reading.in_order),
        patterns=patterns,
        _ordinals=ordinals,
    )


def _checked(piece: object, document: object) -> BankModel:
    try:
        return BankModel.model_validate(piece)
    except ValidationError as error:
        raise fault_of(error, document) from None
    except RecursionError:
        raise Fault("nested too deeply") from None
