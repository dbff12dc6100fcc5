"""Predictions as rows: one detector's answers in code points, without text; no file is opened here."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from pytest_pii_eval.contracts.canonical import canonical_bytes
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.jsonl import MAX_LINE_BYTES
from pytest_pii_eval.contracts.model_faults import fault_of
from pytest_pii_eval.contracts.prediction_model import HEADER, PREDICTION, SCHEMA_VERSION
from pytest_pii_eval.contracts.spans import Detection, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_pii_eval.contracts.prediction_model import HeaderRow

MAX_RUN = 5_000_000
"""Selected spans that the files of one run may hold together."""

_NO_ANSWER: Mapping[str, object] = {
    "selected": [],
    "candidates": None,
    "protection": None,
    "partial": False,
    "dropped": 0,
}


class Header(NamedTuple):
    """The detector that predicted: as it told about itself, and whether its spans carry identities."""

    name: str
    version: str
    fingerprint: str
    libraries: Mapping[str, str]
    label_map: str | None
    identities: bool


class Prediction(NamedTuple):
    """The answer for one document.

    Offsets of `detection` are code points, its types are the detector's own labels; `dropped` counts spans
    and ranges whose offsets did not convert. `failure` says why there is no answer: `detection` is empty.
    """

    document_id: str
    text_sha256: str
    detection: Detection
    dropped: int = 0
    failure: str | None = None


def text_digest(text: str) -> str:
    """Return `sha256:` and the hex digest of `text` in UTF-8: what a prediction names its text by."""
    return "sha256:" + hashlib.sha256(text.encode("utf-8")).hexdigest()


def parse_header(value: Mapping[str, object]) -> Header:
    """Return the header in the first row of a file; raises `Fault` without file and line."""
    if "schema_version" not in value and "document_id" in value:
        raise Fault("is no header; the first row of a predictions file says which detector predicted")
    try:
        row: HeaderRow = HEADER.validator.validate_python(value)
    except ValidationError as error:
        raise fault_of(error, value) from None
    detector = row["detector"]
    return Header(
        detector["name"],
        detector["version"],
        detector["fingerprint"],
        detector["libraries"],
        detector["label_map"],
        detector["identities"],
    )


class PredictionContract:
    """Checks the rows behind `header`."""

    def __init__(self, header: Header) -> None:
        self._identities = header.identities
        self._validate = PREDICTION.validator.validate_python

    def parse(self, value: Mapping[str, Any]) -> Prediction:
        """Return the prediction in one decoded row; raises `Fault` as `check`."""
        return prediction_of(self.check(value))

    def check(self, value: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return one decoded row once it holds to the contract; raises `Fault` without file and line.

        Every span and range must hold `0 <= start < end`. Where the text ends is not known here: whoever has
        the text drops, and counts, what lies behind it.
        """
        try:
            row: Mapping[str, Any] = self._validate(value)
        except ValidationError as error:
            raise fault_of(error, value) from None
        for stage in ("selected", "candidates", "protection"):
            _check_order(row[stage] or (), stage)
        if not self._identities:
            _check_no_identity(row["selected"], "selected")
            _check_no_identity(row["candidates"] or (), "candidates")
        if row["failure"] is not None:
            _check_no_answer(row)
        return row


def prediction_of(row: Mapping[str, Any]) -> Prediction:
    """Return the prediction in a row that was checked before."""
    candidates, protection = row["candidates"], row["protection"]
    detection = Detection(
        _spans(row["selected"]),
        None if candidates is None else _spans(candidates),
        None if protection is None else tuple((start, end) for start, end in protection),
        row["partial"],
    )
    return Prediction(row["document_id"], row["text_sha256"], detection, row["dropped"], row["failure"])


def header_line(header: Header) -> bytes:
    """Return the first line of a file; raises `Fault` where the detector's own words break the contract."""
    detector = {**header._asdict(), "libraries": dict(header.libraries)}
    row = {"schema_version": SCHEMA_VERSION, "detector": detector}
    parse_header(row)
    return canonical_bytes(row) + b"\n"


def prediction_line(prediction: Prediction, header: Header) -> bytes:
    """Return the line of one document, with identities where those of `header` have them.

    The line is checked as a reader would: raises `Fault` where the detection or the line breaks the contract.
    """
    row = _row(prediction, identities=header.identities)
    PredictionContract(header).check(row)
    line = canonical_bytes(row) + b"\n"
    if len(line) - 1 > MAX_LINE_BYTES:
        raise Fault(f"the answer is longer than the limit of {MAX_LINE_BYTES:,} bytes a line")
    return line


def _row(prediction: Prediction, *, identities: bool) -> dict[str, Any]:
    detection = prediction.detection
    candidates, protection = detection.candidates, detection.protection
    return {
        "document_id": prediction.document_id,
        "text_sha256": prediction.text_sha256,
        "selected": [_written(span, identities=identities) for span in detection.selected],
        "candidates": None
        if candidates is None
        else [_written(span, identities=identities) for span in candidates],
        "protection": None if protection is None else [one[:2] for one in protection],
        "partial": detection.partial,
        "dropped": prediction.dropped,
        "failure": prediction.failure,
    }


def _spans(stage: Iterable[Sequence[Any]]) -> tuple[Span, ...]:
    spans = []
    for start, end, label, score, identity in stage:
        spans.append(Span(start, end, label, score, None if identity is None else tuple(identity)))
    return tuple(spans)


def _written(span: Span, *, identities: bool) -> Span:
    return span if identities or span.identity is None else span._replace(identity=None)


def _check_no_identity(stage: Iterable[Sequence[Any]], name: str) -> None:
    for ordinal, one in enumerate(stage):
        if one[4] is not None:
            rule = "names a pattern, and the header says that identities is false"
            raise Fault(rule, field=f"{name}[{ordinal}][4]")


def _check_order(stage: Iterable[Sequence[Any]], name: str) -> None:
    for ordinal, one in enumerate(stage):
        if one[0] >= one[1]:
            rule = f"must lie behind start (start {one[0]}, end {one[1]})"
            raise Fault(rule, field=f"{name}[{ordinal}][1]")


def _check_no_answer(row: Mapping[str, Any]) -> None:
    """Refuse an answer beside the reason why there is none: scoring would not know which to believe."""
    for field, empty in _NO_ANSWER.items():
        if row[field] != empty:
            raise Fault("holds an answer where failure says that there is none", field=field)
