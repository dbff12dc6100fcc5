"""Asking a subject about every document of a suite, and keeping each answer at once; no arguments here."""

from __future__ import annotations

import os
from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, final

from pytest_pii_eval.collection.quality.directory import QualityDirectory
from pytest_pii_eval.collection.replies import Reply, reason_of
from pytest_pii_eval.collection.subject_building import Builder
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.predictions import Header, header_line
from pytest_pii_eval.contracts.records import RecordContract
from pytest_pii_eval.contracts.row_files import RowFiles
from pytest_pii_eval.detectors.protocol import libraries_of
from pytest_pii_eval.kinds import kind_of
from pytest_pii_eval.predicting.answers import Writer
from pytest_pii_eval.predicting.making import Making, refuse_empty, refuse_sealed
from pytest_pii_eval.predicting.partial import PartialFile, refuse_target
from pytest_pii_eval.progress import Bar
from pytest_pii_eval.silence import Silence, silenced
from pytest_pii_eval.withheld import withheld

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from pytest_pii_eval.collection.subjects import Subject
    from pytest_pii_eval.contracts.places import Place
    from pytest_pii_eval.contracts.records import Record
    from pytest_pii_eval.detectors.protocol import Detector
    from pytest_pii_eval.detectors.replay import Predictions
    from pytest_pii_eval.settings import Settings

_BATCH = 32
"""Documents between two syncs to the disk, where the detector takes them one by one."""


class Wish(NamedTuple):
    """What is to be predicted, and where to; `settings` name the detector or the bank.

    `batch_size` None leaves the size of a batch to the detector, `limit` None takes every document.
    """

    folder: Path
    out: Path
    settings: Settings
    batch_size: int | None = None
    limit: int | None = None
    force: bool = False
    quiet: bool = False


@final
class Run(Making):
    """One run over a suite in this process."""

    def predict(self) -> None:
        """Write the predictions; raises `Fault`, or `OSError` where the disk refuses; what is done stays."""
        wish = self._wish
        if not os.path.isdir(wish.folder):  # noqa: PTH112  # Path.is_dir raises for a name that is too long
            raise Fault("is no directory", file=wish.settings.shown(wish.folder))
        refuse_out(wish)
        builder = Builder(wish.settings, lambda _: None)
        try:
            subject = builder.subject()
            directory = QualityDirectory(wish.folder, wish.settings, builder.bank)
            refuse_sealed(directory)
            refuse_empty(directory, len(directory.population))
            self._fill(directory, subject)
        finally:
            self.trouble = builder.close()

    def _fill(self, directory: QualityDirectory, subject: Subject) -> None:
        detector = subject.detector
        if detector is None:
            raise Fault("predictions are made by a detector or a bank")
        header = header_of(detector)
        self.subject = f"{header.name} {header.version}"
        writer = Writer(header, detector.offset_unit, directory.suite_file.taxonomy)
        file = PartialFile(self._wish.out, header, shown=self.shown)
        with closing(file):
            documents = self._open(directory, file.kept)
            self._ask(_Asking(subject, writer, file), documents)
            file.publish(force=self._wish.force)

    def _open(self, directory: QualityDirectory, kept: Predictions | None) -> Iterator[Record]:
        """Take over what was done before, and return the documents that were not."""
        every = len(directory.population)
        self.total = every if self._wish.limit is None else min(every, self._wish.limit)
        if kept is None:
            return (record for _, record in islice(_records(directory), self._wish.limit))
        self._take_over(directory, kept)
        return (
            record
            for _, record in islice(_records(directory), self._wish.limit)
            if not kept.has(record.document_id, record.text)
        )

    def _take_over(self, directory: QualityDirectory, kept: Predictions) -> None:
        """Count what is done; refuse it where it is of texts or documents that the suite no longer has."""
        self.failures += kept.failures
        self._selected = kept.selected
        present = [_is_kept(kept, place, record) for place, record in _records(directory)]
        self.done = sum(present[: self.total])
        beyond = sum(present[self.total :])
        if beyond:
            rule = f"holds {beyond:,} documents beyond --limit; raise it, or delete the file to begin anew"
            raise Fault(rule, file=f"{self.shown}.partial")
        gone = len(kept) - sum(present)
        if gone:
            rule = f"holds {gone:,} documents that the suite no longer has; delete it to begin anew"
            raise Fault(rule, file=f"{self.shown}.partial")

    def _ask(self, asking: _Asking, documents: Iterator[Record]) -> None:
        subject, file = asking.subject, asking.file
        takes_batches = subject.batch_size > 1
        size = self._wish.batch_size or (subject.batch_size if takes_batches else _BATCH)
        at_once = size if takes_batches else 1
        with (
            closing(Bar(self.done, self.total, quiet=self._wish.quiet)) as bar,
            closing(Silence()) as silence,
        ):
            while batch := list(islice(documents, size)):
                try:
                    for start in range(0, len(batch), at_once):
                        part = batch[start : start + at_once]
                        with silence:
                            answers = replies(subject, part)
                        self._keep(asking, zip(part, answers, strict=True))
                        bar.show(self.done)
                finally:
                    file.sync()

    def _keep(self, asking: _Asking, replies: Iterable[tuple[Record, Reply]]) -> None:
        for record, reply in replies:
            prediction, line = asking.writer.line(record, reply)
            self._keep_line(asking.file, line, len(prediction.detection.selected), prediction.failure)


class _Asking(NamedTuple):
    """Who is asked, who writes the answers, and where to."""

    subject: Subject
    writer: Writer
    file: PartialFile


def refuse_out(wish: Wish) -> None:
    """Raise `Fault` where predictions may not be written to the file that `wish` names."""
    shown = wish.settings.shown(wish.out)
    if kind_of(wish.out, wish.settings) is not None:
        raise Fault("is the name of another file of a suite; name another file", file=shown)
    refuse_target(wish.out, shown=shown, force=wish.force)


def replies(subject: Subject, records: Sequence[Record]) -> list[Reply]:
    """Ask the documents; one whose detector wants to end this process has no answer, and all others do."""
    try:
        return subject.ask(records)
    except (Fault, KeyboardInterrupt):
        raise
    except BaseException as error:  # noqa: BLE001  # SystemExit and the like; its text would be printed at the end
        if len(records) == 1:
            return [Reply(None, reason_of(error), 0.0)]
    return [reply for record in records for reply in replies(subject, [record])]


def header_of(detector: Detector) -> Header:
    """Return what the detector tells about itself; raises `Fault` where that is no use."""
    try:
        header = silenced(lambda: _told(detector))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  # a stranger's code, SystemExit too; its text may hold anything
        raise Fault(f"the detector does not tell about itself: {withheld(error)}") from None
    header_line(header)
    return header


def _told(detector: Detector) -> Header:
    return Header(
        detector.name,
        detector.version,
        detector.fingerprint(),
        {str(name): str(version) for name, version in libraries_of(detector).items()},
        getattr(detector, "label_map", None),
        bool(getattr(detector, "identities", False)),
    )


def _is_kept(kept: Predictions, place: Place, record: Record) -> bool:
    try:
        return kept.has(record.document_id, record.text)
    except Fault as fault:
        raise fault.at(file=place[0], line=place[1]) from None


def _records(directory: QualityDirectory) -> Iterator[tuple[Place, Record]]:
    """Yield every record of a directory that was checked before, with its place, in order of its shards."""
    contract = RecordContract(directory.plan)
    files = RowFiles()
    for shard in directory.shards:
        with files.open(shard.path, root=directory.settings.root, shown=shard.file) as file:
            file.check_unchanged(shard.state)  # or rows that nobody checked would be predicted
            for row in islice(file.rows(line=shard.line - 1, offset=shard.offset), shard.rows):
                try:
                    record = contract.parse(row.value)
                except Fault as fault:
                    raise fault.at(file=shard.file, line=row.line) from None
                yield (shard.file, row.line), record
            file.check_unchanged(shard.state)
