"""The protocol of JSON lines between this package and a detector in a child process: what each line says."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any, NamedTuple, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.offsets import OFFSET_UNITS
from pytest_pii_eval.contracts.strict_json import parse_line
from pytest_pii_eval.detectors import forms
from pytest_pii_eval.detectors.answers import BadAnswer
from pytest_pii_eval.detectors.child import Child, ProcessFailure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_pii_eval.contracts.offsets import OffsetUnit
    from pytest_pii_eval.contracts.spans import Detection

_LONGEST_HELLO = 1024 * 1024
_FIELDS = {"name", "version", "offset_unit", "fingerprint", "libraries", "label_map", "identities"}
_FINGERPRINT = re.compile(r"sha256:[0-9a-f]{64}")
_WORDS = re.compile(r"[^\x00-\x1f\x7f]{1,200}")
_TYPE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]{0,99}")
_PLACE = re.compile(r"[A-Za-z0-9_.<>-]{1,100}:[0-9]{1,9}")


class Hello(NamedTuple):
    """How a detector outside of this process introduces itself; the words are those of `Detector`."""

    name: str
    version: str
    offset_unit: OffsetUnit
    fingerprint: str | None = None
    libraries: Mapping[str, str] = {}
    label_map: str | None = None
    identities: bool = False


class Refusal(NamedTuple):
    """An exception inside the detector: its type and place, and what one of ours says besides.

    `rule` is that of a `BadAnswer`, `reason` the word that any other of our exceptions goes by.
    """

    type_name: str | None
    place: str | None
    rule: str | None = None
    reason: str | None = None


class Launch(NamedTuple):
    """How a child is started, and what it may say.

    `limit` are the seconds until its first line, which `read_hello` reads; `opening` is written to it before.
    `own` says that the child is one of ours: what our exceptions inside it say is then free of text.
    """

    command: tuple[str, ...]
    read_hello: Callable[[object], Hello]
    limit: float
    cwd: str | None = None
    opening: bytes = b""
    own: bool = False


def hello_of(value: object) -> Hello:
    """Return the introduction that `value` holds; raises `Fault` with a field and a rule, without a value."""
    if not isinstance(value, dict):
        raise Fault("the detector's first line is no JSON object")
    if value.keys() - _FIELDS:
        raise Fault(f"the detector introduces itself with a field other than: {', '.join(sorted(_FIELDS))}")
    if value.get("offset_unit") not in OFFSET_UNITS:
        raise Fault(f"the detector must state one of: {', '.join(OFFSET_UNITS)}", field="offset_unit")
    label_map, identities = value.get("label_map"), value.get("identities")
    return Hello(
        _word(value.get("name"), "name"),
        _word(value.get("version"), "version"),
        value["offset_unit"],
        _fingerprint(value.get("fingerprint")),
        _libraries(value.get("libraries")),
        None if label_map is None else _word(label_map, "label_map"),
        identities is True,
    )


def request(number: int, text: str) -> bytes:
    """Return the line that asks for one text; all of it is ASCII, whatever the child's locale."""
    return json.dumps({"id": number, "text": text}).encode("ascii") + b"\n"


def response(line: bytes, number: int) -> Detection | Refusal:
    """Return what `line` answers to the request `number`.

    Raises `ProcessFailure` where it is no answer to it, and `BadAnswer` where only the detection is none.
    """
    try:
        answer = parse_line(line)
    except Fault:
        answer = None
    if not isinstance(answer, dict) or type(answer.get("id")) is not int or answer.pop("id") != number:
        raise ProcessFailure("bad_answer")
    return forms.read(answer) if "error" not in answer else _refusal(answer["error"])


@final
class Talk:
    """Questions to one child after another: what fails ends its child, the next question starts a new one."""

    def __init__(self, launch: Launch) -> None:
        self._launch = launch
        self._number = 0
        self._child, self.hello = _started(launch)

    @property
    def pid(self) -> int:
        """The process that answers now, or answered last."""
        return self._child.pid

    def ask(self, text: str, limit: float) -> Detection:
        """Return the answer to `text`, given within `limit` seconds; a start before it does not count.

        Raises `ProcessFailure` where there is none, and `BadAnswer` where it is no detection.
        """
        if not self._child.kill.alive:
            self._start_again()
        self._number += 1
        line = self._child.exchange(request(self._number, text), limit)
        try:
            answer = response(line, self._number)
        except ProcessFailure:
            self._child.kill()
            raise
        if isinstance(answer, Refusal):
            raise self._exception(answer)
        return answer

    def close(self) -> None:
        """End the child; asking again starts another."""
        self._child.close()

    def _start_again(self) -> None:
        try:
            self._child, hello = _started(self._launch)
        except (OSError, Fault, ProcessFailure):
            raise ProcessFailure("start") from None
        if hello != self.hello:
            self._child.kill()
            raise ProcessFailure("changed")

    def _exception(self, refusal: Refusal) -> Exception:
        if self._launch.own and refusal.rule is not None:
            return BadAnswer(refusal.rule)
        reason = refusal.reason if self._launch.own else None
        return ProcessFailure("exception", refusal.type_name, refusal.place, reason)


def opened(launch: Launch) -> Talk:
    """Return the talk with a child that has said hello; raises `Fault`, whatever goes wrong."""
    try:
        return Talk(launch)
    except OSError as error:
        raise Fault(f"the detector's process could not be started: {os.strerror(error.errno or 0)}") from None
    except ProcessFailure as failure:
        raise Fault(f"{failure}, before it said what it is") from None


def _started(launch: Launch) -> tuple[Child, Hello]:
    child = Child(launch.command, launch.cwd)
    line = child.exchange(launch.opening, launch.limit, _LONGEST_HELLO)
    try:
        return child, launch.read_hello(parse_line(line))
    except BaseException:
        child.kill()
        raise


def _refusal(error: object) -> Refusal:
    known: dict[str, Any] = error if isinstance(error, dict) else {}
    names = _matching(_TYPE_NAME, known.get("type")), _matching(_PLACE, known.get("place"))
    return Refusal(*names, _matching(_WORDS, known.get("rule")), _matching(_WORDS, known.get("reason")))


def _matching(form: re.Pattern[str], value: object) -> str | None:
    return value if isinstance(value, str) and form.fullmatch(value) else None


def _word(value: object, field: str) -> str:
    if not isinstance(value, str) or not _WORDS.fullmatch(value):
        raise Fault("must be a string of 1 to 200 characters in one line", field=field)
    return value


def _fingerprint(value: object) -> str | None:
    if value is not None and (not isinstance(value, str) or not _FINGERPRINT.fullmatch(value)):
        raise Fault("must be sha256: and 64 hexadecimal digits in lower case", field="fingerprint")
    return value


def _libraries(value: object) -> Mapping[str, str]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Fault("must be an object of versions by package name", field="libraries")
    return {_word(name, "libraries"): _word(version, "libraries") for name, version in value.items()}
