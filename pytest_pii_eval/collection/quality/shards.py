"""One shard of documents: its place in a file, and the evidence that one scan of it gives."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import open_input
from pytest_pii_eval.contracts.jsonl import read_rows
from pytest_pii_eval.detectors.bank.errors import ScanFailure
from pytest_pii_eval.scoring.documents import Document
from pytest_pii_eval.scoring.offset_hint import OffsetFits, added, offset_fits
from pytest_pii_eval.scoring.packing import packed
from pytest_pii_eval.scoring.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from pytest_pii_eval.contracts.records import Record, RecordContract
    from pytest_pii_eval.contracts.spans import Detection
    from pytest_pii_eval.detectors.bank_detector import BankDetector
    from pytest_pii_eval.scoring.documents import Scope

_SUM_BITS = 512


class Shard(NamedTuple):
    """A run of rows in one records file: byte offset, first line (from 1), rows, and the slices in it."""

    name: str
    path: Path
    file: str
    offset: int
    line: int
    rows: int
    slices: frozenset[str]


class Scoring(NamedTuple):
    """What every shard of a suite is scored with."""

    contract: RecordContract
    detector: BankDetector
    scopes: Mapping[str, Scope]
    max_matches: int
    root: Path


def score_shard(shard: Shard, scoring: Scoring, wanted: frozenset[str] | None) -> str:
    """Scan the documents of `shard` that belong to `wanted` slices (all: None) once each.

    Returns JSON: evidence and offset fits by slice, failed documents by reason, commitments; no text, no
    ids of documents. Raises `Fault` with file and line where a row breaks its contract.
    """
    tallies = {
        name: Tally(scoring.scopes[name]) for name in sorted(shard.slices if wanted is None else wanted)
    }
    books = _Books()
    for line, record in _records(shard, scoring):
        slices = [name for name in record.slice_ids if name in tallies]
        if not slices:
            continue
        detection = books.detect(scoring, record, line)
        document = Document(len(record.text), record.gold, detection)
        fits = {} if detection is None else offset_fits(record.text, record.gold, detection.selected)
        for name in slices:
            tallies[name].add(document)
            if fits:
                books.add_offsets(name, fits, scoring.scopes[name])
        books.commit(scoring.contract, record)
    # Text in text: a slice decodes its own evidence out of each shard, and skips that of hundreds of others.
    evidence = {
        name: _compact(packed(tally.evidence())) for name, tally in tallies.items() if name in shard.slices
    }
    return _compact({"slices": evidence, **books.closed()})


def account_of(nodeid: str, evidence: Mapping[str, Any]) -> str:
    """Return what the controller hears of a shard: all but what its slices will say themselves."""
    own = {name: value for name, value in evidence.items() if name not in {"slices", "offsets"}}
    return _compact({"shard": nodeid, **own})


def _compact(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


class _Books:
    """Keeps count of a shard besides its evidence."""

    def __init__(self) -> None:
        self.failed: Counter[str] = Counter()
        self.first_failure: int | None = None
        self.documents = 0
        self.predictions = 0
        self._content = 0
        self._gold = 0
        self._offsets: dict[str, OffsetFits] = {}

    def detect(self, scoring: Scoring, record: Record, line: int) -> Detection | None:
        """Return the detector's answer, or None and a note of why there is none."""
        self.documents += 1
        try:
            detection = scoring.detector.detect(record.text, max_matches=scoring.max_matches)
        except ScanFailure as failure:
            self._fail(failure.reason, line)
            return None
        except Exception as error:  # noqa: BLE001  # whatever it is, this document has no answer and others do
            self._fail(type(error).__name__, line)
            return None
        self.predictions += len(detection.selected)
        return detection

    def _fail(self, reason: str, line: int) -> None:
        self.failed[reason] += 1
        self.first_failure = self.first_failure or line

    def add_offsets(self, name: str, fits: Mapping[str, OffsetFits], scope: Scope) -> None:
        """Count for a slice what another offset unit would make of the gold that was missed."""
        mine = [fit for type_, fit in fits.items() if type_ in scope.types]
        self._offsets[name] = added([self._offsets.get(name, OffsetFits()), *mine])

    def commit(self, contract: RecordContract, record: Record) -> None:
        """Add the record to the commitments: sums, so that neither order nor shard size matters."""
        self._content += _number(contract.digest(record))
        self._gold += _number(contract.gold_digest(record))

    def closed(self) -> dict[str, Any]:
        """Return the counts and commitments."""
        return {
            "documents": self.documents,
            "predictions": self.predictions,
            "failed": dict(self.failed),
            "first_failure": self.first_failure,
            "offsets": self._offsets,
            "content": _hex(self._content),
            "gold": _hex(self._gold),
        }


def _number(digest: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(digest, digest_size=_SUM_BITS // 8).digest(), "big")


def _hex(total: int) -> str:
    return f"{total % (1 << _SUM_BITS):0{_SUM_BITS // 4}x}"


def _records(shard: Shard, scoring: Scoring) -> Iterator[tuple[int, Record]]:
    with open_input(shard.path, root=scoring.root) as handle:
        handle.seek(shard.offset)
        rows = read_rows(handle, file=shard.file, line=shard.line - 1, offset=shard.offset)
        for row in islice(rows, shard.rows):
            try:
                yield row.line, scoring.contract.parse(row.value)
            except Fault as fault:
                raise fault.at(file=shard.file, line=row.line) from None
