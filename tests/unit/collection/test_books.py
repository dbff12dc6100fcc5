"""The books of a shard kept by hand: failures, latency, what was dropped, hints and labels by slice."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from pytest_pii_eval.collection.quality.books import Asked, Books
from pytest_pii_eval.collection.quality.shards import Scoring
from pytest_pii_eval.collection.replies import Reply
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.records import Record
from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors.answers import Answer, Interpreter
from pytest_pii_eval.scoring.documents import Scope
from pytest_pii_eval.scoring.offset_hint import OffsetFits

TYPES = ("person", "email")
SCOPES = {"people": Scope(frozenset({"person"})), "all": Scope(frozenset(TYPES))}
NOTHING = Detection(())


def asked(line, text="text"):
    """Return a document of one slice."""
    return Asked(line, Record(f"doc-{line}", text, "body", "test", (), ("people",)), ["people"])


def books(*replies, interpreter=None, build_seconds=0.0):
    """Return books over a subject that gives `replies`, in order, and the subject."""
    left = list(replies)

    def ask(records):
        if isinstance(left[0], Fault):
            raise left[0]
        return [left.pop(0) for _ in records]

    subject = SimpleNamespace(ask=ask, build_seconds=build_seconds)
    return Books(Scoring(None, subject, interpreter, SCOPES, None), "some.jsonl"), subject


def counted(documents, *replies, interpreter=None):
    """Ask about `documents` one after the other; return their answers and what was counted."""
    kept, _ = books(*replies, interpreter=interpreter)
    answers = [answer for one in documents for _, answer, _ in kept.ask([one])]
    return answers, kept.account()


def test_the_first_failure_is_the_line_that_is_told():
    """Of failures in lines 4 and 9 it is 4, whatever their reasons."""
    replies = (Reply(NOTHING, None, 0.1), Reply(None, "timeout", 0.1), Reply(None, None, 0.1))
    answers, closed = counted([asked(2), asked(4), asked(9)], *replies)
    assert answers == [Answer(NOTHING, {}, 0), None, None]
    assert closed["first_failure"] == 4
    assert closed["failed"] == {"timeout": 1, "no_answer": 1}
    assert closed["documents"] == 3


def test_an_answer_that_is_none_fails_and_has_no_latency():
    """A bad answer is named by its rule, a partial one is counted and read."""
    partial = Detection((), partial=True)
    replies = (Reply("canary", None, 0.1), Reply(partial, None, 0.1))
    reads = Interpreter("codepoint", None, TYPES)
    answers, closed = counted([asked(1), asked(2)], *replies, interpreter=reads)
    assert answers == [None, Answer(partial, {}, 0)]
    assert closed["failed"] == {"bad_answer: the answer is no Detection": 1, "partial_answer": 1}
    assert sum(count for _, count in closed["latency"]["bands"]["0-500"]) == 1


@pytest.mark.parametrize(
    ("text", "band"),
    [("é" * 500, "0-500"), ("é" * 501, "501-1500"), ("\N{GRINNING FACE}" * 2_000, "1501-2500")],
)
def test_latency_goes_by_code_points(text, band):
    """500 letters of two bytes are 500, and a note of 2,000 emoji is a note of 2,000."""
    _, closed = counted([asked(1, text)], Reply(NOTHING, None, 0.1))
    assert list(closed["latency"]["bands"]) == [band]


def test_warm_replies_are_in_no_band():
    """They are summed apart, in microseconds."""
    _, closed = counted([asked(1)], Reply(NOTHING, None, 0.25, warm=True))
    assert closed["latency"] == {"bands": {}, "warm_up": [0, 0, 1, 250_000]}


def test_a_build_is_told_once():
    """The books of the next shard hear nothing of it."""
    first, subject = books(build_seconds=1.5)
    second = Books(Scoring(None, subject, None, SCOPES, None), "some.jsonl")
    assert first.account()["latency"]["warm_up"] == [1, 1_500_000, 0, 0]
    assert second.account()["latency"]["warm_up"] == [0, 0, 0, 0]


@pytest.mark.parametrize(("before", "dropped"), [(0, 1), (3, 4)])
def test_what_was_dropped_before_is_added(before, dropped):
    """One span ends behind the text; replayed predictions say how many went before."""
    detection = Detection((Span(0, 4, "person"), Span(0, 99, "person")))
    reads = Interpreter("codepoint", None, TYPES)
    answers, closed = counted([asked(1)], Reply(detection, None, 0.1, before), interpreter=reads)
    assert answers == [Answer(Detection((Span(0, 4, "person"),)), {}, dropped)]
    assert closed["predictions"] == 1


def test_offset_fits_are_of_types_in_scope():
    """A slice of persons hears nothing of e-mails; fits add up over documents."""
    kept, _ = books()
    for _ in range(2):
        for name in SCOPES:
            kept.add_offsets(name, {"person": OffsetFits(2, 1, 0), "email": OffsetFits(5, 0, 5)})
    assert kept.of_slice("people") == (OffsetFits(4, 2, 0), {}, {})
    assert kept.of_slice("all") == (OffsetFits(14, 2, 10), {}, {})


def test_labels_are_those_without_a_type_and_those_out_of_scope():
    """By slice and name; a slice in whose scope all is, and a bank, have none."""
    answer = Answer(Detection((Span(0, 1, "person"), Span(0, 1, "email"))), {"CITY": 2}, 0)
    kept, _ = books(interpreter=Interpreter("codepoint", None, TYPES))
    kept.add_labels("people", answer)
    kept.add_labels("all", answer._replace(unmapped={}))
    assert kept.of_slice("people") == (OffsetFits(), {"CITY": 2}, {"email": 1})
    assert kept.of_slice("all") == (OffsetFits(), {}, {})
    for of_a_bank in (None, Interpreter("codepoint", None, None)):
        kept, _ = books(interpreter=of_a_bank)
        kept.add_labels("people", answer)
        assert kept.of_slice("people") == (OffsetFits(), {}, {})


def test_a_fault_of_the_subject_has_the_place_of_its_batch():
    """File, and the first line of the batch."""
    kept, _ = books(Fault("no prediction for this document"))
    with pytest.raises(Fault) as caught:
        list(kept.ask([asked(7), asked(8)]))
    assert (caught.value.file, caught.value.line) == ("some.jsonl", 7)
