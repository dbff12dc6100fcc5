"""Reads what Label Studio exports from text labelling: its JSON of tasks with annotations, and JSON-MIN."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, Final, Literal, final

from pytest_pii_eval.corpora.draft import Draft, UnfitRow
from pytest_pii_eval.corpora.fields import field
from pytest_pii_eval.corpora.fitting import Given, checked_text, fitted
from pytest_pii_eval.corpora.options import one_of
from pytest_pii_eval.corpora.rowwise import RowAdapter

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_pii_eval.corpora.draft import Labelled

Annotation = Literal["only", "first", "union"]

_ANNOTATIONS: Final[tuple[Annotation, ...]] = ("only", "first", "union")


@final
class LabelStudioAdapter(RowAdapter):
    """One document a task. Offsets are UTF-16 code units, as its editor counts, unless `unit` says otherwise.

    `text` names the field of the text, and `label` that of the regions in JSON-MIN. `document_id` names
    fields of a task, or of its data as `data.NAME`. Cancelled annotations are not read. `annotation` says
    what counts where a task has several: `only` refuses it, `first` takes the first in the file, `union`
    takes every span that one of them has. A region with several labels is as many spans; relations,
    choices and predictions are not read.
    """

    name = "label-studio"
    version = "1"
    policy = "a span lies where its annotator's marking does"

    def __init__(
        self,
        *,
        text: str = "text",
        label: str = "label",
        document_id: str = "id",
        annotation: str = "only",
        unit: str = "utf16",
        format: str | None = None,  # noqa: A002  # the word that pins use
    ) -> None:
        super().__init__(document_id=document_id, unit=unit, format=format)
        self._text, self._label = text, label
        self._annotation = one_of("annotation", annotation, _ANNOTATIONS)

    def _draft(self, number: int, row: Mapping[str, object]) -> Draft:
        if "data" not in row:
            text = checked_text(field(row, self._text))
            return self._drafted(number, row, text, [_regions(field(row, self._label))])
        data = _object(row["data"])
        text = checked_text(field(data, self._text))
        named = {f"data.{name}": value for name, value in data.items()} | dict(row)
        return self._drafted(number, named, text, [_marked(one) for one in self._chosen(row)])

    def _drafted(
        self, number: int, row: Mapping[str, object], text: str, regions: Sequence[Sequence[Given]]
    ) -> Draft:
        sets = [fitted(text, one, self.offset_unit) for one in regions]
        spans: tuple[Labelled, ...] = tuple(dict.fromkeys(chain.from_iterable(sets)))
        return Draft(number, self._ids.of(row, number), text, spans)

    def _chosen(self, row: Mapping[str, object]) -> Sequence[Mapping[str, object]]:
        """Return the annotations that count."""
        held = [_object(one) for one in _list(field(row, "annotations"))]
        finished = [one for one in held if one.get("was_cancelled") is not True]
        if not finished:
            raise UnfitRow("not_accepted")
        if len(finished) > 1 and self._annotation == "only":
            raise UnfitRow("annotator_missing")
        return finished[:1] if self._annotation == "first" else finished


def _marked(annotation: Mapping[str, object]) -> Sequence[Given]:
    """Return the spans of an annotation in JSON; raises `UnfitRow` where it marks what is no plain text."""
    results = [_object(one) for one in _list(field(annotation, "result"))]
    kinds = [one.get("type") for one in results]
    if any(type(kind) is str and kind != "labels" and kind.endswith("labels") for kind in kinds):
        raise UnfitRow("spans_not_readable")
    marked = zip(kinds, results, strict=True)
    return _regions([field(one, "value") for kind, one in marked if kind == "labels"])


def _regions(regions: object) -> Sequence[Given]:
    return list(chain.from_iterable(_region(_object(one)) for one in _list(regions)))


def _region(region: Mapping[str, object]) -> Iterable[Given]:
    """Return a span for each label of the region."""
    labels = _list(field(region, "labels"))
    if not labels:
        raise UnfitRow("spans_not_readable")
    start, end = field(region, "start"), field(region, "end")
    return [Given(start, end, label, region.get("text")) for label in labels]


def _list(value: object) -> list[Any]:
    if type(value) is not list:
        raise UnfitRow("spans_not_readable")
    return value


def _object(value: object) -> Mapping[str, object]:
    if type(value) is not dict:
        raise UnfitRow("spans_not_readable")
    return value
