"""What crosses the records of a suite: unique document ids, and the exact population of each slice."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.places import KEPT, Places

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from pytest_pii_eval.contracts.places import Place
    from pytest_pii_eval.contracts.records import Record
    from pytest_pii_eval.contracts.slices import SlicePlan

_DOCUMENT_ID: Final = "document.document_id"


@final
class PopulationCounts:
    """The documents of a suite by slice and by view; those of its parts add up, in any order."""

    def __init__(self, plan: SlicePlan) -> None:
        self._plan = plan
        self.documents = 0
        self.by_slice: Counter[str] = Counter()
        self.by_view: Counter[tuple[str, str]] = Counter()
        self.first_left_out: dict[str, Place] = {}
        self._promoted: dict[tuple[str, str], list[str]] = {}
        for one in plan.slices.values():
            if one.promotion_gate:
                self._promoted.setdefault((one.split_role, one.text_view), []).append(one.id)

    def add(self, record: Record, place: Place) -> None:
        """Count `record`, which stands at `place`."""
        view = record.split_role, record.text_view
        self.documents += 1
        self.by_view[view] += 1
        for slice_id in record.slice_ids:  # `Counter.update` takes five times as long for a few
            self.by_slice[slice_id] += 1
        for slice_id in self._promoted.get(view, ()):
            if slice_id not in record.slice_ids:
                self._leave_out(slice_id, place)

    def merge(self, other: PopulationCounts) -> None:
        """Add the counts of another part of the same suite."""
        self.documents += other.documents
        self.by_slice.update(other.by_slice)
        self.by_view.update(other.by_view)
        for slice_id, place in other.first_left_out.items():
            self._leave_out(slice_id, place)

    def finish(self) -> None:
        """Raise `Fault` where a promotion-gated slice leaves out a document of its role and text view.

        Its place is the first, by file and line, of a document left out.
        """
        for slice_id, place in sorted(self.first_left_out.items(), key=lambda pair: (pair[1], pair[0])):
            one = self._plan.slices[slice_id]
            every = self.by_view[one.split_role, one.text_view]
            raise Fault(
                f"the promotion-gated slice {slice_id} holds {self.by_slice[slice_id]:,} of the {every:,}"
                " documents of its split role and text view; it must hold all, and this is the first without",
                file=place[0],
                line=place[1],
                field="slice_ids",
            )

    def _leave_out(self, slice_id: str, place: Place) -> None:
        self.first_left_out[slice_id] = min(self.first_left_out.get(slice_id, place), place)


@final
class Population:
    """The documents of a suite, counted as their records stream by; `kept` of their ids stay in memory."""

    def __init__(self, plan: SlicePlan, *, kept: int | None = KEPT) -> None:
        self._places = Places(kept)
        self._counts = PopulationCounts(plan)

    def __len__(self) -> int:
        return self._counts.documents

    @property
    def places(self) -> Places:
        """The ids of all documents with the places of their records, until `release`."""
        return self._places

    def add(self, record: Record, place: Place) -> None:
        """Count `record`, which stands at `place`; raises `Fault` where its id was added before.

        Of many documents that is known late: whoever adds them does so within `reading`.
        """
        first = self._places.add(record.document_id, place)
        if first is not None:
            raise repeated(first, place, _DOCUMENT_ID)
        self._counts.add(record, place)

    def reading(self) -> AbstractContextManager[None]:
        """Surround the reading of records: where a `Fault` ends it, a repeated id before that is told."""
        return repetitions_first(self._places, _DOCUMENT_ID)

    def documents(self, slice_id: str) -> int:
        """Return how many documents are in a slice."""
        return self._counts.by_slice[slice_id]

    def finish(self) -> None:
        """Raise `Fault` where an id was added twice, and as `PopulationCounts.finish` does."""
        check_repetitions(self._places, _DOCUMENT_ID)
        self._counts.finish()

    def release(self) -> None:
        """Let go of the ids, once nobody asks for them any more."""
        self._places = Places()


@contextmanager
def repetitions_first(ids: Places, field: str) -> Iterator[None]:
    """Let an id that was added twice, and is not told yet, go before the `Fault` that ends this."""
    try:
        yield
    except Fault:
        check_repetitions(ids, field)
        raise


def check_repetitions(ids: Places, field: str) -> None:
    """Raise `Fault` where an id was added twice: at its earliest repetition, whose `field` it is."""
    found = ids.repeated()
    if found is not None:
        raise repeated(*found, field) from None


def repeated(first: Place, place: Place, field: str) -> Fault:
    """Return the fault of an id at `place` that was first mentioned at `first`; the id stays out of it."""
    rule = f"names a document a second time; the first is {first[0]}:{first[1]}"
    return Fault(rule, file=place[0], line=place[1], field=field)
