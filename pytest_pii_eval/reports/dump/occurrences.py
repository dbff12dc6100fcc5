"""From what became of the spans of a document to its errors, each once, however many slices it counts in."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, TypeAlias

from pytest_pii_eval.reports.dump.model import Occurrence
from pytest_pii_eval.scoring.outcomes import GoldOutcome, PredictionOutcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_pii_eval.reports.dump.model import State

    View: TypeAlias = tuple[Sequence[Sequence[Any]], Sequence[Sequence[Any]]]
    _Key: TypeAlias = tuple[State, str, int, int, str, int]


def occurrences(views: Sequence[View], slices: Mapping[str, int]) -> list[Occurrence]:
    """Return the errors in the views that slices have of one document, by state, type and place.

    A view holds the fields of `GoldOutcome` and of `PredictionOutcome`.
    """
    found: dict[_Key, list[str]] = {}
    for name in sorted(slices):
        for key in _keys(views[slices[name]]):
            found.setdefault(key, []).append(name)
    return [Occurrence(*key[:5], tuple(names)) for key, names in sorted(found.items())]


def _keys(view: View) -> Iterator[_Key]:
    gold, predictions = view
    for one in map(GoldOutcome._make, gold):
        place = one.type, one.start, one.end
        if one.state != "exact":
            yield one.state, *place, one.taken_for or "", one.ordinal
        if one.leaks:
            yield "leak", *place, "", one.ordinal
    repeats: Counter[tuple[str, int, int]] = Counter()
    for prediction in map(PredictionOutcome._make, predictions):
        if prediction.state == "extra":
            place = prediction.type, prediction.start, prediction.end
            yield "extra", *place, "", repeats[place]
            repeats[place] += 1
