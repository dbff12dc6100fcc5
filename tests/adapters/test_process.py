"""A detector in a child process: good answers, and every way in which a child can go wrong."""

from __future__ import annotations

import gc
import os
import select
from pathlib import Path

import pytest
from child_processes import CANARY, children, command, gone, starting

from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors import child
from pytest_pii_eval.detectors.adapters.process import ProcessDetector
from pytest_pii_eval.detectors.answers import BadAnswer
from pytest_pii_eval.detectors.child import ProcessFailure

STUCK, AMPLE = 0.5, 60.0


@pytest.fixture
def start():
    """Start a child in a mode; all are closed at the end."""
    with starting() as start:
        yield start


def _open_descriptors():
    return len(list(Path("/proc/self/fd").iterdir()))


def _word(text):
    return Detection((Span(0, len(text), "WORD", 0.5),))


def test_good_answers(start) -> None:
    """One child answers all texts, in order, and says itself what it is."""
    detector = start("full")
    first = detector.pid
    assert [detector.detect(text) for text in ("a", "bcd", "")] == [_word("a"), _word("bcd"), _word("")]
    assert detector.pid == first
    assert (detector.name, detector.version, detector.offset_unit) == ("full", "2.1", "utf16")
    assert (detector.label_map, detector.identities, detector.libraries()) == ("common", True, {"tool": "7"})


@pytest.mark.parametrize("word", ["hang", "loop", "drip"])
def test_stuck(start, word) -> None:
    """A stuck child is killed for real, and the next text is answered by a new one."""
    detector = start(timeout=STUCK)
    stuck = detector.pid
    with pytest.raises(ProcessFailure) as caught:
        detector.detect(f"{word} {CANARY}")
    assert caught.value.reason == "time_limit"
    assert CANARY not in str(caught.value)
    assert gone(stuck)
    detector._limit = AMPLE
    assert detector.detect("abc") == _word("abc")
    assert detector.pid != stuck


@pytest.mark.parametrize("word", ["die", "leave", "half"])
def test_died(start, word) -> None:
    """A child that ends without an answer has died, and the next text is answered by a new one."""
    detector = start()
    with pytest.raises(ProcessFailure) as caught:
        detector.detect(f"{word} {CANARY}")
    assert caught.value.reason == "died"
    assert detector.detect("abc") == _word("abc")


@pytest.mark.parametrize(
    "word",
    ["garbage", "nan", "twice", "other", "text-id", "true-id", "no-id", "array", "empty", "latin-1"],
)
def test_garbage(start, word) -> None:
    """A line that is no answer to the question ends its child: nothing after it could be trusted."""
    detector = start()
    first = detector.pid
    with pytest.raises(ProcessFailure) as caught:
        detector.detect(word)
    assert caught.value.reason == "bad_answer"
    assert CANARY not in str(caught.value)
    assert gone(first)
    assert detector.detect("abc") == _word("abc")


def test_one_answer_too_many(start) -> None:
    """A second answer to one question is found with the next question, whose answer it would be."""
    detector = start()
    assert detector.detect("more") == _word("more")
    with pytest.raises(ProcessFailure) as caught:
        detector.detect("abc")
    assert caught.value.reason == "bad_answer"
    assert detector.detect("abc") == _word("abc")


def test_endless_line(start, monkeypatch) -> None:
    """A line without end is cut off at the limit, not read until memory ends."""
    monkeypatch.setattr(child, "MAX_LINE", 1_000_000)
    monkeypatch.setattr(child.Child.exchange, "__defaults__", (1_000_000,))
    detector = start()
    with pytest.raises(ProcessFailure) as caught:
        detector.detect("endless")
    assert caught.value.reason == "bad_answer"


def test_exception_inside(start) -> None:
    """An exception in the child is told by type and place, and the child goes on."""
    detector = start()
    first = detector.pid
    with pytest.raises(ProcessFailure) as caught:
        detector.detect("error")
    failure = caught.value
    assert (failure.cause, failure.type_name, failure.place) == ("exception", "ValueError", "mine.go:12")
    assert failure.reason == "ValueError in mine.go:12"
    assert str(failure) == "the detector raised an exception: ValueError in mine.go:12"
    assert detector.detect("abc") == _word("abc")
    assert detector.pid == first


@pytest.mark.parametrize("word", ["telling", "bare"])
def test_exception_that_tells_text(start, word) -> None:
    """What is no name of a type and no place is withheld."""
    with pytest.raises(ProcessFailure) as caught:
        start().detect(word)
    failure = caught.value
    assert (failure.reason, failure.type_name, failure.place) == ("exception", None, None)
    assert str(failure) == "the detector raised an exception"


def test_no_detection(start) -> None:
    """An answer that is no detection is a bad one, and the child goes on."""
    detector = start()
    first = detector.pid
    with pytest.raises(BadAnswer) as caught:
        detector.detect("form")
    assert str(caught.value) == "holds an offset that is no integer"
    assert detector.detect("abc") == _word("abc")
    assert detector.pid == first


def test_large_texts_while_the_child_writes(start) -> None:
    """Megabytes in both directions at once do not make each side wait for the other."""
    text = "\N{SNOWMAN}" * 1_000_000  # 6 MB as escapes
    assert start("busy", timeout=60).detect(text) == _word(text)


def test_stderr_goes_nowhere(start, capfd) -> None:
    """What the child writes to stderr neither blocks it nor shows."""
    assert start().detect("noisy") == _word("noisy")
    assert capfd.readouterr() == ("", "")


@pytest.fixture
def lifeline(tmp_path):
    """Give a FIFO that a process holds open while it lives, and a function that waits for its death."""
    path = tmp_path / "fifo"
    os.mkfifo(path)
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def died():
        poll = select.poll()
        poll.register(descriptor, 0)  # nothing but the end of its last writer
        return os.read(descriptor, 1) == b"x" and poll.poll(20_000) != []

    yield path, died
    os.close(descriptor)


def test_grandchildren_die_with_it(start, lifeline) -> None:
    """What a stuck child has started is killed as well."""
    path, died = lifeline
    detector = start("parent", path, timeout=STUCK)
    with pytest.raises(ProcessFailure) as caught:
        detector.detect("hang")
    assert caught.value.reason == "time_limit"
    assert died()


def test_grandchildren_die_at_the_end(start, lifeline) -> None:
    """What a child has started and left behind is killed when the detector is closed."""
    path, died = lifeline
    detector = start("parent", path)
    assert detector.detect("abc") == _word("abc")
    detector.close()
    assert died()


@pytest.mark.parametrize("mode", ["plain", "stubborn"])
def test_close(start, mode, monkeypatch) -> None:
    """Closing ends the child, be it willing or not; closing twice is one closing."""
    monkeypatch.setattr(child, "_GRACE", 0.2 if mode == "stubborn" else 20.0)
    detector = start(mode)
    detector.detect("abc")
    detector.close()
    detector.close()
    assert gone(detector.pid)
    with pytest.raises(ChildProcessError):
        os.waitpid(detector.pid, os.WNOHANG)


def test_a_forgotten_child_is_killed() -> None:
    """A detector that nobody closed takes its child along."""
    detector = ProcessDetector(command("plain"))
    pid = detector.pid
    del detector
    gc.collect()
    assert gone(pid)


def test_nothing_is_left_open(start) -> None:
    """Starts, failures and ends leave no descriptor open and no zombie."""
    before = _open_descriptors(), children()
    detector = start(timeout=STUCK)
    for word in ("abc", "hang", "die", "garbage", "error", "abc"):
        try:
            detector.detect(word)
        except ProcessFailure:
            continue
    detector.close()
    assert (_open_descriptors(), children()) == before
