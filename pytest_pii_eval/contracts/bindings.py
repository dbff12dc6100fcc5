"""Catalog bindings: the sidecar that says of each gold span which pattern a review qualified it under."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final, final

from pydantic import ValidationError

from pytest_pii_eval.contracts.binding_table import BindingTable
from pytest_pii_eval.contracts.bindings_model import BINDING
from pytest_pii_eval.contracts.canonical import canonical_bytes, sha256
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import open_input
from pytest_pii_eval.contracts.jsonl import read_rows
from pytest_pii_eval.contracts.record_faults import row_fault

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from pytest_pii_eval.contracts.bank import Bank
    from pytest_pii_eval.contracts.bindings_model import BindingRow
    from pytest_pii_eval.contracts.records import Record
    from pytest_pii_eval.contracts.spans import GoldSpan, Identity

_IDENTITY: Final = "catalog_identity"
_SUM_BITS: Final = 512


@final
class Bindings:
    """The rows of one bindings file; about 30 bytes a row are kept.

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
    def fingerprint(self) -> str:
        """The SHA-256 of all rows; their order, and that of their keys, never changes it."""
        return sha256(canonical_bytes({"rows": len(self), "sum": f"{self._content:x}"}))

    def add(self, value: Mapping[str, Any], line: int) -> None:
        """Add the decoded row at `line` (from 1); raises `Fault` with the field where it breaks a rule."""
        try:
            row: BindingRow = BINDING.validator.validate_python(value)
        except ValidationError as error:
            raise self._fault(row_fault(error, value), line) from None
        start, end, identity = row["start"], row["end"], _identity(row)
        if start >= end:
            rule = f"must lie behind start (start {start}, end {end})"
            raise self._fault(Fault(rule, field="end"), line)
        if not (identity is None or self._patterns is None or identity in self._patterns):
            raise self._fault(Fault("names no active pattern of the bank", field=_IDENTITY), line)
        first = self._table.add((row["document_id"], start, end), line, self._number(identity))
        if first is not None:
            rule = f"names a span a second time; the first is {self._file}:{first.line}"
            raise self._fault(Fault(rule), line)
        self._content = (self._content + _hash(row)) % (1 << _SUM_BITS)

    def bound(self, record: Record) -> Record:
        """Return `record` with the catalog identity of each gold span; raises `Fault`, in the main without place.

        Refused are gold that has an identity already, spans without a row, two spans of one range, and an
        identity whose entity is not the span's type: that one names the file and line of the row.
        """
        gold = record.gold
        if any(span.identity is not None for span in gold):
            rule = f"has a catalog identity of its own; where {self._file} binds the gold, it must be null"
            raise Fault(rule, field="gold_spans")
        _check_ranges(gold)
        self._check_rows(record)
        return record._replace(gold=tuple([self._bound_span(record.document_id, span) for span in gold]))

    def identity_of(self, document_id: str, start: int, end: int) -> Identity | None:
        """Return what the row of a gold span says, and count the row as used; raises `Fault` without one."""
        found = self._table.take((document_id, start, end))
        if found is None:
            raise Fault(f"has no row in {self._file} (start {start}, end {end})", field="gold_spans")
        return self._identities[found.identity]

    def finish(self) -> None:
        """Raise `Fault` where rows name no gold span of the records that were bound: how many, and the first."""
        left = [row.line for row in self._table if not row.taken]
        if left:
            rule = f"names no gold span of the records; {len(left):,} of {len(self):,} rows do so"
            raise Fault(rule, file=self._file, line=min(left))
