"""Any detector in a process of its own, so that one that is stuck can be killed for real."""

from __future__ import annotations

import base64
import json
import pickle
import sys
from typing import TYPE_CHECKING, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.detectors.adapters.options import number
from pytest_pii_eval.detectors.finding import Wanted, build
from pytest_pii_eval.detectors.lines import Launch, hello_of, opened

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_pii_eval.contracts.spans import Detection
    from pytest_pii_eval.detectors.lines import Hello
    from pytest_pii_eval.detectors.protocol import Detector

START_LIMIT = 600.0
"""Seconds that a detector may take to be built: models are loaded then."""

_PROCESS, _TIMEOUT = "process", "timeout"

# The child looks modules up exactly where this process does, before it imports any but sys.
_SERVE = "import sys; sys.path[:] = sys.argv[1:]; from pytest_pii_eval.detectors.serve import main; main()"
_FLAGS = {"optimize": "-O", "dont_write_bytecode": "-B", "ignore_environment": "-E", "no_user_site": "-s"}


@final
class IsolatedDetector:
    """The detector that `finding.build` makes of `wanted`, in a Python process of its own.

    What it says of itself is what the detector inside says. A document that takes more than `limit` seconds
    is given up: its process is killed with all that it started, and the next document gets a new one, whose
    start does not count against the document. Nothing that the detector prints, logs or warns of leaves the
    process. Raises `Fault` where it cannot be built, with the rule that building it here would give.
    """

    def __init__(self, wanted: Wanted | bytes, limit: float, *, start_limit: float = START_LIMIT) -> None:
        self._limit = limit
        command, opening = _command(), _opening(wanted, (start_limit, limit))
        self._talk = opened(Launch(command, _read_hello, start_limit, opening=opening, own=True))
        hello = self._talk.hello
        self.name, self.version, self.offset_unit = hello.name, hello.version, hello.offset_unit
        self.label_map, self.identities = hello.label_map, hello.identities

    @classmethod
    def of(cls, detector: object, limit: float, *, start_limit: float = START_LIMIT) -> IsolatedDetector:
        """Return `detector`, already built, in a process of its own.

        Raises `Fault` where it does not pickle, or not back into an object there.
        """
        return cls(_pickled(detector), limit, start_limit=start_limit)

    @property
    def pid(self) -> int:
        """The process that answers now, or answered last."""
        return self._talk.pid

    def detect(self, text: str) -> Detection:
        """Return what the detector inside returns.

        Raises `ProcessFailure` with the reason `time_limit` or `died`, or with `exception` and the type and
        place of what was raised inside; and `BadAnswer` as the detector inside would.
        """
        return self._talk.ask(text, self._limit)

    def libraries(self) -> Mapping[str, str]:
        """Return the versions of the packages behind the detector inside."""
        return dict(self._talk.hello.libraries)

    def fingerprint(self) -> str:
        """Return the fingerprint of the detector inside."""
        return self._talk.hello.fingerprint or ""

    def close(self) -> None:
        """Close the detector inside and end its process."""
        self._talk.close()


def limited(wanted: Wanted, limit: float) -> Detector:
    """Return the detector with a limit of `limit` seconds a document; raises `Fault` as `build` does.

    One that is a process already keeps the limit itself: inside another process it would survive that one's
    end, for it and what it starts are a group of their own.
    """
    if wanted.name != _PROCESS:
        return IsolatedDetector(wanted, limit)
    options = dict(wanted.options)
    own = number(options.get(_TIMEOUT, limit), _TIMEOUT)
    return build(wanted._replace(options=tuple({**options, _TIMEOUT: str(min(own, limit))}.items())))


def _command() -> tuple[str, ...]:
    if not sys.executable:
        raise Fault("a detector in a process of its own needs a Python interpreter; sys.executable is empty")
    flags = [flag for name, flag in _FLAGS.items() for _ in range(int(getattr(sys.flags, name)))]
    return (sys.executable, *flags, "-c", _SERVE, *sys.path)


def _opening(wanted: Wanted | bytes, limits: tuple[float, float]) -> bytes:
    if isinstance(wanted, Wanted):
        asked = wanted._asdict()
    else:
        asked = {"name": "(pickled)", "pickled": base64.b64encode(wanted).decode("ascii")}
    try:
        return json.dumps({**asked, "limits": limits}).encode("ascii") + b"\n"
    except (TypeError, ValueError):
        raise Fault(
            "--pii-detector-option: a detector with a time limit takes text and numbers only"
        ) from None


def _pickled(detector: object) -> bytes:
    try:
        return pickle.dumps(detector)
    except Exception as error:  # noqa: BLE001  # a stranger's code; its text may hold anything
        failure = type(error).__name__
    raise Fault(
        f"the detector does not pickle ({failure}), so it gets no process of its own for its time limit; "
        "name it as module:attribute instead"
    )


def _read_hello(value: object) -> Hello:
    if isinstance(value, dict) and "fault" in value:
        rule, file, line, field = value["fault"]
        raise Fault(rule, file=file, line=line, field=field)
    return hello_of(value)
