"""The start of a detector in a child process: how it introduces itself, its options, its fingerprint."""

from __future__ import annotations

import shlex
import sys

import pytest
from child_processes import CANARY, CHILD, children, command, gone, starting

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors.adapters.process import ProcessDetector
from pytest_pii_eval.detectors.child import ProcessFailure
from pytest_pii_eval.detectors.finding import Wanted, build

STUCK = 0.5


@pytest.fixture
def start():
    """Start a child in a mode; all are closed at the end."""
    with starting() as start:
        yield start


def _word(text):
    return Detection((Span(0, len(text), "WORD", 0.5),))


def test_by_name() -> None:
    """The command and its limits come as text from the command line, quoted as for a shell."""
    options = (("command", shlex.join(command("plain"))), ("timeout", "5"), ("cwd", str(CHILD.parent)))
    detector = build(Wanted("process", options))
    assert detector.detect("abc") == _word("abc")
    detector.close()


@pytest.mark.parametrize(
    ("mode", "reason"), [("once", "start"), ("changing", "changed")], ids=["not-again", "another"]
)
def test_the_new_child_must_be_the_same(start, tmp_path, mode, reason) -> None:
    """A child that does not start again, or then says it is another one, answers nothing."""
    detector = start(mode, tmp_path / "starts")
    with pytest.raises(ProcessFailure):
        detector.detect("die")
    with pytest.raises(ProcessFailure) as caught:
        detector.detect("abc")
    assert caught.value.reason == reason
    assert gone(detector.pid)


_GOOD = '"name": "a", "version": "1", "offset_unit": "byte"'


@pytest.mark.parametrize(
    ("mode", "rule"),
    [
        ("silent", "no answer within its time limit and was killed, before it said what it is"),
        ("gone", "ended without an answer, before it said what it is"),
        ("{Ada-Lovelace", "not valid JSON"),
        ('{"name": "a", "version": "1"}', "offset_unit: the detector must state one of"),
        ('{"name": "a", "version": "1", "offset_unit": "bytes"}', "offset_unit: the detector must state one"),
        ('{"version": "1", "offset_unit": "byte"}', "name: must be a string of 1 to 200 characters"),
        ('{"name": "a", "version": 1, "offset_unit": "byte"}', "version: must be a string"),
        ('{"name": "a\\nb", "version": "1", "offset_unit": "byte"}', "name: must be a string"),
        ("{" + _GOOD + ', "Ada-Lovelace": 1}', "introduces itself with a field other than"),
        ("{" + _GOOD + ', "fingerprint": "Ada-Lovelace"}', "fingerprint: must be sha256:"),
        ("{" + _GOOD + ', "libraries": ["Ada-Lovelace"]}', "libraries: must be an object"),
        ("{" + _GOOD + ', "label_map": 7}', "label_map: must be a string"),
    ],
)
def test_bad_introductions(mode, rule) -> None:
    """A child that does not say what it is, is one clear line, and is gone."""
    before = children()
    with pytest.raises(Fault) as caught:
        ProcessDetector(command(mode), start_timeout=STUCK if mode == "silent" else 60)
    assert rule in str(caught.value)
    assert CANARY not in str(caught.value)
    assert children() == before


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"command": ""}, "command must be a program and its arguments, quoted as for a shell"),
        ({"command": "a 'b"}, "command must be a program and its arguments, quoted as for a shell"),
        ({"command": "/no/such/program-at-all"}, "could not be started: No such file or directory"),
        ({"command": "true", "cwd": "/no/such/folder"}, "cwd names no folder"),
        ({"command": "true", "timeout": "soon"}, "timeout must be a number"),
        ({"command": "true", "start_timeout": "inf"}, "start_timeout must be a number"),
    ],
)
def test_bad_options(options, rule) -> None:
    """Options that no child can be started with are one clear line."""
    with pytest.raises(Fault) as caught:
        ProcessDetector(**options)
    assert rule in str(caught.value)


def test_fingerprint(start, tmp_path) -> None:
    """It binds the content of the files in the command, wherever they lie, and each other part."""
    (tmp_path / "copy.py").write_bytes(CHILD.read_bytes())
    (tmp_path / "other.py").write_bytes(CHILD.read_bytes() + b"\n# changed\n")

    def of(file, *rest):
        detector = ProcessDetector([sys.executable, "-S", str(file), *rest], cwd=str(tmp_path))
        detector.close()
        return detector.fingerprint()

    first = of(CHILD, "plain")
    assert first.startswith("sha256:")
    assert of(CHILD, "plain") == of("copy.py", "plain") == first
    assert len({first, of("other.py", "plain"), of(CHILD, "stubborn")}) == 3


def test_own_fingerprint(start, tmp_path) -> None:
    """A child's own fingerprint takes the place of its command."""
    assert start("full").fingerprint() == start("full", tmp_path / "starts").fingerprint()
    assert start("full").fingerprint() != start("plain").fingerprint()
