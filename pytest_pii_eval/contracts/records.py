"""Quality records: one document with its gold and slices, checked against the plan and the bank."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.quality_model import MAX_TEXT_BYTES, RECORD
from pytest_pii_eval.contracts.record_faults import gold_fault, repeated_fault, row_fault
from pytest_pii_eval.contracts.spans import GoldSpan, grouped

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from pytest_pii_eval.contracts.bank import Bank
    from pytest_pii_eval.contracts.quality_model import CatalogIdentity, GoldRow, RecordRow
    from pytest_pii_eval.contracts.slices import Slice, SlicePlan
    from pytest_pii_eval.contracts.spans import Identity

_MAX_MEMBERSHIPS = 1024
"""Combinations of slices remembered as good; a suite repeats a few of them."""


class Record(NamedTuple):
    """One document with its gold spans (code points, half-open, by start) and the ids of its slices.

    Spans of equal text and type share a `group`. Order of gold and of slice ids in the file is gone.
    """

    document_id: str
    text: str
    text_view: str
    split_role: str
    gold: tuple[GoldSpan, ...]
    slice_ids: tuple[str, ...]


class RecordContract:
    """Checks records against a slice plan, and catalog identities against `bank` where one is given."""

    def __init__(self, plan: SlicePlan, bank: Bank | None = None) -> None:
        self._slices = plan.slices
        self._patterns: Collection[Identity] | None = None if bank is None else bank.index()
        self._validate = RECORD.validator.validate_python
        self._membership = lru_cache(_MAX_MEMBERSHIPS)(self._checked_membership)

    def parse(self, value: Mapping[str, Any]) -> Record:
        """Return the record in one decoded row; raises `Fault` without file and line."""
        try:
            row: RecordRow = self._validate(value)
        except ValidationError as error:
            raise row_fault(error, value) from None
        document = row["document"]
        text = document["text"]
        _check_text(text)
        text_view, split_role = document["text_view"], document["split_role"]
        slice_ids, types = self._membership(tuple(row["slice_ids"]), (split_role, text_view))
        document_id = document["document_id"]
        gold = self._gold(row["gold_spans"], document_id, text, types)
        return Record(document_id, text, text_view, split_role, gold, slice_ids)

    def digest(self, record: Record) -> bytes:
        """Return the SHA-256 of all that `record` says; order of keys, gold and slice ids is gone from it."""
        return _digest(record, [" ".join(span.identity or ()) for span in record.gold])

    def gold_digest(self, record: Record) -> bytes:
        """Return the same without catalog identities: it stays when a review binds the gold anew."""
        return _digest(record, [""] * len(record.gold))

    def _checked_membership(
        self, slice_ids: tuple[str, ...], view: tuple[str, str]
    ) -> tuple[tuple[str, ...], Mapping[str, str]]:
        """Return the slice ids in order, and the types that their slices cover, each by its name."""
        types = _types_of(self._slices, slice_ids, view)
        return tuple(sorted(slice_ids)), {name: name for name in types}

    def _gold(
        self, rows: list[GoldRow], document_id: str, text: str, types: Mapping[str, str]
    ) -> tuple[GoldSpan, ...]:
        length = len(text)
        gold: list[GoldSpan] = []
        for row in rows:
            start, end, type_ = row["start"], row["end"], types.get(row["entity_class"])
            if row["document_id"] != document_id or type_ is None or not start < end <= length:
                raise gold_fault(len(gold), row, document_id, text)
            catalog = row["catalog_identity"]
            identity = None if catalog is None else self._identity(catalog, type_, len(gold))
            gold.append(GoldSpan(start, end, type_, identity))
        # Spans that differ in text differ in place too, and share no group: true of most documents.
        if len({text[span[0] : span[1]] for span in gold}) == len(gold):
            return tuple(sorted(gold))
        if len({span[:3] for span in gold}) != len(gold):
            raise repeated_fault(gold)
        return grouped(text, sorted(gold))

    def _identity(self, catalog: CatalogIdentity, type_: str, ordinal: int) -> Identity:
        identity = (catalog["entity_id"], catalog["name_id"], catalog["pattern_id"])
        if identity[0] != type_:
            rule = "differs from the entity_class of its span"
            raise Fault(rule, field=f"gold_spans[{ordinal}].catalog_identity.entity_id")
        if self._patterns is not None and identity not in self._patterns:
            rule = "names no active pattern of the bank"
            raise Fault(rule, field=f"gold_spans[{ordinal}].catalog_identity")
        return identity


def has_identities(record: Record) -> bool:
    """Tell whether a gold span says which pattern of a bank it is."""
    for span in record.gold:  # noqa: SIM110  # asked of every document, and `any` takes twice as long
        if span.identity is not None:
            return True
    return False


def _types_of(
    slices: Mapping[str, Slice], slice_ids: tuple[str, ...], view: tuple[str, str]
) -> frozenset[str]:
    """Return the types of the named slices; `view` is the document's split role and text view."""
    if len(set(slice_ids)) != len(slice_ids):
        raise Fault("names the same slice twice", field="slice_ids")
    types: frozenset[str] = frozenset()
    for ordinal, slice_id in enumerate(slice_ids):
        one = slices.get(slice_id)
        field = f"slice_ids[{ordinal}]"
        if one is None:
            raise Fault("names no slice of the plan", field=field)
        if one.split_role != view[0]:
            raise Fault(f"slice {one.id} is of split role {one.split_role}, not the document's", field=field)
        if one.text_view != view[1]:
            raise Fault(f"slice {one.id} is of another text view than the document", field=field)
        types |= one.types
    return types


def _check_text(text: str) -> None:
    try:
        size = len(text) if text.isascii() else len(text.encode("utf-8"))
    except UnicodeEncodeError:
        raise Fault("holds a lone surrogate, which is no character", field="document.text") from None
    if size > MAX_TEXT_BYTES:
        raise Fault(f"holds more than the limit of {MAX_TEXT_BYTES:,} bytes of UTF-8", field="document.text")


def _digest(record: Record, identities: list[str]) -> bytes:
    lines = [
        f"{record.document_id} {record.text_view} {record.split_role} {len(record.gold)}",
        " ".join(record.slice_ids),
    ]
    lines += [
        f"{span.start} {span.end} {span.type} {identity}"
        for span, identity in zip(record.gold, identities, strict=True)
    ]
    # The count above keeps a text that looks like a gold span apart from one.
    lines.append(record.text)
    return hashlib.sha256("\n".join(lines).encode("utf-8")).digest()
