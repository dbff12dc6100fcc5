"""One shard of documents: its place in a file, and one scan of it; what that gives is in `shard_evidence`."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_pii_eval.collection.quality.books import Asked, Books
from pytest_pii_eval.collection.quality.shard_evidence import ShardEvidence, SlicePart, compact
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.row_files import RowFiles
from pytest_pii_eval.scoring.documents import Document
from pytest_pii_eval.scoring.offset_hint import OffsetFits, offset_fits
from pytest_pii_eval.scoring.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from pytest_pii_eval.collection.quality.spool import Spool
    from pytest_pii_eval.collection.subjects import Subject
    from pytest_pii_eval.contracts.bindings import Bindings
    from pytest_pii_eval.contracts.records import Record, RecordContract
    from pytest_pii_eval.detectors.answers import Answer, Interpreter
    from pytest_pii_eval.scoring.documents import Scope


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
    """What every shard of a suite is scored with; `read` is None where replies need no reading.

    `files` keeps a packed file open from one shard to the next, where it is there.
    """

    contract: RecordContract
    subject: Subject
    interpreter: Interpreter | None
    scopes: Mapping[str, Scope]
    root: Path
    bindings: Bindings | None = None
    files: RowFiles | None = None

    def read(self, value: dict[str, object]) -> Record:
        """Return the record in one decoded row, bound to the catalog; raises `Fault` without place."""
        record = self.contract.parse(value)
        return record if self.bindings is None else self.bindings.bound(record)


def score_shard(
    shard: Shard, scoring: Scoring, wanted: frozenset[str] | None, spool: Spool | None = None
) -> ShardEvidence:
    """Ask about the documents of `shard` that belong to `wanted` slices (all: None) once each.

    `spool` takes what became of each, where somebody asked for that. Raises `Fault` with file and line where
    a row breaks its contract.
    """
    return score_records(_records(shard, scoring), scoring, shard.file, wanted=wanted, spool=spool)


def score_records(
    records: Iterable[tuple[int, Record]],
    scoring: Scoring,
    file: str,
    *,
    wanted: frozenset[str] | None = None,
    spool: Spool | None = None,
) -> ShardEvidence:
    """Ask about `records`, each with its line in `file`, that belong to `wanted` slices (all: None).

    Raises `Fault` with file and line where the subject does, and whatever `records` raise.
    """
    tallies: dict[str, Tally] = {}
    books = Books(scoring, file)
    mine = (
        Asked(line, record, slices)
        for line, record in records
        if (slices := [name for name in record.slice_ids if wanted is None or name in wanted])
    )
    while batch := list(islice(mine, scoring.subject.batch_size)):
        for asked, answer, reason in books.ask(batch):
            for name in asked.slices:
                if name not in tallies:
                    tallies[name] = Tally(scoring.scopes[name])
            document = _score(asked, answer, tallies, books)
            if spool is not None:
                spool.note(asked, document, reason)
    parts = {name: SlicePart(tallies[name].evidence(), *books.of_slice(name)) for name in sorted(tallies)}
    return ShardEvidence(parts, books.account())


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


def shard_payload(account: Mapping[str, Any]) -> str:
    """Return what the controller hears of a shard: all but what its slices will say themselves."""
    return compact({"shard": True, **account})


def _records(shard: Shard, scoring: Scoring) -> Iterator[tuple[int, Record]]:
    files = scoring.files or RowFiles()
    with files.open(shard.path, root=scoring.root, shown=shard.file) as file:
        file.check_unchanged(shard.state)  # or another run would score other documents
        rows = file.rows(line=shard.line - 1, offset=shard.offset)
        for row in islice(rows, shard.rows):
            try:
                yield row.line, scoring.read(row.value)
            except Fault as fault:
                raise fault.at(file=shard.file, line=row.line) from None
        file.check_unchanged(shard.state)
