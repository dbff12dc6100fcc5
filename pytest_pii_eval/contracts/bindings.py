"""Catalog bindings: the sidecar that says of each gold span which pattern a review qualified it under."""

from __future__ import annotations

import hashlib
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, final

from pydantic import ValidationError

from pytest_pii_eval.contracts.binding_table import BindingTable
from pytest_pii_eval.contracts.bindings_model import BINDING
from pytest_pii_eval.contracts.canonical import canonical_bytes, sha256
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.record_faults import row_fault
from pytest_pii_eval.contracts.row_files import open_row_file

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from pytest_pii_eval.contracts.bank import Bank
    from pytest_pii_eval.contracts.binding_table import Bound
    from pytest_pii_eval.contracts.bindings_model import BindingRow
    from pytest_pii_eval.contracts.records import Record
    from pytest_pii_eval.contracts.spans import GoldSpan, Identity

_IDENTITY: Final = "catalog_identity"
_GOLD: Final = "gold_spans"
_SUM_BITS: Final = 512


@final
class Bindings:
    """The rows of one bindings file; about 30 bytes a row are kept, and found by span at any time.

    Rows come first, by `add` and in any order, then records, by `bound`. That they cover each other exactly
    is known when every record of the population has been bound: `finish` tells of rows left over. Whoever
    binds some records only, a shard say, does not call it.
    """

    def __init__(self, file: str, bank: Bank | None = None) -> None:
        self._file = file
        self._patterns: Collection[Identity] | None = None if bank is None else bank.index()
        self._table = BindingTable()
        self._numbers: dict[Identity | None, int] = {None: 0}
        self._identities: list[Identity | None] = [None]
        self._content = 0

    def __len__(self) -> int:
        return len(self._table)

    @property
    def identities(self) -> int:
        """How many different patterns the rows name."""
        return len(self._identities) - 1

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of all rows; their order, and that of their keys, never changes it."""
        return sha256(canonical_bytes({"rows": len(self), "sum": f"{self._content:x}"}))

    def add(self, value: Mapping[str, Any], line: int) -> None:
        """Add the decoded row at `line` (from 1); raises `Fault`, without place, where it breaks a rule."""
        try:
            row: BindingRow = BINDING.validator.validate_python(value)
        except ValidationError as error:
            raise row_fault(error, value) from None
        start, end, identity = row["start"], row["end"], _identity(row)
        if start >= end:
            raise Fault(f"must lie behind start (start {start}, end {end})", field="end")
        if not (identity is None or self._patterns is None or identity in self._patterns):
            raise Fault("names no active pattern of the bank", field=_IDENTITY)
        first = self._table.add((row["document_id"], start, end), line, self._number(identity))
        if first is not None:
            raise Fault(f"names a span a second time; the first is {self._file}:{first.line}")
        self._content = (self._content + _hash(row)) % (1 << _SUM_BITS)

    def bound(self, record: Record) -> Record:
        """Return `record` with the catalog identity of each gold span; raises `Fault`.

        Refused are gold that has an identity already, two spans of one range, spans without a row, and an
        identity whose entity is not the span's type: that fault names the file and line of the row.
        """
        gold = record.gold
        self._check_gold(gold)
        rows = [self._table.take((record.document_id, span.start, span.end)) for span in gold]
        found = [row for row in rows if row is not None]
        if len(found) < len(gold):
            first = gold[rows.index(None)]
            rule = f"{len(gold) - len(found):,} of {len(gold):,} have no row in {self._file}; the first is"
            raise Fault(f"{rule} that with start {first.start} and end {first.end}", field=_GOLD)
        return record._replace(gold=tuple(map(self._with_identity, gold, found)))

    def identity_of(self, document_id: str, start: int, end: int) -> Identity | None:
        """Return what the row of a gold span says, and count the row as used; raises `Fault` without one."""
        row = self._table.take((document_id, start, end))
        if row is None:
            raise Fault(f"have no row in {self._file} for start {start} and end {end}", field=_GOLD)
        return self._identities[row.identity]

    def finish(self) -> None:
        """Raise `Fault` where rows name no gold span of the records bound: how many, and the first."""
        left = sum(not row.taken for row in self._table)
        if left:
            first = min(row.line for row in self._table if not row.taken)
            rule = f"names no gold span of the records; {left:,} of {len(self):,} rows do so"
            raise Fault(rule, file=self._file, line=first)

    def _number(self, identity: Identity | None) -> int:
        number = self._numbers.setdefault(identity, len(self._identities))
        if number == len(self._identities):
            self._identities.append(identity)
        return number

    def _check_gold(self, gold: tuple[GoldSpan, ...]) -> None:
        if any(span.identity is not None for span in gold):
            rule = f"have a catalog identity already; where {self._file} binds the gold, it must be null"
            raise Fault(rule, field=_GOLD)
        for one, other in pairwise(gold):
            if one[:2] == other[:2]:
                rule = f"holds two classes at start {one.start} and end {one.end}; a row of {self._file}"
                raise Fault(f"{rule} cannot tell them apart", field=_GOLD)

    def _with_identity(self, span: GoldSpan, row: Bound) -> GoldSpan:
        identity = self._identities[row.identity]
        if identity is not None and identity[0] != span.type:
            rule = "differs from the entity_class of its gold span"
            raise Fault(rule, file=self._file, line=row.line, field=f"{_IDENTITY}.entity_id")
        return span._replace(identity=identity)


def read_bindings(
    path: Path, *, root: Path | None = None, shown: str | None = None, bank: Bank | None = None
) -> Bindings:
    """Return the bindings at `path`; raises `Fault` with the file, as `shown` names it, line and field.

    With a `bank`, every identity must be one of its active patterns.
    """
    file = shown or path.name
    bindings = Bindings(file, bank)
    with open_row_file(path, root=root, shown=file) as opened:
        for row in opened.rows():
            try:
                bindings.add(row.value, row.line)
            except Fault as fault:
                raise fault.at(file=file, line=row.line) from None
    return bindings


def _identity(row: BindingRow) -> Identity | None:
    catalog = row["catalog_identity"]
    return None if catalog is None else (catalog["entity_id"], catalog["name_id"], catalog["pattern_id"])


def _hash(row: BindingRow) -> int:
    return int.from_bytes(hashlib.blake2b(canonical_bytes(row), digest_size=_SUM_BITS // 8).digest(), "big")
