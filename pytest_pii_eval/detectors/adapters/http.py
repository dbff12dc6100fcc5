"""A detector behind HTTP: texts go out as JSON in batches, detections come back."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, final

import httpx

from pytest_pii_eval.contracts.canonical import fingerprint
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.offsets import OFFSET_UNITS
from pytest_pii_eval.detectors import forms
from pytest_pii_eval.detectors.adapters.options import number, whole
from pytest_pii_eval.detectors.adapters.service import HttpFailure, Service, origin
from pytest_pii_eval.detectors.answers import BadAnswer
from pytest_pii_eval.detectors.lines import Hello, hello_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_pii_eval.contracts.offsets import OffsetUnit
    from pytest_pii_eval.contracts.spans import Detection

_LEAST, _DAY = 0.001, 86_400.0
_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)[ \t]*")
_VARIABLE = "env:"


@final
class HttpDetector:
    """The service at `url`: it gets `{"texts": [...]}` by POST, and answers `{"detections": [...]}`.

    See docs/detector-protocol.md for the form of a detection: which stages there are is the service's choice,
    what it does not send is unavailable. Offsets are in `offset_unit`. `header` is `NAME:VALUE`, or
    `NAME:env:VARIABLE` to take the value from the environment; it is sent to the origin of `url` alone, and
    told nowhere. With `info_url`, of the same origin, the service says itself what it is. `timeout` are
    seconds an attempt. Raises `Fault` for wrong options, and where `info_url` gives no answer.
    """

    thread_safe = True

    def __init__(  # noqa: PLR0913  # each is an option that a user may give
        self,
        url: str,
        *,
        timeout: str | float = 10.0,
        retries: str | int = 2,
        batch_size: str | int = 32,
        name: str | None = None,
        version: str | None = None,
        offset_unit: str | None = None,
        label_map: str | None = None,
        header: str | Sequence[str] = (),
        info_url: str | None = None,
    ) -> None:
        self.batch_size = whole(batch_size, "batch_size", most=10_000)
        self._service = Service(
            _address(url, "url"),
            _headers(header),
            timeout=number(timeout, "timeout", least=_LEAST, most=_DAY),
            retries=whole(retries, "retries", least=0, most=100),
        )
        told = Hello("http", version or "unversioned", _unit(offset_unit))
        if info_url is not None:
            told = self._info(info_url, version, offset_unit)
        self._hello = told._replace(name=name or told.name, label_map=label_map or told.label_map)
        self.name, self.version, self.offset_unit = self._hello[:3]
        self.label_map, self.identities = self._hello.label_map, self._hello.identities

    def detect(self, text: str) -> Detection:
        """Return the answer to a batch of one; raises `HttpFailure` and `BadAnswer`."""
        return self.detect_batch([text])[0]

    def detect_batch(self, texts: Sequence[str]) -> list[Detection]:
        """Return one answer a text, in order; raises `HttpFailure`, or `BadAnswer` for all of a batch."""
        size = self.batch_size
        batches = [texts[start : start + size] for start in range(0, len(texts), size)]
        return [detection for batch in batches for detection in self._answers(batch)]

    def libraries(self) -> Mapping[str, str]:
        """Return the versions that the service states."""
        return dict(self._hello.libraries)

    def fingerprint(self) -> str:
        """Return the SHA-256 that binds the address, without credentials and query, and what is known."""
        address = self._service.url.copy_with(query=None, fragment=None)
        return fingerprint({"adapter": "http", "url": str(address), **self._hello._asdict()})

    def close(self) -> None:
        """Close all connections."""
        self._service.close()

    def _answers(self, texts: Sequence[str]) -> list[Detection]:
        # All ASCII: a text with a lone surrogate must not raise an exception that holds it.
        body = json.dumps({"texts": list(texts)}).encode("ascii")
        answer = self._service.ask("POST", self._service.url, body)
        if not isinstance(answer, dict) or answer.keys() != {"detections"}:
            raise BadAnswer("the service's answer is no object with the one field detections")
        found = answer["detections"]
        if not isinstance(found, list) or len(found) != len(texts):
            raise BadAnswer("the service's answer holds another number of detections than texts were sent")
        return [forms.read(form) for form in found]

    def _info(self, url: str, version: str | None, unit: str | None) -> Hello:
        """Return what the service says it is; what was declared as well must be the same."""
        address = _address(url, "info_url").copy_with(userinfo=b"")
        if origin(address) != origin(self._service.url):
            raise Fault("--pii-detector-option: info_url must have the origin of url")
        try:
            hello = hello_of(self._service.ask("GET", address))
            if (version or hello.version, unit or hello.offset_unit) == hello[1:3]:
                return hello
            rule = "--pii-detector-option: version or offset_unit is not what the service says at info_url"
        except HttpFailure as failure:
            rule = f"{failure}, when it was asked what it is"
        except Fault as fault:
            rule = f"at info_url: {fault}"
        self.close()
        raise Fault(rule)


def _address(url: str, name: str) -> httpx.URL:
    try:
        address = httpx.URL(url)
    except (httpx.InvalidURL, TypeError):
        address = httpx.URL()
    if address.scheme not in ("http", "https") or not address.host:
        raise Fault(f"--pii-detector-option: {name} must be a whole address of http or https")
    return address


def _headers(header: str | Sequence[str]) -> dict[str, str]:
    return dict(_header(one) for one in ([header] if isinstance(header, str) else header))


def _header(header: str) -> tuple[str, str]:
    """Return name and value; a fault tells neither, for what is written wrong may be the secret."""
    parts = _HEADER.fullmatch(header)
    if parts is not None and parts[2].startswith(_VARIABLE):
        value = os.environ.get(parts[2].removeprefix(_VARIABLE), "")
        parts = _HEADER.fullmatch(f"{parts[1]}:{value}")
        if parts is None:
            raise Fault("--pii-detector-option: header names a variable without a printable ASCII value")
    if parts is None:
        raise Fault(
            "--pii-detector-option: header must be NAME:VALUE or NAME:env:VARIABLE, in printable ASCII"
        )
    return parts[1], parts[2]


def _unit(unit: str | None) -> OffsetUnit:
    if unit is not None and unit not in OFFSET_UNITS:
        raise Fault(f"--pii-detector-option: offset_unit must be one of: {', '.join(OFFSET_UNITS)}")
    return unit or "codepoint"
