"""Laws of predictions: what is read back equals what was detected, in any unit; rows keep no text."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pii_eval import BankDetector, Detection, Span, load_bank
from pytest_pii_eval.collection.replies import Reply
from pytest_pii_eval.collection.subjects import DetectorSubject
from pytest_pii_eval.contracts.predictions import Header, header_line
from pytest_pii_eval.contracts.records import Record
from pytest_pii_eval.contracts.taxonomy import default_taxonomy
from pytest_pii_eval.detectors.answers import Interpreter
from pytest_pii_eval.detectors.replay import Predictions
from pytest_pii_eval.predicting.answers import Writer

SHIPPED = Path(__file__).parents[2] / "conformance"
DIGEST = "sha256:" + "0" * 64
TAXONOMY = default_taxonomy()
KNOWN = sorted(TAXONOMY.types)
ENCODINGS = {"byte": "utf-8", "utf16": "utf-16-le"}

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
LABELS = st.one_of(st.sampled_from(KNOWN), st.sampled_from(["PERSON", "B-LOC", "x y"]), st.text(max_size=5))
SCORES = st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 1))


@st.composite
def spans(draw, text):
    """Spans in code points, most of them inside of `text`."""
    at = st.integers(-1, len(text) + 1)
    return Span(draw(at), draw(at), draw(LABELS), draw(SCORES))


@st.composite
def answered(draw):
    """A text with a detection in code points."""
    text = draw(TEXTS)
    stage = st.lists(spans(text), max_size=6).map(tuple)
    ranges = st.lists(st.tuples(*[st.integers(-1, len(text) + 1)] * 2), max_size=4).map(tuple)
    candidates, protection = draw(st.one_of(st.none(), stage)), draw(st.one_of(st.none(), ranges))
    return text, Detection(draw(stage), candidates, protection, draw(st.booleans()))


def in_unit(text, detection, unit):
    """Return `detection` as a detector that counts in `unit` would give it."""
    if unit == "codepoint":
        return detection

    def place(point):
        width = 1 if unit == "byte" else 2
        inside = 0 <= point <= len(text)
        return len(text[:point].encode(ENCODINGS[unit])) // width if inside else point + 1_000

    def moved(stage):
        return None if stage is None else tuple((place(one[0]), place(one[1]), *one[2:]) for one in stage)

    def as_spans(stage):
        return None if stage is None else tuple(Span(*one) for one in moved(stage))

    return Detection(
        as_spans(detection.selected),
        as_spans(detection.candidates),
        moved(detection.protection),
        detection.partial,
    )


def header_of(*, identities=False):
    return Header("mine", "1", DIGEST, {}, None, identities)


def record_of(text, document_id="doc"):
    return Record(document_id, text, "body", "test", (), ("all",))


def replayed(records, replies, header, unit):
    """Write the replies of a subject to a file, and return what is read back of it."""
    writer = Writer(header, unit, TAXONOMY)
    lines = [writer.line(record, reply)[1] for record, reply in zip(records, replies, strict=True)]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "predictions.jsonl"
        path.write_bytes(header_line(header) + b"".join(lines))
        with closing(Predictions(path)) as predictions:
            return [predictions.answer(record.document_id, record.text) for record in records]


@pytest.mark.parametrize("unit", ["codepoint", "byte", "utf16"])
@given(case=answered())
@settings(max_examples=60, deadline=None)
def test_scoring_a_replay_equals_scoring_the_detector(unit, case):
    """In whatever unit: the same spans, unmapped labels and dropped spans are scored."""
    text, detection = case
    detection = in_unit(text, detection, unit)
    interpreter = Interpreter(unit, TAXONOMY.label_maps.get("presidio"), TAXONOMY.types)
    direct = interpreter.read(text, detection)
    [(again, dropped)] = replayed([record_of(text)], [Reply(detection, None, 0.0)], header_of(), unit)
    replay = Interpreter("codepoint", TAXONOMY.label_maps.get("presidio"), TAXONOMY.types).read(text, again)
    assert replay.detection == direct.detection
    assert dict(replay.unmapped) == dict(direct.unmapped)
    assert replay.dropped + dropped == direct.dropped


@pytest.mark.parametrize("unit", ["byte", "utf16"])
@given(case=answered())
@settings(max_examples=60, deadline=None)
def test_units_make_no_difference(unit, case):
    """A detector that counts in another unit has the predictions of one that counts code points.

    Where a text is outside of ASCII an offset that lies behind it is dropped in every unit.
    """
    text, detection = case
    subject = [record_of(text)]
    expected = replayed(subject, [Reply(detection, None, 0.0)], header_of(), "codepoint")
    other = Reply(in_unit(text, detection, unit), None, 0.0)
    assert replayed(subject, [other], header_of(), unit) == expected


@pytest.fixture(scope="module")
def bank_detector():
    """The shipped bank."""
    return BankDetector(load_bank(SHIPPED / "bank.json"))


def shipped_texts():
    """The texts of the shipped records, and what they are when letters leave ASCII."""
    texts = []
    for path in sorted(SHIPPED.glob("quality-records*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            text = json.loads(line)["document"]["text"]
            texts += [text, "\U0001f600 Grüße\r\n" + text]
    return texts


def test_a_bank_is_replayed_exactly(bank_detector):
    """On every shipped text a replay gives the bank's own Detection: identities, protection and all."""
    texts = shipped_texts()
    records = [record_of(text, f"d{number}") for number, text in enumerate(texts)]
    replies = DetectorSubject(bank_detector).ask(records)
    again = replayed(records, replies, header_of(identities=True), "codepoint")
    direct = [bank_detector.detect(text) for text in texts]
    assert [detection for detection, _ in again] == direct
    assert all(dropped == 0 for _, dropped in again)
    assert sum(len(one.selected) for one in direct) > len(texts)
    assert all(span.identity is not None for one in direct for span in one.selected)


@given(
    st.text(st.characters(categories=["L"]), min_size=4, max_size=12),
    st.sampled_from(["", " x", "-", ".1", "é"]),
)
@settings(max_examples=60, deadline=None)
def test_a_label_made_of_the_text_is_not_written(word, rest):
    """A label that is the span's text, or holds a character of no identifier, is withheld."""
    text = f"{word}{rest} and more"
    detection = Detection((Span(0, len(text), word), Span(0, len(text), text), Span(0, 1, f"{word}\u00e9")))
    _, line = Writer(header_of(), "codepoint", TAXONOMY).line(record_of(text), Reply(detection, None, 0.0))
    labels = [span[2] for span in json.loads(line)["selected"]]
    assert labels == [word if word in KNOWN else "(withheld)", "(withheld)", "(withheld)"]


def test_the_label_of_a_bank_stays():
    """It is the id of an entity, which the span's identity says anyway; a replay must not lose it."""
    writer = Writer(header_of(identities=True), "codepoint", TAXONOMY)
    detection = Detection((Span(0, 6, "vessel", None, ("vessel", "ship", "full")), Span(0, 6, "vessel")))
    row = json.loads(writer.line(record_of("Vessel 7"), Reply(detection, None, 0.0))[1])
    assert [span[2] for span in row["selected"]] == ["vessel", "(withheld)"]


class Whole:
    """An integer of a library, as numpy's are: equal to one, and of another type."""

    def __init__(self, value):
        self._value = value

    def __index__(self):
        return self._value

    def __eq__(self, other):
        return self._value == other

    def __hash__(self):
        return hash(self._value)


def test_integers_of_a_library_are_written_as_such():
    """Offsets of numpy and the like are scored by a run, so a file must hold them too."""
    detection = Detection((Span(Whole(0), Whole(3), "person"),), None, ((Whole(0), Whole(3)),))
    [(again, dropped)] = replayed(
        [record_of("Ada Moe")], [Reply(detection, None, 0.0)], header_of(), "codepoint"
    )
    assert again == Detection((Span(0, 3, "person"),), None, ((0, 3),))
    assert dropped == 0


def test_what_no_file_may_hold_becomes_a_failure():
    """A score that is no finite number is dropped; an identity that is none is a failure."""
    writer = Writer(header_of(identities=True), "codepoint", TAXONOMY)
    strange = [
        Detection((Span(0, 1, "person", float("inf")), Span(0, 1, "person", True))),
        Detection((Span(0, 1, "person", None, ("A b", "c", "d")),)),
        Detection((Span(0, 1, "person"),) * 100_001),
        "nothing",
    ]
    rows = [json.loads(writer.line(record_of("Ada"), Reply(one, None, 0.0))[1]) for one in strange]
    assert [row["failure"] for row in rows] == [
        None,
        "unwritable_answer",
        "bad_answer: a stage holds more than 100000 spans",
        "bad_answer: the answer is no Detection",
    ]
    assert [span[3] for span in rows[0]["selected"]] == [None, None]
