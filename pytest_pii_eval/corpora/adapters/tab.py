"""Reads the Text Anonymization Benchmark: court cases with the mentions of one or several annotators."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, final

from pytest_pii_eval.corpora.draft import Draft, Unfit, UnfitRow
from pytest_pii_eval.corpora.fields import field, identifier
from pytest_pii_eval.corpora.fitting import Given, checked_text, fitted
from pytest_pii_eval.corpora.options import one_of, several_of
from pytest_pii_eval.corpora.rows import rows
from pytest_pii_eval.corpora.rowwise import one_drafted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from pytest_pii_eval.contracts.offsets import OffsetUnit
    from pytest_pii_eval.contracts.quality_model import SplitRole
    from pytest_pii_eval.corpora.draft import Labelled

_Identifier = Literal["DIRECT", "QUASI", "NO_MASK"]
_IDENTIFIERS: Final[tuple[_Identifier, ...]] = ("DIRECT", "QUASI", "NO_MASK")
_ANNOTATORS: Final = ("union", "intersection", "each")
_LABELS: Final = ("type", "type/identifier")
_ROLES: Final[Mapping[object, SplitRole]] = {"train": "train", "dev": "validation", "test": "test"}


class _Read(NamedTuple):
    """What one annotator says: spans in scope, entities with two or more of them, and mentions left out."""

    spans: tuple[Labelled, ...]
    linked: int
    left_out: Counter[str]


@final
class TabAdapter:
    """Reads a file of the Text Anonymization Benchmark (`echr_test.json`): one JSON array of documents.

    `identifiers` names the identifier types in scope, joined by a plus sign; all other mentions are left out
    and counted. `labels` is `type` (PERSON) or `type/identifier` (PERSON/DIRECT).

    `annotators` says what becomes of several annotators of a document. `union`: spans that agree in offsets
    and label become one, spans that differ stay side by side, also where they overlap. `intersection`: only
    what all annotators say. `each`: one draft an annotator, the document's id followed by `#` and the
    annotator's ordinal, the document's id itself being the template, so that they stay in one group.

    A mention's `span_text` must stand at its offsets. Notes count `annotators`; `linked_entities`, those to
    which one annotator linked two or more mentions in scope, whatever the types of these; and
    `left_out_direct`, `left_out_quasi` and `left_out_no_mask`, mentions of one annotator each.
    """

    name = "tab"
    version = "1"
    offset_unit: OffsetUnit = "codepoint"
    policy = "a span is a mention exactly as an annotator marked it"

    def __init__(
        self, *, identifiers: str = "DIRECT+QUASI", annotators: str = "union", labels: str = "type"
    ) -> None:
        self._identifiers = several_of("identifiers", identifiers, _IDENTIFIERS)
        self._annotators = one_of("annotators", annotators, _ANNOTATORS)
        self._labels = one_of("labels", labels, _LABELS)

    def read(self, path: Path) -> Iterator[Draft | Unfit]:
        """Yield one draft a document, or one an annotator."""
        for number, row in rows(path, format="json"):
            drafts = one_drafted(number, row, self._drafts)
            yield from [drafts] if isinstance(drafts, Unfit) else drafts

    def _drafts(self, number: int, row: Mapping[str, object]) -> list[Draft]:
        document_id, text = identifier(row, "doc_id"), checked_text(field(row, "text"))
        read = [self._read(text, mentions) for mentions in _annotations(row)]
        whole = Draft(
            number,
            document_id,
            text,
            (),
            template_id=document_id,
            role=_ROLES.get(row.get("dataset_type")),
        )
        if self._annotators == "each":
            return [
                whole._replace(document_id=f"{document_id}#{ordinal}", spans=one.spans, notes=_notes([one]))
                for ordinal, one in enumerate(read, 1)
            ]
        sets = [set(one.spans) for one in read]
        merged = reduce(set.union if self._annotators == "union" else set.intersection, sets)
        return [whole._replace(spans=tuple(sorted(merged)), notes=_notes(read))]

    def _read(self, text: str, mentions: Sequence[Mapping[str, object]]) -> _Read:
        identifiers = [_identifier(mention) for mention in mentions]
        kept = [
            (mention, kind)
            for mention, kind in zip(mentions, identifiers, strict=True)
            if kind in self._identifiers
        ]
        entities = Counter(identifier(mention, "entity_id") for mention, _ in kept)
        return _Read(
            fitted(text, [self._given(mention, kind) for mention, kind in kept]),
            sum(count > 1 for count in entities.values()),
            Counter(kind for kind in identifiers if kind not in self._identifiers),
        )

    def _given(self, mention: Mapping[str, object], kind: _Identifier) -> Given:
        label = field(mention, "entity_type")
        if type(label) is not str or not label:
            raise UnfitRow("spans_not_readable")
        return Given(
            field(mention, "start_offset"),
            field(mention, "end_offset"),
            label if self._labels == "type" else f"{label}/{kind}",
            _surface(mention),
        )


def _annotations(row: Mapping[str, object]) -> list[list[Mapping[str, object]]]:
    """Return the mentions of each annotator, in the order of the file."""
    annotations = row.get("annotations")
    if not annotations:
        raise UnfitRow("annotator_missing")
    if type(annotations) is not dict:
        raise UnfitRow("spans_not_readable")
    return [_mentions(one) for one in annotations.values()]


def _mentions(annotation: object) -> list[Mapping[str, object]]:
    mentions = annotation.get("entity_mentions") if type(annotation) is dict else None
    if type(mentions) is not list or not all(type(one) is dict for one in mentions):
        raise UnfitRow("spans_not_readable")
    return mentions


def _identifier(mention: Mapping[str, object]) -> _Identifier:
    found = field(mention, "identifier_type")
    for one in _IDENTIFIERS:
        if found == one:
            return one
    raise UnfitRow("spans_not_readable")


def _surface(mention: Mapping[str, object]) -> object:
    surface = field(mention, "span_text")
    if surface is None:
        raise UnfitRow("field_missing")
    return surface


def _notes(read: Sequence[_Read]) -> tuple[tuple[str, int], ...]:
    left_out: Counter[str] = sum((one.left_out for one in read), Counter())
    return (
        ("annotators", len(read)),
        ("linked_entities", sum(one.linked for one in read)),
        *[(f"left_out_{kind.lower()}", left_out[kind]) for kind in _IDENTIFIERS if left_out[kind]],
    )
