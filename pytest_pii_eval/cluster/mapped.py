"""What a batch comes to, as plain values for the wire: counts, hashes, a fault, ids of cases; no text."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Final, NamedTuple, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.provenance import Origin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pii_eval.contracts.records import Record

DIGEST: Final = 16
"""Bytes of the BLAKE2b hash that stands for a document's id."""

_CODE: Final = 4


class Told(NamedTuple):
    """A fault as a value: `line` counts in the batch where `file` is None, else in that file."""

    rule: str
    file: str | None
    line: int | None
    field: str | None

    def fault(self, file: str, before: int) -> Fault:
        """Return the fault, with the line in `file`, of which `before` lines are in earlier batches."""
        if self.file is not None:
            return Fault(self.rule, file=self.file, line=self.line, field=self.field)
        line = None if self.line is None else before + self.line
        return Fault(self.rule, file=file, line=line, field=self.field)


class Membership(NamedTuple):
    """Split role, text view and slices of a document; a suite has few of them."""

    split_role: str
    text_view: str
    slice_ids: tuple[str, ...]


class Mapped(NamedTuple):
    """One batch of records: its evidence, packed, and what crosses batches of each document in order.

    `digests` are hashes of document ids, `codes` numbers of `memberships`, `gold_digests` there where they
    were asked for. `gold` counts gold spans. `evidence` is None where there is a `fault`; the rows before it
    are noted. `subject` is a hash of what the detector says of itself, and of the code that scored.
    """

    rows: int
    evidence: str | None
    digests: bytes
    codes: bytes
    memberships: tuple[Membership, ...]
    gold: int
    has_identities: bool
    gold_digests: bytes
    subject: str
    fault: Told | None

    def documents(self) -> Iterator[tuple[str, Membership]]:
        """Yield the hash of each document's id, as hexadecimal, and its membership."""
        for at, number in enumerate(range(0, len(self.digests), DIGEST)):
            code = int.from_bytes(self.codes[at * _CODE : (at + 1) * _CODE], "little")
            yield self.digests[number : number + DIGEST].hex(), self.memberships[code]


class Origins(NamedTuple):
    """One batch of provenance: of each row hashes of document id and template, and a number of `corpora`."""

    digests: bytes
    templates: bytes
    codes: bytes
    corpora: tuple[str, ...]
    fault: Told | None

    def origins(self) -> Iterator[Origin]:
        """Yield each row, with hashes, as hexadecimal, in place of ids."""
        for at in range(len(self.digests) // DIGEST):
            digest = self.digests[at * DIGEST : (at + 1) * DIGEST]
            template = self.templates[at * DIGEST : (at + 1) * DIGEST]
            code = int.from_bytes(self.codes[at * _CODE : (at + 1) * _CODE], "little")
            yield Origin(digest.hex(), self.corpora[code], template.hex())


class Predicted(NamedTuple):
    """One batch of predictions: the line of each document, its selected spans, and its failure, if any."""

    mapped: Mapped
    lines: tuple[tuple[bytes, int, str | None], ...]


class Group(NamedTuple):
    """One batch of conformance cases: what `run_group` gives as evidence, and how many of them failed.

    `told` is the first line of what each of the first failed ones says: its id, and counts.
    """

    evidence: str
    failed: int
    told: tuple[str, ...]


@final
class Notes:
    """Takes down what crosses batches, as the records of one stream by."""

    def __init__(self) -> None:
        self.rows = 0
        self.gold = 0
        self.has_identities = False
        self.digests = bytearray()
        self.codes = bytearray()
        self.gold_digests = bytearray()
        self.memberships: dict[Membership, int] = {}

    def add(self, record: Record) -> None:
        """Note one record."""
        membership = Membership(record.split_role, record.text_view, record.slice_ids)
        code = self.memberships.setdefault(membership, len(self.memberships))
        self.rows += 1
        self.gold += len(record.gold)
        self.has_identities = self.has_identities or any(span.identity is not None for span in record.gold)
        self.digests += _hash(record.document_id)
        self.codes += code.to_bytes(_CODE, "little")

    def mapped(self, evidence: str | None, subject: str, fault: Told | None) -> Mapped:
        """Return it all, with the evidence or what is wrong."""
        return Mapped(
            self.rows,
            evidence,
            bytes(self.digests),
            bytes(self.codes),
            tuple(self.memberships),
            self.gold,
            self.has_identities,
            bytes(self.gold_digests),
            subject,
            fault,
        )


@final
class OriginNotes:
    """Takes down the rows of one batch of provenance."""

    def __init__(self) -> None:
        self._digests = bytearray()
        self._templates = bytearray()
        self._codes = bytearray()
        self._corpora: dict[str, int] = {}

    def add(self, origin: Origin) -> None:
        """Note one row."""
        code = self._corpora.setdefault(origin.source_corpus, len(self._corpora))
        self._digests += _hash(origin.document_id)
        self._templates += _hash(origin.template_id)
        self._codes += code.to_bytes(_CODE, "little")

    def told(self, fault: Told | None) -> Origins:
        """Return it all."""
        digests, templates, codes = map(bytes, (self._digests, self._templates, self._codes))
        return Origins(digests, templates, codes, tuple(self._corpora), fault)


def told(fault: Fault, file: str) -> Told:
    """Return `fault`, met in a batch of `file`, as a value."""
    return Told(fault.rule, None if fault.file in (None, file) else fault.file, fault.line, fault.field)


def _hash(word: str) -> bytes:
    return blake2b(word.encode(), digest_size=DIGEST).digest()
