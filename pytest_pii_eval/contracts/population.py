"""What crosses the records of a suite: unique document ids, and the exact population of each slice."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.places import Places

if TYPE_CHECKING:
    from pytest_pii_eval.contracts.places import Place
    from pytest_pii_eval.contracts.records import Record
    from pytest_pii_eval.contracts.slices import SlicePlan


@final
class Population:
    """The documents of a suite, counted as their records stream by; about 30 bytes a document are kept."""

    def __init__(self, plan: SlicePlan) -> None:
        self._plan = plan
        self._places = Places()
        self._by_slice: Counter[str] = Counter()
        self._by_view: Counter[tuple[str, str]] = Counter()
        self._promoted: dict[tuple[str, str], list[str]] = {}
        for one in plan.slices.values():
            if one.promotion_gate:
                self._promoted.setdefault((one.split_role, one.text_view), []).append(one.id)
        self._first_left_out: dict[str, Place] = {}

    def __len__(self) -> int:
        return len(self._places)

    @property
    def places(self) -> Places:
        """The ids of all documents with the places of their records."""
        return self._places

    def add(self, record: Record, place: Place) -> None:
        """Count `record`, which stands at `place`; raises `Fault` where its id was added before."""
        first = self._places.add(record.document_id, place)
        if first is not None:
            raise repeated(first, place, "document.document_id")
        view = record.split_role, record.text_view
        self._by_view[view] += 1
        self._by_slice.update(record.slice_ids)
        for slice_id in self._promoted.get(view, ()):
            if slice_id not in record.slice_ids:
                self._first_left_out.setdefault(slice_id, place)

    def documents(self, slice_id: str) -> int:
        """Return how many documents are in a slice."""
        return self._by_slice[slice_id]

    def finish(self) -> None:
        """Raise `Fault` where a promotion-gated slice leaves out a document of its role and text view.

        Its place is that of the first document left out; the order of documents is that of `add`.
        """
        for slice_id, place in self._first_left_out.items():
            one = self._plan.slices[slice_id]
            every = self._by_view[one.split_role, one.text_view]
            raise Fault(
                f"the promotion-gated slice {slice_id} holds {self._by_slice[slice_id]:,} of the {every:,}"
                " documents of its split role and text view; it must hold all, and this is the first without",
                file=place[0],
                line=place[1],
                field="slice_ids",
            )


def repeated(first: Place, place: Place, field: str) -> Fault:
    """Return the fault of an id at `place` that was first mentioned at `first`; the id stays out of it."""
    rule = f"names a document a second time; the first is {first[0]}:{first[1]}"
    return Fault(rule, file=place[0], line=place[1], field=field)
