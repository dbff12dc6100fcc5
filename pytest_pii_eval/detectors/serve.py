"""The other side of `IsolatedDetector`: a process that builds one detector and answers line by line."""

from __future__ import annotations

import base64
import json
import os
import pickle
import signal
import warnings
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.detectors import forms
from pytest_pii_eval.detectors.answers import BadAnswer
from pytest_pii_eval.detectors.finding import Wanted, build
from pytest_pii_eval.detectors.vetting import vetted
from pytest_pii_eval.withheld import place_of, type_and_place

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from pytest_pii_eval.detectors.protocol import Detector

_OURS = "pytest_pii_eval."
_FUSE = 10.0


def main() -> None:
    """Answer on the pipes that were stdin and stdout; what anyone else reads or writes there is nothing."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    warnings.simplefilter("ignore")
    with questions, answers:
        serve(questions, answers)


def serve(questions: BinaryIO, answers: BinaryIO) -> None:
    """Build what the first line asks for, say hello, then answer each line until there is none."""
    first = questions.readline()
    if not first:
        return
    asked = json.loads(first)
    start_limit, limit = asked["limits"]
    try:
        with _fuse(start_limit):
            detector, hello = _introduced(asked)
        _say(answers, hello)
    except Fault as fault:
        _say(answers, {"fault": [fault.rule, fault.file, fault.line, fault.field]})
        return
    for line in questions:
        with _fuse(limit):
            answer = _answer(detector, json.loads(line))
        _say(answers, answer)
    with suppress(Exception):  # a stranger's code, and nobody listens any more
        getattr(detector, "close", _nothing)()


@contextmanager
def _fuse(limit: float) -> Iterator[None]:
    """End this process where the block takes far too long and nobody is left to kill it.

    The signal's default action needs neither the interpreter nor its lock.
    """
    signal.setitimer(signal.ITIMER_REAL, limit + _FUSE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _introduced(asked: dict[str, Any]) -> tuple[Detector, dict[str, object]]:
    detector = _detector(asked)
    return detector, _hello(detector)


def _detector(asked: dict[str, Any]) -> Detector:
    try:
        if "pickled" in asked:
            return vetted(_unpickled(asked["pickled"]), asked["name"])
        options = tuple((name, value) for name, value in asked["options"])
        return build(Wanted(asked["name"], options, tuple(asked["paths"])))
    except Fault:
        raise
    except BaseException as error:  # noqa: BLE001  # also SystemExit: it must not look like a crash
        raise Fault(f"the detector could not be built: {type_and_place(error)}") from None


def _unpickled(pickled: str) -> object:
    try:
        return pickle.loads(base64.b64decode(pickled))  # noqa: S301  # made by our own parent process
    except BaseException as error:  # noqa: BLE001  # a stranger's code
        raise Fault(
            f"the detector could not be unpickled in a process of its own ({type(error).__name__}); "
            "name it as module:attribute instead"
        ) from None


def _hello(detector: Detector) -> dict[str, object]:
    try:
        return {
            "name": detector.name,
            "version": detector.version,
            "offset_unit": detector.offset_unit,
            "fingerprint": detector.fingerprint(),
            "libraries": dict(getattr(detector, "libraries", dict)()),
            "label_map": getattr(detector, "label_map", None),
            "identities": bool(getattr(detector, "identities", False)),
        }
    except BaseException as error:  # noqa: BLE001  # a stranger's code
        raise Fault(f"the detector cannot say what it is: {type_and_place(error)}") from None


def _answer(detector: Detector, question: dict[str, Any]) -> dict[str, object]:
    try:
        return {"id": question["id"], **forms.write(detector.detect(question["text"]))}
    except BaseException as error:  # noqa: BLE001  # a stranger's code, and even SystemExit is its answer
        return {"id": question["id"], "error": _told(error)}


def _told(error: BaseException) -> dict[str, object]:
    """Return type and place, and of our own exceptions what they say without text."""
    told: dict[str, object] = {"type": type(error).__name__, "place": place_of(error)}
    if isinstance(error, BadAnswer):
        return {**told, "rule": error.rule}
    reason = getattr(error, "reason", None) if type(error).__module__.startswith(_OURS) else None
    return {**told, "reason": reason} if isinstance(reason, str) else told


def _say(answers: BinaryIO, value: dict[str, object]) -> None:
    answers.write(json.dumps(value).encode("ascii") + b"\n")
    answers.flush()


def _nothing() -> None:
    pass
