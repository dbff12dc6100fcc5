"""From a subject's reply to the prediction that is written: code points, own labels, nothing of the text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, final

from pytest_pii_eval.collection.replies import reason_of
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.predictions import Prediction, prediction_line, text_digest
from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors.answers import BadAnswer, converted, shown_label

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_pii_eval.collection.replies import Reply
    from pytest_pii_eval.contracts.offsets import OffsetUnit
    from pytest_pii_eval.contracts.predictions import Header
    from pytest_pii_eval.contracts.records import Record
    from pytest_pii_eval.contracts.taxonomy import Taxonomy

_NOTHING = Detection(())
_MAX_LABEL = 128


@final
class Writer:
    """Turns the replies of one subject into lines of its predictions file.

    A label that the taxonomy does not know could be text by mistake: it is withheld as a report would
    withhold it, so scoring the file counts it under the same name as scoring the detector.
    """

    def __init__(self, header: Header, unit: OffsetUnit, taxonomy: Taxonomy) -> None:
        self._header = header
        self._unit = unit
        self._labels = frozenset(taxonomy.types).union(*taxonomy.label_maps.values())

    def line(self, record: Record, reply: Reply) -> tuple[Prediction, bytes]:
        """Return the prediction for `record` and its line; whatever is no answer becomes a failure."""
        prediction = self._prediction(record, reply)
        try:
            return prediction, prediction_line(prediction, self._header)
        except Fault:  # a score, an identity or a number of spans that no file may hold
            failed = _failed(record, "unwritable_answer")
            return failed, prediction_line(failed, self._header)

    def _prediction(self, record: Record, reply: Reply) -> Prediction:
        if reply.detection is None:
            return _failed(record, reply.failure or "no_answer")
        try:
            answer, dropped = converted(record.text, reply.detection, self._unit)
        except BadAnswer as error:
            return _failed(record, reason_of(error))
        candidates = answer.candidates
        detection = answer._replace(
            selected=self._clean(record.text, answer.selected),
            candidates=None if candidates is None else self._clean(record.text, candidates),
        )
        digest = text_digest(record.text)
        return Prediction(record.document_id, digest, detection, dropped + reply.dropped)

    def _clean(self, text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
        return tuple(self._cleaned(text, span) for span in spans)

    def _cleaned(self, text: str, span: Span) -> Span:
        """Return `span` with a label and a score that a file may hold; its offsets are plain by now."""
        return span._replace(type=self._label(text, span), score=_number(span.score))

    def _label(self, text: str, span: Span) -> str:
        """Return the label; that of a bank is the id of an entity, which its identity says anyway."""
        label = span.type
        of_a_bank = self._header.identities and span.identity is not None and span.identity[0] == label
        known = of_a_bank or label in self._labels
        return label if known and len(label) <= _MAX_LABEL else shown_label(text, span)


def _failed(record: Record, reason: str) -> Prediction:
    return Prediction(record.document_id, text_digest(record.text), _NOTHING, 0, reason)


def _number(score: object) -> float | None:
    """Return a score as a float, also one of numpy; None for what is no finite number."""
    try:
        value = None if score is None or isinstance(score, bool) else float(score)  # type: ignore[arg-type]  # tried
    except (TypeError, ValueError, OverflowError):
        return None
    return value if value is not None and math.isfinite(value) else None
