"""Reading answers: exact conversion of offsets, what is dropped, what is mapped; values by hand."""

from __future__ import annotations

import enum

import pytest

from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors.answers import MAX_PREDICTIONS, WITHHELD, BadAnswer, Interpreter, converted

# One code point, two UTF-16 units, four bytes; then a code point of two bytes.
TEXT = "\N{GRINNING FACE}é Ann"
#  code points  0 1 2 3..6, UTF-16 0-2 2 3 4..7, bytes 0-4 4-6 6 7..10
MAP = {"PER": "person", "MAIL": "email"}


def _one(start, end, label="PER", **fields):
    return Detection((Span(start, end, label),), **fields)


@pytest.mark.parametrize(
    ("unit", "place"),
    [("codepoint", (3, 6)), ("utf16", (4, 7)), ("byte", (7, 10))],
)
def test_every_unit_gives_the_same_span(unit, place):
    """The name stands at code points 3 to 6, whatever its detector counts in."""
    answer = Interpreter(unit, MAP).read(TEXT, _one(*place))
    assert answer.detection.selected == (Span(3, 6, "person"),)
    assert (answer.dropped, answer.unmapped) == (0, {})


@pytest.mark.parametrize(
    ("unit", "place"),
    [
        ("byte", (1, 4)),  # inside the face
        ("byte", (0, 5)),  # inside é
        ("byte", (7, 11)),  # one past the end
        ("utf16", (1, 3)),  # inside the face's pair
        ("utf16", (4, 8)),
        ("codepoint", (3, 7)),
        ("codepoint", (-3, 6)),
        ("codepoint", (3, 3)),
        ("codepoint", (6, 3)),
        ("byte", (10, 7)),
        ("codepoint", (3.0, 6.0)),
        ("codepoint", (True, 6)),
        ("codepoint", (None, 6)),
        ("codepoint", ("3", "6")),
        ("codepoint", (3, 10**30)),
    ],
)
def test_what_does_not_convert_is_dropped_and_counted(unit, place):
    """Offsets inside a code point, out of range, empty, reversed or no integers: never clamped or rounded."""
    answer = Interpreter(unit, MAP).read(TEXT, _one(*place))
    assert answer.detection.selected == ()
    assert answer.dropped == 1


def test_offsets_of_numpy_are_integers():
    """A model's own integers are taken for what they are."""
    numpy = pytest.importorskip("numpy", reason="comes with the models' adapters")
    answer = Interpreter("codepoint", MAP).read(TEXT, _one(numpy.int64(3), numpy.int32(6)))
    assert answer.detection.selected == (Span(3, 6, "person"),)


def test_integers_of_others_become_plain_ones():
    """What counts as an integer is handed on as one: evidence is written as JSON."""

    class Own:
        def __init__(self, value):
            self.value = value

        def __index__(self):
            return self.value

        def __eq__(self, other):
            return self.value == other

        __hash__ = None

    span = Interpreter("codepoint", MAP).read(TEXT, _one(Own(3), Own(6))).detection.selected[0]
    assert (type(span.start), type(span.end), span[:2]) == (int, int, (3, 6))


def test_an_offset_that_raises_is_dropped():
    """Whatever its `__index__` says, it costs one span."""

    class Loud:
        def __index__(self):
            raise ValueError("canary")

    assert Interpreter("codepoint", MAP).read(TEXT, _one(Loud(), 6)).dropped == 1


def test_labels_of_an_enumeration_are_strings():
    """A member of a string enumeration is its value, and so is a string of numpy."""

    class Label(enum.StrEnum):
        PERSON = "PER"

    assert (
        Interpreter("codepoint", MAP).read(TEXT, _one(3, 6, Label.PERSON)).detection.selected[0].type
        == "person"
    )


def test_overlaps_and_duplicates_are_kept():
    """Nothing is merged, sorted or made unique."""
    spans = (Span(3, 6, "PER"), Span(3, 6, "PER"), Span(3, 5, "MAIL"))
    assert len(Interpreter("codepoint", MAP).read(TEXT, Detection(spans)).detection.selected) == 3


def test_labels_are_mapped_by_exact_name():
    """No case folding: `per` is another label than `PER`, and counted by its name."""
    spans = (Span(3, 6, "PER", 0.5), Span(3, 6, "per"), Span(0, 2, "per"), Span(0, 2, "CITY"))
    answer = Interpreter("codepoint", MAP).read(TEXT, Detection(spans))
    assert answer.detection.selected == (Span(3, 6, "person", 0.5),)
    assert answer.unmapped == {"per": 2, "CITY": 1}


def test_without_a_map_labels_are_types():
    """A label that is a type stands for itself; any other is unmapped."""
    spans = (Span(3, 6, "person"), Span(3, 6, "PER"))
    answer = Interpreter("codepoint", None, ["person"]).read(TEXT, Detection(spans))
    assert answer.detection.selected == (Span(3, 6, "person"),)
    assert answer.unmapped == {"PER": 1}


@pytest.mark.parametrize(
    "label", ["Ann", "ann", "Ann_PER", "x-Ann", "A label with blanks", "naïve", "x" * 65, ""]
)
def test_a_label_that_may_be_text_has_no_name(label):
    """What is no identifier, or has a word of the document, is counted without its name, anywhere."""
    for place in ((3, 6), (3, 5), (0, 1)):
        answer = Interpreter("codepoint", MAP).read(TEXT, _one(*place, label))
        assert answer.unmapped == {WITHHELD: 1} or (label == "ann" and place != (3, 6))


def test_every_stage_is_read():
    """Candidates are mapped like selected spans, ranges are converted; one bad one of each counts once."""
    detection = Detection(
        (Span(7, 10, "PER"),),
        (Span(7, 10, "PER"), Span(0, 4, "CITY"), Span(1, 4, "PER")),
        ((7, 10), (0, 99)),
    )
    answer = Interpreter("byte", MAP).read(TEXT, detection)
    assert answer.detection.candidates == (Span(3, 6, "person"),)
    assert answer.detection.protection == ((3, 6),)
    assert (answer.dropped, answer.unmapped) == (1, {})


def test_stages_that_are_not_exposed_stay_so():
    """No candidates are not the same as none found."""
    answer = Interpreter("byte", MAP).read(TEXT, Detection((), None, None, partial=True))
    assert answer.detection == Detection((), None, None, partial=True)
    assert Interpreter("byte", MAP).read(TEXT, Detection((), (), ())).detection == Detection((), (), ())


def test_as_many_spans_as_a_stage_may_hold_are_read():
    """The limit itself is no fault, in any stage."""
    spans = (Span(0, 1, "PER"),) * MAX_PREDICTIONS
    detection = Detection(spans, spans, ((0, 1),) * MAX_PREDICTIONS)
    assert converted(TEXT, detection, "codepoint") == (detection, 0)


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [(3, 6, "PER")],
        Detection(None),
        Detection(((3, 6, "PER"),)),
        Detection((Span(3, 6, None),)),
        Detection((Span(3, 6, 7),)),
        Detection((), ("x",)),
        Detection((), None, ((1, 2, 3),)),
        Detection((), None, (5,)),
        Detection((Span(0, 1, "PER"),) * (MAX_PREDICTIONS + 1)),
        Detection((), (Span(0, 1, "PER"),) * (MAX_PREDICTIONS + 1)),
        Detection((), None, ((0, 1),) * (MAX_PREDICTIONS + 1)),
    ],
)
def test_what_is_no_answer_is_refused(answer):
    """The wrong shape is an error of the detector, not an empty answer."""
    with pytest.raises(BadAnswer):
        converted(TEXT, answer, "codepoint")
