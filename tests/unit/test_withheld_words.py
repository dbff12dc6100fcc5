"""Exceptions of strangers: what is told of them, and which of them may be somebody's Ctrl-C."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest

from pytest_pii_eval.cluster.fittings import fitted
from pytest_pii_eval.collection.replies import timed
from pytest_pii_eval.collection.subject_building import Builder
from pytest_pii_eval.collection.subjects import DetectorSubject
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.records import Record
from pytest_pii_eval.settings import default_settings
from pytest_pii_eval.withheld import InternalError, contained

TEXT = "Zephyrine Quartzmore"


def raising(error):
    """Return what raises an exception with text."""

    def raised(*_, **__):
        raise error(TEXT)

    return raised


def elsewhere(action):
    """Return what an action returns in a thread that is not the main one."""
    found = []
    thread = threading.Thread(target=lambda: found.append(action()))
    thread.start()
    thread.join()
    return found[0]


@pytest.mark.parametrize("error", [SystemExit, GeneratorExit, ValueError])
def test_what_leaves_a_hook_has_no_text(error):
    """`SystemExit` of a fingerprint, too, which pytest would print."""
    with pytest.raises(InternalError) as found:
        contained(raising(error))
    assert str(found.value).startswith(f"{error.__name__} in test_withheld_words.py:")
    assert TEXT not in str(found.value)


def test_an_interrupt_leaves_a_hook_without_words():
    """It stays one, so that pytest ends as it does; pytest would print its text."""
    with pytest.raises(KeyboardInterrupt) as found:
        contained(raising(KeyboardInterrupt))
    assert found.value.args == ()


def test_an_interrupt_off_the_main_thread_is_no_answer():
    """No Ctrl-C reaches another thread, so it is a detector's; in the main thread it goes on."""
    reply = elsewhere(lambda: timed(raising(KeyboardInterrupt), warm=False))
    assert reply.detection is None
    assert reply.failure.startswith("KeyboardInterrupt in test_withheld_words.py:")
    with pytest.raises(KeyboardInterrupt):
        timed(raising(KeyboardInterrupt), warm=False)


def test_an_interrupt_of_a_batch_off_the_main_thread_asks_one_by_one():
    """The second of two documents has no answer."""
    detector = SimpleNamespace(
        name="stub",
        offset_unit="codepoint",
        detect_batch=raising(KeyboardInterrupt),
        detect=lambda text: raising(KeyboardInterrupt)() if text == "two" else "found",
    )
    records = [Record(text, text, "body", "test", (), ()) for text in ("one", "two")]
    replies = elsewhere(lambda: DetectorSubject(detector).ask(records))
    assert [reply.detection for reply in replies] == ["found", None]


def test_an_interrupt_of_a_constructor_off_the_main_thread_is_a_fault(tmp_path):
    """One line, and the same one the next time."""
    builder = Builder(default_settings(tmp_path, detector="mine"), raising(KeyboardInterrupt))

    def built():
        with pytest.raises(Fault) as found:
            builder.subject()
        return str(found.value)

    told = elsewhere(built)
    assert told.startswith("the detector could not be built: KeyboardInterrupt in ")
    assert TEXT not in told
    assert elsewhere(built) == told


def test_a_detector_that_exits_as_it_tells_about_itself_is_a_fault():
    """`SystemExit` with text from `fingerprint()`."""
    builder = SimpleNamespace(subject=lambda: SimpleNamespace(facts=raising(SystemExit)), bank=None)
    with pytest.raises(Fault) as found:
        fitted(builder)
    assert str(found.value).startswith("the detector does not tell about itself: SystemExit in ")
    assert TEXT not in str(found.value)
