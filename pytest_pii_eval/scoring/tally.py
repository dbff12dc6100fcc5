"""Scoring of documents, one at a time, into the evidence of one slice."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING, final

from pytest_pii_eval.scoring.covers import CANDIDATES, PROTECTION, SCOPE, SELECTED, Covers
from pytest_pii_eval.scoring.evidence import Evidence, SliceCounts
from pytest_pii_eval.scoring.exact import Exact
from pytest_pii_eval.scoring.line import ground, lay
from pytest_pii_eval.scoring.matching import match
from pytest_pii_eval.scoring.pairing import paired
from pytest_pii_eval.scoring.ranges import union, untouched

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_pii_eval.scoring.documents import Document, Scope
    from pytest_pii_eval.scoring.line import Ground, Line, Placed, PlacedGold

_FIELDS = len(SliceCounts._fields)
# Positions in the row of SliceCounts.
(
    _DOCUMENTS,
    _FAILED,
    _PARTIAL,
    _FAILED_ZERO_GOLD,
    _CHARACTERS,
    _GOLD_CHARACTERS,
    _WITH_GOLD,
    _WITH_MISS,
    _WITH_CATALOGED,
    _WITH_CATALOGED_MISS,
    _HIGH_SEVERITY,
    _REPEATED,
    _ZERO_GOLD,
    _ZERO_GOLD_CHARACTERS,
    _UNMAPPED,
    _DROPPED,
    _OUT_OF_SCOPE,
    _DUPLICATES,
    _PAIRED_SHIFT,
    _PAIRED_WRONG_TYPE,
    _PAIRED_SHIFT_AND_TYPE,
) = range(_FIELDS)


_CHUNK = 256
"""Documents counted in one pass: enough to spread the cost of a pass, few enough to stay small."""

_CHUNK_SPANS = 4096
"""Spans after which a chunk is counted even when it holds fewer documents."""


@final
class Tally:
    """The running count of one slice: `add` documents, then take their `evidence`."""

    __slots__ = ("_covers", "_exact", "_high_severity", "_pending", "_pending_spans", "_row", "_types")

    def __init__(self, scope: Scope) -> None:
        self._types = scope.types
        self._high_severity = scope.high_severity & scope.types
        self._row = [0] * _FIELDS
        self._exact = Exact()
        self._covers = Covers(self._high_severity)
        self._pending: list[Document] = []
        self._pending_spans = 0

    def add(self, document: Document) -> None:
        """Score one document and add its counts. A bad span raises `ValueError`, here or later."""
        self._pending.append(document)
        self._pending_spans += len(document.gold)
        if document.detection is not None:
            self._pending_spans += len(document.detection.selected)
        if len(self._pending) >= _CHUNK or self._pending_spans >= _CHUNK_SPANS:
            self._flush()

    def evidence(self) -> Evidence:
        """Return the counts of all documents added so far."""
        if self._pending:
            self._flush()
        return Evidence(
            SliceCounts(*self._row),
            self._exact.types(),
            self._covers.outputs(),
            self._covers.leaks(),
            dict(self._exact.confusion),
        )

    def _flush(self) -> None:
        documents, self._pending, self._pending_spans = self._pending, [], 0
        line = lay(documents, self._types)
        field = ground(line)
        self._count_documents(documents, field)
        self._count_spans(line, field)

    def _count_documents(self, documents: Sequence[Document], field: Ground) -> None:
        row = self._row
        row[_DOCUMENTS] += len(documents)
        row[_CHARACTERS] += sum([document[0] for document in documents])
        row[_UNMAPPED] += sum([document[3] for document in documents])
        row[_DROPPED] += sum([document[4] for document in documents])
        row[_WITH_GOLD] += len(documents) - len(field.bare)
        row[_ZERO_GOLD] += len(field.bare)
        row[_ZERO_GOLD_CHARACTERS] += sum([end - start for start, end in field.bare])
        failed = [i for i, one in enumerate(documents) if one[2] is None or one[2][3]]
        if failed:
            row[_FAILED] += len(failed)
            row[_PARTIAL] += sum(documents[index].detection is not None for index in failed)
            row[_FAILED_ZERO_GOLD] += len(set(failed).difference([span[5] for span in field.spans]))

    def _count_spans(self, line: Line, field: Ground) -> None:
        scoped = [prediction for prediction in line.selected if prediction[2] in self._types]
        mates, spare, duplicates = match(field.spans, scoped, field.crowd)
        missed = [gold for gold, mate in zip(field.spans, mates, strict=True) if mate is None]
        self._row[_OUT_OF_SCOPE] += len(line.selected) - len(scoped)
        self._row[_DUPLICATES] += duplicates
        self._exact.add(field, scoped, missed)
        self._count_gold(field, mates, missed)
        amounts = self._mask(line, field, scoped, missed)
        found = [gold for gold, amount in zip(missed, amounts, strict=True) if amount]
        self._exact.add_states(found, self._strangers(line, field, spare, scoped))
        extra = untouched(spare, field.ranges)
        self._exact.add_extras(list(compress(spare, extra)))
        self._pair(found, [one for one, alone in zip(spare, extra, strict=True) if not alone])

    def _strangers(
        self, line: Line, field: Ground, spare: list[Placed], scoped: list[Placed]
    ) -> list[Placed]:
        """Return the predictions that may overlap a missed gold span, each type's sorted by start.

        Where gold spans are apart, the exact mate of one of them overlaps no other.
        """
        if field.crowd:
            return line.selected
        if len(scoped) == len(line.selected):
            return spare
        others = [prediction for prediction in line.selected if prediction[2] not in self._types]
        return spare + others

    def _count_gold(
        self, field: Ground, mates: Sequence[Placed | None], missed: Sequence[PlacedGold]
    ) -> None:
        row = self._row
        high = self._high_severity
        row[_GOLD_CHARACTERS] += field.characters
        row[_REPEATED] += len(field.repeats)
        row[_WITH_MISS] += len({gold[5] for gold in missed})
        row[_HIGH_SEVERITY] += len({gold[5] for gold in field.spans if gold[2] in high})
        cataloged = [pair for pair in zip(field.spans, mates, strict=True) if pair[0][3] is not None]
        if cataloged:
            row[_WITH_CATALOGED] += len({gold[5] for gold, _ in cataloged})
            row[_WITH_CATALOGED_MISS] += len(self._exact.add_catalog(cataloged))

    def _mask(self, line: Line, field: Ground, scoped: list[Placed], missed: list[PlacedGold]) -> list[int]:
        """Count what each output masks; return how much of each missed gold span the selected one does.

        A gold span with an exact mate is masked by it, so only missed ones can leak from the first two.
        """
        ranges = union(line.selected)
        equal = SELECTED
        if len(scoped) == len(line.selected):
            equal |= SCOPE
        else:
            self._covers.add(SCOPE, field, union(scoped), missed)
        for output, (others, without) in ((PROTECTION, line.protection), (CANDIDATES, line.candidates)):
            if others == ranges and not without:
                equal |= output
            elif len(without) < len(line.stretches):
                exposed = ground(line, without) if without else field
                self._covers.add(output, exposed, others, exposed.spans)
        return self._covers.add(equal, field, ranges, missed)

    def _pair(self, golds: Sequence[PlacedGold], predictions: Sequence[Placed]) -> None:
        pairs = paired(golds, predictions)
        self._row[_PAIRED_SHIFT] += pairs.shift
        self._row[_PAIRED_WRONG_TYPE] += pairs.wrong_type
        self._row[_PAIRED_SHIFT_AND_TYPE] += pairs.shift_and_type


def score_documents(documents: Iterable[Document], scope: Scope) -> Evidence:
    """Return the evidence of `documents`, each scored alone; memory does not grow with their number."""
    tally = Tally(scope)
    for document in documents:
        tally.add(document)
    return tally.evidence()


def score_document(document: Document, scope: Scope) -> Evidence:
    """Return the evidence of one document."""
    return score_documents((document,), scope)
