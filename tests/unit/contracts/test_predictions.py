"""The rows of a predictions file: what they say, what breaks them, and that no fault quotes them."""

from __future__ import annotations

import copy
import json

import pytest

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.predictions import (
    Header,
    Prediction,
    PredictionContract,
    header_line,
    parse_header,
    prediction_line,
    text_digest,
)
from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.contracts.strict_json import parse_line

CANARY = "Zephyrine"
DIGEST = "sha256:" + "a" * 64
# printf Grüße | sha256sum
GREETING = "sha256:f83e039796c6453a10f5519e39fd113901572316a1a8ea07cb525d2801dfd074"
HEADER = {
    "schema_version": "pii_eval.predictions.v1",
    "detector": {
        "name": "presidio",
        "version": "2.2.366",
        "fingerprint": DIGEST,
        "libraries": {"presidio-analyzer": "2.2.366"},
        "label_map": None,
        "identities": False,
    },
}
ROW = {
    "document_id": "doc-1",
    "text_sha256": DIGEST,
    "selected": [[0, 4, "PERSON", 0.85, None], [5, 9, "PERSON", 1, None]],
    "candidates": [[0, 9, "LOCATION", None, None]],
    "protection": [[0, 9]],
    "partial": False,
    "dropped": 2,
    "failure": None,
}
ADA = ("person", "ada-moe", "full")


def changed(row, path, value):
    """Return a copy of `row` with the field at `path` (dots and ordinals) replaced, or removed for `...`."""
    row = copy.deepcopy(row)
    *way, last = path.split(".")
    target = row
    for step in way:
        target = target[int(step) if step.isdigit() else step]
    if value is ...:
        del target[last]
    else:
        target[int(last) if last.isdigit() else last] = value
    return row


def header_of(**fields):
    return parse_header(HEADER)._replace(**fields)


def fault_of(path, value, *, identities=False):
    """Return the fault of `ROW` with one field changed."""
    with pytest.raises(Fault) as caught:
        PredictionContract(header_of(identities=identities)).parse(changed(ROW, path, value))
    return str(caught.value)


def header_fault(path, value):
    with pytest.raises(Fault) as caught:
        parse_header(changed(HEADER, path, value))
    return str(caught.value)


def test_a_header_says_whose_predictions_follow():
    """Every field of the detector is kept as it stands."""
    libraries = {"presidio-analyzer": "2.2.366"}
    assert parse_header(HEADER) == Header("presidio", "2.2.366", DIGEST, libraries, None, identities=False)


def test_a_row_becomes_a_detection():
    """Spans keep order, own label and score; ranges are pairs; nothing is merged."""
    assert PredictionContract(header_of()).parse(ROW) == Prediction(
        "doc-1",
        DIGEST,
        Detection(
            (Span(0, 4, "PERSON", 0.85), Span(5, 9, "PERSON", 1.0)),
            (Span(0, 9, "LOCATION"),),
            ((0, 9),),
        ),
        2,
    )


def test_stages_that_are_not_exposed_stay_apart_from_empty_ones():
    """`null` becomes None, and an empty array an empty stage."""
    contract = PredictionContract(header_of())
    unknown = contract.parse({**ROW, "candidates": None, "protection": None}).detection
    empty = contract.parse({**ROW, "candidates": [], "protection": [], "partial": True}).detection
    assert (unknown.candidates, unknown.protection, unknown.partial) == (None, None, False)
    assert (empty.candidates, empty.protection, empty.partial) == ((), (), True)


def test_identities_are_read_where_the_header_announces_them():
    """The three ids of a pattern are a tuple; a span may still have none."""
    row = changed(ROW, "selected.0.4", list(ADA))
    prediction = PredictionContract(header_of(identities=True)).parse(row)
    assert [span.identity for span in prediction.detection.selected] == [ADA, None]


def test_a_document_without_an_answer_says_why():
    """Nothing but the reason stands in its row."""
    nothing = {"selected": [], "candidates": None, "protection": None, "dropped": 0}
    row = {**ROW, **nothing, "failure": "ValueError in mine.py:12"}
    prediction = PredictionContract(header_of()).parse(row)
    assert prediction == Prediction("doc-1", DIGEST, Detection(()), 0, "ValueError in mine.py:12")


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("document_id", CANARY + " x", "document_id: must match ^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"),
        ("document_id", ..., "document_id: is missing"),
        ("text_sha256", "a" * 64, "text_sha256: must match ^sha256:[0-9a-f]{64}$"),
        ("text", CANARY, "has an unknown field"),
        ("selected", None, "selected: must be an array"),
        ("selected.1", {"start": 1}, "selected[1]: must be an array"),
        ("selected.1", [0, 1, "A", None], "selected[1][4]: is missing"),
        ("selected.1", [0, 1, "A", None, None, CANARY], "selected[1]: must hold at most 5 entries"),
        ("selected.0.0", -1, "selected[0][0]: must be at least 0"),
        ("selected.0.0", True, "selected[0][0]: must be an integer"),
        ("selected.0.1", 4.0, "selected[0][1]: must be an integer"),
        ("selected.0.1", 0, "selected[0][1]: must lie behind start (start 0, end 0)"),
        ("selected.1.0", 12, "selected[1][1]: must lie behind start (start 12, end 9)"),
        ("selected.0.1", 10**30, "selected[0][1]: must be at most 10485760"),
        ("selected.0.2", "", "selected[0][2]: must hold at least 1 characters"),
        ("selected.0.2", CANARY * 20, "selected[0][2]: must hold at most 128 characters"),
        ("selected.0.3", "0.5", "selected[0][3]: must be a number"),
        ("selected.0.3", 10**400, "selected[0][3]: must be a number"),
        ("selected.0.4", list(ADA), "selected[0][4]: names a pattern, and the header says that"),
        ("candidates.0.4", list(ADA), "candidates[0][4]: names a pattern, and the header says that"),
        ("candidates.0.1", 0, "candidates[0][1]: must lie behind start (start 0, end 0)"),
        ("protection.0", [3], "protection[0][1]: is missing"),
        ("protection.0", [3, 2], "protection[0][1]: must lie behind start (start 3, end 2)"),
        ("protection.0", [3, 4, "x"], "protection[0]: must hold at most 2 entries"),
        ("partial", 0, "partial: must be true or false"),
        ("dropped", -1, "dropped: must be at least 0"),
        ("dropped", 300_001, "dropped: must be at most 300000"),
        ("failure", CANARY + "\u00e9", "failure: must match ^[A-Za-z_][A-Za-z0-9_ .:<>-]{0,159}$"),
        ("failure", "ValueError in a.py:1", "selected: holds an answer where failure says"),
    ],
)
def test_a_row_that_breaks_a_rule_is_one_line_without_a_value(path, value, told):
    """Field and rule are named, nothing that the row says is."""
    line = fault_of(path, value)
    assert line.startswith(told)
    assert CANARY not in line
    assert "\n" not in line


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ([*ADA, "x"], "selected[0][4]: must hold at most 3 entries"),
        (["Person", "ada-moe", "full"], "selected[0][4][0]: must match ^[a-z][a-z0-9_-]{0,79}$"),
        ("ada", "selected[0][4]: must be an array"),
    ],
)
def test_an_identity_is_three_ids_of_a_bank(value, told):
    """Anything else is refused, where the header announces identities too."""
    assert fault_of("selected.0.4", value, identities=True).startswith(told)


@pytest.mark.parametrize("stage", ["selected", "candidates", "protection"])
def test_a_stage_is_bounded(stage):
    """100,000 spans pass, and one more does not."""
    one = [0, 1] if stage == "protection" else [0, 1, "A", None, None]
    contract = PredictionContract(header_of())
    assert contract.parse({**ROW, stage: [one] * 100_000})
    with pytest.raises(Fault) as caught:
        contract.parse({**ROW, stage: [one] * 100_001})
    assert str(caught.value) == f"{stage}: must hold at most 100,000 entries"


@pytest.mark.parametrize("field", ["candidates", "protection", "partial", "dropped"])
def test_a_failure_beside_an_answer_is_refused(field):
    """Whatever part of an answer stands there is named."""
    nothing = {"selected": [], "candidates": None, "protection": None, "partial": False, "dropped": 0}
    part = {"candidates": [], "protection": [], "partial": True, "dropped": 1}[field]
    with pytest.raises(Fault) as caught:
        PredictionContract(header_of()).parse({**ROW, **nothing, "failure": "time_limit", field: part})
    assert str(caught.value) == f"{field}: holds an answer where failure says that there is none"


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("schema_version", "pii_eval.predictions.v2", "schema_version: must be 'pii_eval.predictions.v1'"),
        ("detector.name", "", "detector.name: must match"),
        ("detector.name", CANARY + "\u00e9", "detector.name: must match"),
        ("detector.version", 2, "detector.version: must be a string"),
        ("detector.fingerprint", "x", "detector.fingerprint: must match ^sha256:[0-9a-f]{64}$"),
        ("detector.libraries", {CANARY: 1}, "detector.libraries[0]: must be a string"),
        ("detector.libraries", {CANARY + "\u00e9": "1"}, "detector.libraries[0]: must match"),
        ("detector.identities", None, "detector.identities: must be true or false"),
        ("detector.text", CANARY, "detector: has an unknown field"),
        ("detector.label_map", ..., "detector.label_map: is missing"),
    ],
)
def test_a_header_that_breaks_a_rule_is_one_line_without_a_value(path, value, told):
    """Field and rule are named, nothing that the header says is."""
    line = header_fault(path, value)
    assert line.startswith(told)
    assert CANARY not in line


def test_a_row_in_place_of_the_header_is_told_so():
    """A file that lost its first row is not called a list of broken fields."""
    with pytest.raises(Fault) as caught:
        parse_header(ROW)
    assert "is no header" in str(caught.value)


def test_a_text_is_named_by_the_digest_of_its_utf8():
    """The digest is that of sha256sum over the bytes."""
    assert text_digest("Grüße") == GREETING


def test_lines_say_what_was_written():
    """Header and row come back equal from their lines, each of which ends with one line feed."""
    header = header_of(identities=True)
    detection = Detection((Span(0, 4, "person", None, ADA),), None, ((0, 4),), partial=True)
    prediction = Prediction("doc-1", DIGEST, detection, 3)
    first, second = header_line(header), prediction_line(prediction, header)
    assert first.count(b"\n") == second.count(b"\n") == 1
    assert parse_header(parse_line(first[:-1])) == header
    assert PredictionContract(header).parse(parse_line(second[:-1])) == prediction


def test_identities_are_left_out_where_the_header_announces_none():
    """A file of a detector without a bank names no pattern."""
    prediction = Prediction("doc-1", DIGEST, Detection((Span(0, 4, "person", 0.5, ADA),)))
    assert json.loads(prediction_line(prediction, header_of()))["selected"] == [[0, 4, "person", 0.5, None]]


def test_a_line_too_long_to_be_read_is_not_written():
    """Three stages of 100,000 spans with long labels pass 16 MiB."""
    spans = (Span(1_000_000, 1_000_001, "L" * 128),) * 100_000
    with pytest.raises(Fault) as caught:
        prediction_line(Prediction("doc-1", DIGEST, Detection(spans, spans)), header_of())
    assert "longer than the limit of 16,777,216 bytes" in str(caught.value)
