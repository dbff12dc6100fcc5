"""One shard of documents: its place in a file, and the evidence that one scan of it gives."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from pytest_pii_eval.collection.quality.books import Asked, Books
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import open_input, state_of_input
from pytest_pii_eval.contracts.jsonl import read_rows
from pytest_pii_eval.scoring.documents import Document
from pytest_pii_eval.scoring.offset_hint import OffsetFits, offset_fits
from pytest_pii_eval.scoring.packing import packed
from pytest_pii_eval.scoring.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from pytest_pii_eval.collection.quality.spool import Spool
    from pytest_pii_eval.collection.subjects import Subject
    from pytest_pii_eval.contracts.bindings import Bindings
    from pytest_pii_eval.contracts.records import Record, RecordContract
    from pytest_pii_eval.detectors.answers import Answer, Interpreter
    from pytest_pii_eval.scoring.documents import Scope

_OF_SLICES = frozenset({"slices", "offsets", "labels"})


class Shard(NamedTuple):
    """A run of rows in one records file: byte offset, first line (from 1), rows, and the slices in it.

    `state` is that of the file when its rows were checked.
    """

    name: str
    path: Path
    file: str
    offset: int
    line: int
    rows: int
    slices: frozenset[str]
    state: tuple[int, ...]


class Scoring(NamedTuple):
    """What every shard of a suite is scored with; `read` is None where replies need no reading."""

    contract: RecordContract
    subject: Subject
    interpreter: Interpreter | None
    scopes: Mapping[str, Scope]
    root: Path
    bindings: Bindings | None = None

    def read(self, value: dict[str, object]) -> Record:
        """Return the record in one decoded row, bound to the catalog; raises `Fault` without place."""
        record = self.contract.parse(value)
        return record if self.bindings is None else self.bindings.bound(record)


def score_shard(
    shard: Shard, scoring: Scoring, wanted: frozenset[str] | None, spool: Spool | None = None
) -> str:
    """Ask about the documents of `shard` that belong to `wanted` slices (all: None) once each.

    `spool` takes what became of each, where somebody asked for that.
    Returns JSON: evidence, offset fits and labels by slice, failed documents by reason, commitments, latency;
    no text, no ids of documents. Raises `Fault` with file and line where a row breaks its contract.
    """
    tallies = {
        name: Tally(scoring.scopes[name]) for name in sorted(shard.slices if wanted is None else wanted)
    }
    books = Books(scoring, shard.file)
    mine = (
        Asked(line, record, slices)
        for line, record in _records(shard, scoring)
        if (slices := [name for name in record.slice_ids if name in tallies])
    )
    while batch := list(islice(mine, scoring.subject.batch_size)):
        for asked, answer, reason in books.ask(batch):
            document = _score(asked, answer, tallies, books)
            if spool is not None:
                spool.note(asked, document, reason)
    # Text in text: a slice decodes its own evidence out of each shard, and skips that of hundreds of others.
    evidence = {
        name: _compact(packed(tally.evidence())) for name, tally in tallies.items() if name in shard.slices
    }
    return _compact({"slices": evidence, **books.closed()})


def _score(asked: Asked, answer: Answer | None, tallies: Mapping[str, Tally], books: Books) -> Document:
    record = asked.record
    text, gold = record.text, record.gold
    if answer is None:
        document = Document(len(text), gold, None)
        fits: Mapping[str, OffsetFits] = {}
    else:
        detection, unmapped, dropped = answer
        document = Document(len(text), gold, detection, sum(unmapped.values()), dropped)
        fits = offset_fits(text, gold, detection.selected)
    for name in asked.slices:
        tallies[name].add(document)
        if fits:
            books.add_offsets(name, fits)
        if answer is not None:
            books.add_labels(name, answer)
    books.commit(record)
    return document


def account_of(nodeid: str, evidence: Mapping[str, Any]) -> str:
    """Return what the controller hears of a shard: all but what its slices will say themselves."""
    own = {name: value for name, value in evidence.items() if name not in _OF_SLICES}
    return _compact({"shard": nodeid, **own})


def _compact(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _records(shard: Shard, scoring: Scoring) -> Iterator[tuple[int, Record]]:
    with open_input(shard.path, root=scoring.root) as handle:
        _check_unchanged(shard, handle)
        handle.seek(shard.offset)
        rows = read_rows(handle, file=shard.file, line=shard.line - 1, offset=shard.offset)
        for row in islice(rows, shard.rows):
            try:
                yield row.line, scoring.read(row.value)
            except Fault as fault:
                raise fault.at(file=shard.file, line=row.line) from None
        _check_unchanged(shard, handle)


def _check_unchanged(shard: Shard, handle: BinaryIO) -> None:
    """Refuse a file whose rows are not those that were checked: another run would score other documents."""
    if state_of_input(handle) != shard.state:
        raise Fault("changed while the run went on; run again", file=shard.file)
