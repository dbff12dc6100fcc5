"""A suite whose documents are counted elsewhere: everything of a directory but the reading of its records."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final, final

from pytest_pii_eval.collection.quality.directory import QualityDirectory
from pytest_pii_eval.collection.quality.membership import Gold
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.provenance import Coverage, Origin
from pytest_pii_eval.contracts.records import RecordContract

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_pii_eval.contracts.places import Place
    from pytest_pii_eval.contracts.records import Record

_SHA256: Final = 32


@final
class CountedDirectory(QualityDirectory):
    """A directory that hears of its records, and of the rows of provenance, from whoever reads them.

    Documents come by a hash of their id and without text. `finish` and `cover` check what crosses rows, as
    a directory that reads its own records does while it is made.
    """

    def count(self, record: Record, place: Place) -> None:
        """Take one document, all of it but text and gold; raises `Fault` where its id is repeated."""
        self.population.add(record, place)
        if self.origins is not None:
            self.origins.note(record)
        self.documents.update(record.slice_ids)

    def learn(self, gold_digests: bytes, *, has_identities: bool) -> None:
        """Take what is known of the gold of some documents."""
        self._has_identities = self._has_identities or has_identities
        for at in range(0, len(gold_digests), _SHA256):
            self.gold.add_digest(gold_digests[at : at + _SHA256])

    @cached_property
    def gold(self) -> Gold:
        """What tells whether this is the sealed freeze."""
        return Gold(self.membership, RecordContract(self.plan, self._bank))

    def finish(self, gold_spans: int, records: Iterator[Record]) -> None:
        """Check what crosses records, once all were counted; raises `Fault`.

        `records` are read again where the `gold_spans` of all of them are not as many as the rows that bind
        them to the catalog.
        """
        self.population.finish()
        try:
            self.gold.check()
        except Fault as fault:
            raise fault.at(file=self.settings.shown(self.folder)) from None
        if self.bindings is not None and gold_spans != len(self.bindings):
            for record in records:
                self.bindings.bound(record)
            self.bindings.finish()

    def cover(self, rows: Iterable[tuple[Origin, Place]], *, is_there: bool) -> None:
        """Check that `rows` of provenance name each document once, where there are files of it."""
        coverage = Coverage(self.population)
        with coverage.reading():
            for origin, place in rows:
                coverage.add(origin, place)
                if self.origins is not None:
                    self.origins.learn(origin)
        if is_there:
            coverage.finish()
        self.population.release()

    def _take_census(self) -> None:
        """Leave it to `count`, `learn` and `finish`."""

    def _cover_provenance(self) -> None:
        """Leave it to `cover`."""
