"""The block that detectors run in: nothing comes out of it, and everything is as before behind it."""

from __future__ import annotations

import io
import logging
import os
import subprocess
import sys
import threading
import warnings
from contextlib import closing

import pytest

from pytest_pii_eval.silence import Silence, silenced

_BUFFERED = """
import os, sys
from pytest_pii_eval.silence import Silence
kept = sys.stdout
print("before")
with Silence():
    print("inside")
    kept.write("inside")
    sys.__stderr__.write("inside")
    os.system("echo inside; echo inside >&2")
print("after")
"""


def _state() -> tuple[object, ...]:
    hooks = (warnings.showwarning, sys.unraisablehook, threading.excepthook, logging.getLogRecordFactory())
    return (sys.stdout, sys.stderr, *hooks)


def test_nothing_comes_out_of_a_process():
    """Streams of any age, buffered or not, and what child processes write are dropped; the rest is kept."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    command = [sys.executable, "-c", _BUFFERED]
    done = subprocess.run(command, capture_output=True, check=True, env=environment)
    assert done.stdout.split() == [b"before", b"after"]
    assert done.stderr == b""


def test_streams_in_memory_are_not_written_to(monkeypatch):
    """A stream that has no file descriptor gets nothing either."""
    out, err = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    with closing(Silence()) as silence:
        with silence:
            print("inside")  # noqa: T201  # the point
            print("inside", file=sys.stderr)  # noqa: T201
        print("after")  # noqa: T201
    assert out.getvalue() == "after\n"
    assert err.getvalue() == ""


def test_no_handler_takes_a_record(caplog):
    """Log records of any level, made in the block, reach no handler; those made behind it do."""
    caplog.set_level(logging.DEBUG)
    with closing(Silence()) as silence, silence:
        logging.getLogger("engine").critical("inside")
    logging.getLogger("engine").debug("after")
    assert caplog.messages == ["after"]


def test_everything_is_as_before_behind_it():
    """Streams, hooks and descriptors come back, after an exception and after many blocks, too."""
    before = _state()
    descriptors = [os.fstat(number).st_ino for number in (1, 2)]
    with closing(Silence()) as silence:
        for _ in range(3):
            with pytest.raises(ZeroDivisionError), silence:
                _ = 1 / 0
            assert _state() == before
            assert [os.fstat(number).st_ino for number in (1, 2)] == descriptors
    assert silenced(lambda: "answer") == "answer"
    assert _state() == before


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="counts descriptors under /proc")  # noqa: PTH112  # a probe
def test_descriptors_are_given_back():
    """A closed block holds no descriptor."""
    before = os.listdir("/proc/self/fd")  # noqa: PTH208  # names are enough
    for _ in range(5):
        silenced(lambda: None)
    assert len(os.listdir("/proc/self/fd")) == len(before)  # noqa: PTH208


def test_a_thread_that_is_about_to_start_is_no_matter(monkeypatch):
    """Another thread may start one at the end of a block: what has not begun cannot be waited for."""
    here = threading.enumerate()
    monkeypatch.setattr(threading, "enumerate", lambda: here)
    with closing(Silence()) as silence, silence:
        monkeypatch.setattr(threading, "enumerate", lambda: [*here, threading.Thread(target=print)])
