"""A detector in any language: a child process that speaks JSON lines over pipes."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, final

from pytest_pii_eval.contracts.canonical import fingerprint, sha256
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.detectors.adapters.options import number
from pytest_pii_eval.detectors.lines import Launch, hello_of, opened

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_pii_eval.contracts.spans import Detection

_LEAST, _DAY = 0.001, 86_400.0


@final
class ProcessDetector:
    """A detector in a process of its own, started as `command` in `cwd`; see docs/detector-protocol.md.

    The child says its name, version, offset unit and label map itself, and which stages it answers with: what
    it does not send is unavailable. `timeout` are seconds a document, `start_timeout` seconds until the child
    has said what it is. A child that keeps neither, ends, or breaks the protocol is killed with all that it
    started, and the next document gets a new one. Raises `Fault` where it cannot be started.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        timeout: str | float = 60.0,
        start_timeout: str | float = 60.0,
        cwd: str | None = None,
    ) -> None:
        self._command, self._cwd = _split(command), _folder(cwd)
        self._limit = number(timeout, "timeout", least=_LEAST, most=_DAY)
        start_limit = number(start_timeout, "start_timeout", least=_LEAST, most=_DAY)
        self._talk = opened(Launch(self._command, hello_of, start_limit, self._cwd))
        hello = self._talk.hello
        self.name, self.version, self.offset_unit = hello.name, hello.version, hello.offset_unit
        self.label_map, self.identities = hello.label_map, hello.identities

    @property
    def pid(self) -> int:
        """The process that answers now, or answered last."""
        return self._talk.pid

    def detect(self, text: str) -> Detection:
        """Return what the child answers; raises `ProcessFailure`, or `BadAnswer` where it is no detection."""
        return self._talk.ask(text, self._limit)

    def libraries(self) -> Mapping[str, str]:
        """Return the versions that the child states."""
        return dict(self._talk.hello.libraries)

    def fingerprint(self) -> str:
        """Return the SHA-256 that binds what the child says of itself, and its own fingerprint.

        Without that it binds the command in its place: each part as it was written, or the content of the
        file that it names. Files that the command does not name are then not bound.
        """
        hello = self._talk.hello
        known: dict[str, object] = {"adapter": "process", **hello._asdict()}
        if hello.fingerprint is None:
            known["command"] = self._bound()
        return fingerprint(known)

    def close(self) -> None:
        """End the child: close its input, wait briefly, kill it."""
        self._talk.close()

    def _bound(self) -> list[str]:
        program = shutil.which(self._command[0])
        parts = [self._command[0] if program is None else program, *self._command[1:]]
        return [_bound(part, Path(self._cwd or "")) for part in parts]


def _split(command: str | Sequence[str]) -> tuple[str, ...]:
    try:
        parts = tuple(shlex.split(command) if isinstance(command, str) else command)
    except ValueError:
        parts = ()
    if not parts or any("\0" in part for part in parts):
        raise Fault(
            "--pii-detector-option: command must be a program and its arguments, quoted as for a shell"
        )
    return parts


def _folder(cwd: str | None) -> str | None:
    if cwd is not None and not Path(cwd).is_dir():
        raise Fault("--pii-detector-option: cwd names no folder")
    return cwd


def _bound(part: str, folder: Path) -> str:
    try:
        file = folder / part
        return sha256(file.read_bytes()) if file.is_file() else part
    except (OSError, ValueError):
        return part
