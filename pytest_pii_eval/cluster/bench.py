"""Where batches are done: a subject and its scoring, built once a process, used by one batch at a time."""

from __future__ import annotations

import threading
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeVar, cast, final

from pytest_pii_eval.cluster.batches import rows_of
from pytest_pii_eval.cluster.fittings import Fittings, Nobody, fitted
from pytest_pii_eval.cluster.mapped import Group, Mapped, Notes, OriginNotes, Origins, Predicted, told
from pytest_pii_eval.cluster.sent_bank import bank_of
from pytest_pii_eval.collection.quality.shards import Scoring, score_records
from pytest_pii_eval.collection.subject_building import Builder
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.provenance import parse_origin
from pytest_pii_eval.contracts.records import RecordContract
from pytest_pii_eval.predicting.answers import Writer
from pytest_pii_eval.predicting.run import header_of, replies
from pytest_pii_eval.silence import silenced, without_raised_warnings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_pii_eval.cluster.batches import Batch
    from pytest_pii_eval.cluster.recipe import Recipe
    from pytest_pii_eval.collection.subjects import Subject
    from pytest_pii_eval.contracts.cases import CaseKind
    from pytest_pii_eval.contracts.records import Record
    from pytest_pii_eval.detectors.replay import Predictions

_Result = TypeVar("_Result")
_ALONE: Final = threading.Lock()


@final
class Bench:
    """Does batches of a recipe; in one process, no two threads do: silence is kept by one.

    `at_close` is called where it is closed: at once, or behind the batch that is being done.
    """

    def __init__(
        self, recipe: Recipe, fittings: Fittings | None = None, at_close: Callable[[], None] | None = None
    ) -> None:
        self.recipe = recipe
        self._at_close = at_close
        self._is_closed = False
        self._fittings = fittings
        self._builder: Builder | None = None
        self._scoring: Scoring | None = None

    def records(self, batch: Batch) -> Mapped:
        """Ask and score the documents of a batch."""
        return self._alone(lambda: self._records(batch, self._scored_with()))

    def unanswered(self, batch: Batch) -> Mapped:
        """Score the documents of a batch without asking: none has an answer."""
        scoring = self._scored_with()._replace(subject=cast("Subject", Nobody()), interpreter=None)
        return self._alone(lambda: self._records(batch, scoring))

    def cases(self, batch: Batch) -> Group:
        """Judge the conformance cases of a batch, whose rows were checked before."""
        return self._alone(lambda: self._judged(batch))

    def predict(self, batch: Batch) -> Predicted:
        """Ask the documents of a batch, and return a line for each."""
        return self._alone(lambda: self._predicted(batch, self.fittings().subject))

    def unanswered_lines(self, batch: Batch) -> Predicted:
        """Return a line for each document of a batch, which says that it has no answer."""
        return self._alone(lambda: self._predicted(batch, cast("Subject", Nobody())))

    def kept_rows(self, batch: Batch, kept: Predictions) -> tuple[Mapped, int]:
        """Read the documents of a batch up to the first that was not predicted before, and count the others.

        The fault may be that one was predicted with another text.
        """
        notes, rows, shown = Notes(), 0, self.recipe.shown[batch.file]
        try:
            for line, record in self._noted(batch, self._scored_with(), notes):
                if not _is_kept(kept, record, line):
                    break
                rows += 1
        except Fault as fault:
            return notes.mapped(None, self.fittings().identity, told(fault, shown)), rows
        return notes.mapped(None, self.fittings().identity, None), rows

    def origins(self, batch: Batch) -> Origins:
        """Read a batch of provenance."""
        notes = OriginNotes()
        shown = self.recipe.shown[batch.file]
        try:
            with self.recipe.storage.open(self.recipe.files[batch.file]) as handle:
                for row in rows_of(handle, batch, shown):
                    try:
                        notes.add(parse_origin(row.value))
                    except Fault as fault:
                        raise fault.at(line=row.line) from None
        except Fault as fault:
            return notes.told(told(fault, shown))
        return notes.told(None)

    def fittings(self) -> Fittings:
        """Return what is asked, built now if it was not; raises `Fault`."""
        if self._fittings is None:
            self._fittings = self._built()
        return self._fittings

    def close(self) -> None:
        """Close what was built here, now or behind the batch that is being done; once more does no harm."""
        self._is_closed = True
        if _ALONE.acquire(blocking=False):
            try:
                self._put_away()
            finally:
                _ALONE.release()

    def read(self, batch: Batch, contract: RecordContract) -> Iterator[tuple[int, Record]]:
        """Yield the records of a batch, each with its line in the batch; raises `Fault` with that line."""
        with self.recipe.storage.open(self.recipe.files[batch.file]) as handle:
            for row in rows_of(handle, batch, self.recipe.shown[batch.file]):
                try:
                    yield row.line, contract.parse(row.value)
                except Fault as fault:
                    raise fault.at(line=row.line) from None

    def _alone(self, action: Callable[[], _Result]) -> _Result:
        """Return what `action` returns; nobody else uses the subject meanwhile, and it is not heard."""
        with _ALONE:
            try:
                with without_raised_warnings(shown=False):
                    return silenced(action)
            finally:
                if self._is_closed:
                    self._put_away()

    def _put_away(self) -> None:
        builder, self._builder = self._builder, None
        at_close, self._at_close = self._at_close, None
        if builder is not None:
            builder.close()
        if at_close is not None:
            at_close()

    def _records(self, batch: Batch, scoring: Scoring) -> Mapped:
        notes, shown = Notes(), self.recipe.shown[batch.file]
        identity = self.fittings().identity
        try:
            evidence = score_records(self._noted(batch, scoring, notes), scoring, shown)
        except Fault as fault:
            return notes.mapped(None, identity, told(fault, shown))
        return notes.mapped(evidence.packed(), identity, None)

    def _judged(self, batch: Batch) -> Group:
        from pytest_pii_eval.collection.groups import MOST_TOLD, GroupRun  # noqa: PLC0415  # few suites have cases
        from pytest_pii_eval.collection.suite import Suite  # noqa: PLC0415  # as above

        recipe = self.recipe
        suite = Suite(recipe.settings, self.fittings().subject)
        contract = suite.contract(cast("CaseKind", recipe.kinds[batch.file]))
        with recipe.storage.open(recipe.files[batch.file]) as handle:
            rows = rows_of(handle, batch, recipe.shown[batch.file])
            run = GroupRun(suite)
            run.take(contract.parse(row.value) for row in rows)
        evidence, failures = run.outcome()
        told_first = tuple(failure.partition("\n")[0] for failure in failures[:MOST_TOLD])
        return Group(evidence, run.failed, told_first)

    def _predicted(self, batch: Batch, subject: Subject) -> Predicted:
        notes, shown, lines = Notes(), self.recipe.shown[batch.file], []
        writer, identity = self._written_by(), self.fittings().identity
        at_once = (self.recipe.batch_size or subject.batch_size) if subject.batch_size > 1 else 1
        records = (record for _, record in self._noted(batch, self._scored_with(), notes))
        try:
            while part := list(islice(records, at_once)):
                for record, reply in zip(part, replies(subject, part), strict=True):
                    prediction, line = writer.line(record, reply)
                    lines.append((line, len(prediction.detection.selected), prediction.failure))
        except Fault as fault:
            return Predicted(notes.mapped(None, identity, told(fault, shown)), tuple(lines))
        return Predicted(notes.mapped(None, identity, None), tuple(lines))

    def _written_by(self) -> Writer:
        detector = self.fittings().subject.detector
        if detector is None:
            raise Fault("predictions are made by a detector or a bank")
        return Writer(header_of(detector), detector.offset_unit, self.recipe.taxonomy)

    def _noted(self, batch: Batch, scoring: Scoring, notes: Notes) -> Iterator[tuple[int, Record]]:
        contract, bindings = scoring.contract, scoring.bindings
        for line, record in self.read(batch, contract):
            notes.add(record)
            if self.recipe.needs_gold:
                notes.gold_digests += contract.gold_digest(record)
            if bindings is None:
                yield line, record
                continue
            try:
                yield line, bindings.bound(record)
            except Fault as fault:
                raise fault.at(line=line) from None

    def _scored_with(self) -> Scoring:
        if self._scoring is None:
            recipe, fittings = self.recipe, self.fittings()
            contract = RecordContract(recipe.plan, fittings.bank)
            interpreter = fittings.subject.interpreter(recipe.taxonomy)
            root = recipe.settings.root
            self._scoring = Scoring(
                contract, fittings.subject, interpreter, recipe.scopes, root, recipe.bindings
            )
        return self._scoring

    def _built(self) -> Fittings:
        payload, path = self.recipe.bank, self.recipe.settings.bank
        bank = None if payload is None or path is None else lambda: bank_of(payload, path.name)
        self._builder = Builder(self.recipe.settings, lambda _: None, bank=bank)
        return fitted(self._builder)


def _is_kept(kept: Predictions, record: Record, line: int) -> bool:
    try:
        return kept.has(record.document_id, record.text)
    except Fault as fault:
        raise fault.at(line=line) from None
