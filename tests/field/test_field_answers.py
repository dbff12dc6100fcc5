"""Odd answers seen in the field: no positions, unknown labels, the state of another text, or none at all."""

from __future__ import annotations

import unicodedata
from itertools import count

import pytest
from field_suite import SLICE, Figures, Stub, constant, failed_gates, figures, held, rate

from pytest_pii_eval import Detection, Span

_P, _C = "PERSON", "COMPANY"


@pytest.mark.parametrize(
    ("text", "unit", "span"),
    [("Ödön Falk", "byte", (1, 5)), ("🎻 Falk", "utf16", (1, 7)), ("🎻 Falk", "byte", (0, 3))],
)
def test_an_offset_inside_a_character_is_dropped(tmp_path, text, unit, span):
    """It is never rounded to a boundary: the text leaks, and the drop is counted."""
    report = held(tmp_path, (text, [(0, 4, _P)]), constant([(*span, _P)], unit))
    assert figures(report) == Figures(0, 0, 1, 4, 0, 0, 1, 0)
    assert failed_gates(report) == {"leaks", "recall", "dropped"}


def test_texts_reach_a_detector_as_they_are(tmp_path):
    """No form is composed, no mark or blank is taken away before a detector sees a text."""
    text, seen = "\ufeffZoe\u0308 \u200f\u00a0\r\n\x00 İ ", []
    held(tmp_path, (text, []), Stub(lambda given: seen.append(given) or []), [_P])
    assert seen == [text]
    assert unicodedata.normalize("NFC", text) != text


@pytest.mark.parametrize(("label", "shown"), [("person", "person"), ("PER", "PER"), ("Ines", "(withheld)")])
def test_a_label_that_is_no_type_fails_the_run(tmp_path, label, shown):
    """It is told by its name, unless it is text; a recall of 0 is not all that is said."""
    report = held(tmp_path, ("Ines Falkner left", [(0, 12, _P)]), constant([(0, 12, label)]))
    assert report.slices[SLICE].unmapped_labels == {shown: 1}
    assert failed_gates(report) == {"leaks", "recall", "predictions_in_scope"}
    assert next(gate.reason for gate in report.gates if gate.id == "labels.common") == "disjoint_labels"


@pytest.mark.parametrize(
    ("surface", "label"),
    [
        ("Ines Falkner", "ines_falkner"),
        ("Ines Falkner", "PER_INES_FALKNER"),
        ("Ines Falkner", "PER-FALKNER"),
        ("Ines Falkner", "falk"),
        ("i.falk@post.example", "xifalkpostexample"),
        ("4012-8888-8888-1881", "N4012888888881881"),
        ("4012 8888", "8888"),
        ("Ines Falkner", "PersonFalkner"),
        ("Ines Falkner", "falknerb"),
        ("4111 1111 1111 1111", "C41111111"),
    ],
)
def test_a_label_made_of_its_span_is_not_told(tmp_path, surface, label):
    """What a dictionary calls an entry is text, in whatever case and with whatever signs between."""
    gold = [(0, len(surface), _P)]
    report = held(tmp_path, (f"{surface} left", gold), constant([(0, len(surface), label)]))
    assert report.slices[SLICE].unmapped_labels == {"(withheld)": 1}


def test_one_unknown_label_among_others_is_counted_alone(tmp_path):
    """A known label beside it: no label sets are disjoint, and what the unknown one found leaks."""
    gold = [(0, 4, _P), (9, 13, _C)]
    report = held(tmp_path, ("Ines and Falk", gold), constant([(0, 4, _P), (9, 13, "firm")]))
    assert report.slices[SLICE].unmapped_labels == {"firm": 1}
    assert failed_gates(report) == {"leaks", "recall"}


def test_an_answer_that_changes_gives_other_figures(tmp_path):
    """Every other call answers nothing: the counts of two runs differ though the detector says it is one."""
    calls, document = count(), ("Ines Falkner left", [(0, 12, _P)])
    detector = Stub(lambda _: [] if next(calls) % 2 else document[1])
    reports = [held(tmp_path, document, detector) for _ in range(4)]
    assert [rate(report, "recall") for report in reports] == [(1, 1), (0, 1)] * 2
    assert len({report.subject.fingerprint for report in reports}) == 1


def test_state_of_one_document_shows_in_the_next(tmp_path):
    """Spans that are kept from the text before are extra in the next one, or dropped where it is shorter."""
    kept: list[tuple[int, int, str]] = []

    def answers(text):
        start = text.find("Ines")
        kept.extend([(start, start + 4, _P)] if start >= 0 else [])
        return list(kept)

    detector = Stub(answers)
    held(tmp_path, ("It was Ines.", [(7, 11, _P)]), detector)
    assert figures(held(tmp_path, ("Nobody at all.", []), detector, [_P])).fp == 1
    assert failed_gates(held(tmp_path, ("Nobody.", []), detector, [_P])) == {"dropped"}


class _Odd:
    """A detector whose answer is what it is given."""

    name, version, offset_unit = "odd", "1", "codepoint"

    def __init__(self, answer):
        self._answer = answer

    def detect(self, text):
        return self._answer(text)

    def fingerprint(self):
        return "sha256:" + "0" * 64


def _raise(text):
    raise ValueError("too long: " + text)


@pytest.mark.parametrize(
    "answer",
    [
        _raise,
        lambda _: None,
        lambda _: [(0, 12, _P)],
        lambda _: Detection((Span(0, 12, _P),), partial=True),
        lambda text: Detection((text,)),
        lambda _: Detection((Span(0, 12, None),)),
    ],
    ids=["raises", "none", "list", "partial", "text", "no-label"],
)
def test_what_is_no_answer_misses_and_leaks(tmp_path, answer):
    """It is never an empty answer that nobody sees: the document failed, and the report is not complete."""
    report = held(tmp_path, ("Ines Falkner left", [(0, 12, _P)]), _Odd(answer))
    assert failed_gates(report) == {"leaks", "recall"}
    assert report.slices[SLICE].counts["failed_documents"] == 1
    assert (report.complete, report.passed) == (False, False)
    assert "Ines" not in report.model_dump_json()


@pytest.mark.parametrize("start", [1.0, "1", True, None, float("nan"), 10**30])
def test_an_offset_that_is_no_position_is_dropped(tmp_path, start):
    """Floats, texts and truth values are no integers, and nothing makes them ones."""
    report = held(tmp_path, ("Ines Falkner left", [(0, 12, _P)]), constant([(start, 12, _P)]))
    assert figures(report) == Figures(0, 0, 1, 12, 0, 0, 1, 0)
