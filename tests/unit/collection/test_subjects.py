"""Subjects asked directly: batches, the time of each document, label maps, what was dropped before."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from pytest_pii_eval.collection import replies, subjects
from pytest_pii_eval.collection.replies import Reply
from pytest_pii_eval.collection.subjects import TYPES, DetectorSubject, PredictionsSubject
from pytest_pii_eval.contracts.records import Record
from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors.replay import Unanswered

FOUND = Detection((Span(0, 1, "X"),))
TAXONOMY = SimpleNamespace(types={"person": "name"}, label_maps={"stub": {}, "asked": {}, "own": {}})


def record(text, document_id="doc-1"):
    """Return a document without gold."""
    return Record(document_id, text, "body", "test", (), ())


class Stub:
    """A detector that answers texts one by one, or several at once as `together` says."""

    name, version, offset_unit = "stub", "1", "codepoint"

    def __init__(self, together=None):
        self.alone = []
        if together is not None:
            self.detect_batch = together

    def detect(self, text):
        """Note the text."""
        self.alone.append(text)
        return FOUND

    def fingerprint(self):
        """Be the same everywhere."""
        return "sha256:" + "0" * 64


@pytest.fixture
def clock(monkeypatch):
    """A clock that goes on by a second each time it is read."""
    ticks = iter(range(100))
    for module in (subjects, replies):
        monkeypatch.setattr(module, "time", SimpleNamespace(perf_counter=lambda: float(next(ticks))))


@pytest.mark.parametrize("answers", [[FOUND], [FOUND] * 3, []])
def test_a_batch_of_another_length_is_asked_one_by_one(answers):
    """Too few or too many answers belong to nobody: each document is asked alone."""
    detector = Stub(lambda _: answers)
    replies = DetectorSubject(detector).ask([record("one"), record("two")])
    assert detector.alone == ["one", "two"]
    assert [reply.detection for reply in replies] == [FOUND, FOUND]


def test_a_batch_that_raises_is_asked_one_by_one():
    """The document that is at fault is told, and spoils no other."""

    def together(_):
        raise ValueError("canary")

    detector = Stub(together)
    replies = DetectorSubject(detector).ask([record("one"), record("two")])
    assert detector.alone == ["one", "two"]
    assert [reply.failure for reply in replies] == [None, None]


@pytest.mark.usefixtures("clock")
def test_the_time_of_a_batch_is_shared_by_length():
    """One second for 1 and 3 code points: a quarter and three quarters; bytes do not matter."""
    detector = Stub(lambda texts: [FOUND] * len(texts))
    replies = DetectorSubject(detector).ask([record("é"), record("two")])
    assert [reply.seconds for reply in replies] == [0.25, 0.75]
    assert detector.alone == []


@pytest.mark.usefixtures("clock")
def test_documents_that_are_asked_alone_have_their_own_time():
    """A second each."""
    replies = DetectorSubject(Stub()).ask([record("é"), record("two")])
    assert [reply.seconds for reply in replies] == [1.0, 1.0]


def test_a_batch_of_empty_texts_takes_no_time_of_anyone():
    """Nothing is divided by the length of no text."""
    replies = DetectorSubject(Stub(lambda texts: [FOUND] * len(texts))).ask([record(""), record("")])
    assert [reply.seconds for reply in replies] == [0.0, 0.0]


def test_the_first_three_documents_warm_up():
    """One by one: the fourth counts."""
    subject = DetectorSubject(Stub())
    assert [subject.ask([record("a")])[0].warm for _ in range(5)] == [True, True, True, False, False]


@pytest.mark.parametrize(
    ("asked", "own", "chosen"),
    [
        ("asked", "own", "asked"),
        (None, "own", "own"),
        ("asked", None, "asked"),
        (None, None, "stub"),
        (TYPES, "own", None),
    ],
)
def test_the_label_map_that_was_asked_for_goes_first(asked, own, chosen):
    """Then the detector's own, then that of its name; the same where its predictions are replayed."""
    detector = Stub()
    detector.label_map = own
    made = SimpleNamespace(name="stub", label_map=own, identities=False)
    assert DetectorSubject(detector, label_map=asked).label_map(TAXONOMY) == chosen
    assert PredictionsSubject(made, label_map=asked).label_map(TAXONOMY) == chosen


def test_replay_keeps_what_was_dropped_before():
    """The count of the predictions file comes with the answer."""
    made = SimpleNamespace(answer=lambda *_: (FOUND, 4), identities=False)
    assert PredictionsSubject(made).ask([record("one")]) == [Reply(FOUND, None, 0.0, 4)]


def test_replay_keeps_the_reason_of_no_answer():
    """It is that of the run that predicted."""

    def answer(document_id, text):
        raise Unanswered("timeout")

    made = SimpleNamespace(answer=answer, identities=False)
    assert PredictionsSubject(made).ask([record("one")]) == [Reply(None, "timeout", 0.0)]
