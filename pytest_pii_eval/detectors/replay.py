"""Predictions read back: a detector's answers, looked up by document and text; the detector is not needed."""

from __future__ import annotations

import os
from collections import Counter
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final, NamedTuple, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import open_descriptor
from pytest_pii_eval.contracts.jsonl import parse_row, read_rows
from pytest_pii_eval.contracts.predictions import (
    MAX_RUN,
    PredictionContract,
    parse_header,
    prediction_of,
    text_digest,
)
from pytest_pii_eval.contracts.row_index import MAX_FILES, RowIndex, RowPlace, check_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from pytest_pii_eval.contracts.jsonl import Row
    from pytest_pii_eval.contracts.predictions import Header, Prediction
    from pytest_pii_eval.contracts.spans import Detection

PATTERN: Final = "predictions*.jsonl"
"""Names of the files that are predictions where a directory of them is given."""

_BLOCK = 1 << 20


@final
class Unanswered(Exception):
    """A document without an answer: the detector had none when it was predicted; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class _File(NamedTuple):
    """An open file of predictions and its name as output may show it."""

    descriptor: int
    shown: str


@final
class Predictions:
    """The predictions in one file, or in every file of a directory that `PATTERN` names.

    All rows are checked when it is built; some 40 bytes of each are kept, and it is read again when its
    document is asked for. Raises `Fault` at the first that breaks the contract, where files are of different
    detectors, and where a document with the same text is predicted twice. `shown` says how output names a
    path (by default by its last part); symlinks are refused, below `root` on the way too.
    """

    def __init__(
        self, path: Path, *, root: Path | None = None, shown: Callable[[Path], str] | None = None
    ) -> None:
        self._index = RowIndex()
        self._files: list[_File] = []
        self._selected = 0
        self._failures: Counter[str] = Counter()
        self._header: Header | None = None
        show = shown or (lambda one: one.name)
        try:
            for one in _files(path, show):
                self._open(one, root, show(one))
        except BaseException:
            self.close()
            raise

    def __len__(self) -> int:
        return len(self._index)

    @property
    def header(self) -> Header:
        """What the detector that predicted told about itself."""
        if self._header is None:
            raise Fault("holds no header; the first row of a predictions file says which detector predicted")
        return self._header

    @property
    def name(self) -> str:
        """The name of the detector that predicted."""
        return self.header.name

    @property
    def version(self) -> str:
        """The version of the detector that predicted."""
        return self.header.version

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the detector that predicted."""
        return self.header.fingerprint

    @property
    def libraries(self) -> Mapping[str, str]:
        """The versions of the packages behind the detector that predicted."""
        return self.header.libraries

    @property
    def label_map(self) -> str | None:
        """The name of the label map that the detector asked for; None: its own name."""
        return self.header.label_map

    @property
    def identities(self) -> bool:
        """Whether spans carry the identity of the bank's pattern behind them."""
        return self.header.identities

    @property
    def failures(self) -> Counter[str]:
        """How many documents have no answer, by reason."""
        return self._failures

    @property
    def selected(self) -> int:
        """How many selected spans all documents have together."""
        return self._selected

    def has(self, document_id: str, text: str) -> bool:
        """Tell whether this document was predicted; raises `Fault` where it was with another text."""
        if self._index.find(document_id, text_digest(text)) is not None:
            return True
        if self._index.knows(document_id):
            raise self._missing(document_id)
        return False

    def answer(self, document_id: str, text: str) -> tuple[Detection, int]:
        """Return what was detected in `text`, in code points and own labels, and how many spans were dropped.

        Offsets behind the end of the text are returned as they are: reading the answer drops and counts them.
        Raises `Unanswered` where the detector had no answer, and `Fault` where this document or this text was
        not predicted or the file changed since it was opened.
        """
        digest = text_digest(text)
        place = self._index.find(document_id, digest)
        if place is None:
            raise self._missing(document_id)
        prediction = self._read(place)
        if (prediction.document_id, prediction.text_sha256) != (document_id, digest):
            raise self._missing(document_id)
        if prediction.failure is not None:
            raise Unanswered(prediction.failure)
        return prediction.detection, prediction.dropped

    def close(self) -> None:
        """Close the files."""
        while self._files:
            os.close(self._files.pop().descriptor)

    def _open(self, path: Path, root: Path | None, shown: str) -> None:
        try:
            descriptor = open_descriptor(path, root=root)
        except Fault as fault:
            raise Fault(fault.rule, file=shown) from None
        self._files.append(_File(descriptor, shown))
        with os.fdopen(os.dup(descriptor), "rb", buffering=1 << 18) as handle:
            rows = read_rows(handle, file=shown)
            first = next(rows, None)
            if first is None:
                raise Fault("is empty; run pii-eval predict again", file=shown)
            self._take_header(first, shown)
            self._take_rows(rows, shown)

    def _take_header(self, row: Row, shown: str) -> None:
        try:
            header = parse_header(row.value)
            if self._header is None:
                self._header = header
            _check_same(header, self._header, self._files[0].shown)
        except Fault as fault:
            raise fault.at(file=shown, line=row.line) from None

    def _take_rows(self, rows: Iterator[Row], shown: str) -> None:
        contract = PredictionContract(self.header)
        file = len(self._files) - 1
        for row in rows:
            try:
                self._add(contract.check(row.value), RowPlace(file, row.offset, row.size, check_of(row.raw)))
            except Fault as fault:
                raise fault.at(file=shown, line=row.line) from None

    def _add(self, row: Mapping[str, Any], place: RowPlace) -> None:
        first = self._index.add(row["document_id"], row["text_sha256"], place)
        if first is not None:
            file, line = self._files[first.file], self._line(first)
            rule = f"predicts a document with the same text a second time; the first is {file.shown}:{line}"
            raise Fault(rule, field="document_id")
        self._selected += len(row["selected"])
        if row["failure"] is not None:
            self._failures[row["failure"]] += 1
        if self._selected > MAX_RUN:
            raise Fault(f"the predictions of one run pass the limit of {MAX_RUN:,}", field="selected")

    def _read(self, place: RowPlace) -> Prediction:
        file = self._files[place.file]
        os.lseek(file.descriptor, place.offset, os.SEEK_SET)
        raw = os.read(file.descriptor, place.size)
        if len(raw) != place.size or check_of(raw) != place.check:
            # Without `file`: whoever hears of it fills in the place of the record that was asked for.
            raise Fault(f"the predictions in {file.shown} changed while the run went on; run again")
        return prediction_of(parse_row(raw))

    def _line(self, place: RowPlace) -> int:
        """Return the line of a row, from 1; it is counted only where a fault names it."""
        descriptor = self._files[place.file].descriptor
        os.lseek(descriptor, 0, os.SEEK_SET)
        lines, rest = 1, place.offset
        while block := os.read(descriptor, min(rest, _BLOCK)):
            lines += block.count(b"\n")
            rest -= len(block)
        return lines

    def _missing(self, document_id: str) -> Fault:
        """Return the fault without a place: whoever asked knows that of the record."""
        if self._index.knows(document_id):
            return Fault("its text changed since it was predicted; run pii-eval predict again")
        return Fault("no prediction for this document; run pii-eval predict again")


def _files(path: Path, shown: Callable[[Path], str]) -> list[Path]:
    """Return `path`, or the files of predictions in it where it is a directory, by name."""
    if path.is_symlink() or not path.is_dir():
        return [path]
    files = [one for one in sorted(path.iterdir()) if fnmatchcase(one.name, PATTERN)]
    if not files:
        raise Fault(f"holds no file named {PATTERN}", file=shown(path))
    if len(files) > MAX_FILES:
        raise Fault(f"holds more than the limit of {MAX_FILES} files named {PATTERN}", file=shown(path))
    return files


def _check_same(header: Header, first: Header, shown: str) -> None:
    """Refuse files of two detectors: their answers would be scored as one."""
    for field, value in header._asdict().items():
        if value != getattr(first, field):
            raise Fault(
                f"differs from that of {shown}; one run scores one detector", field=f"detector.{field}"
            )
