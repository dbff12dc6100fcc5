"""One JSON question to an HTTP service, with limits and retries; what is asked is known in `http`."""

from __future__ import annotations

from http import HTTPStatus
from time import monotonic, sleep
from typing import TYPE_CHECKING, final

import httpx

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.strict_json import parse

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_RESPONSE = 64 * 1024 * 1024
"""Bytes that one response may hold."""

_AGAIN = {429, 502, 503, 504}
_SAME_METHOD = {307, 308}
_REDIRECTS = 3
_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 10.0
_JSON = "application/json"


@final
class HttpFailure(Exception):
    """A service gave no answer that can be used; the text holds nothing of what was sent or came back.

    `reason` is the word for it, `status` that of the last response, `None` where there was none. `again` says
    that asking once more may help, `pause` after how many seconds the service asks for it.
    """

    def __init__(
        self,
        reason: str,
        rule: str,
        status: int | None = None,
        *,
        again: bool = False,
        pause: float | None = None,
    ) -> None:
        super().__init__(reason, rule, status)
        self.reason = reason
        self.rule = rule
        self.status = status
        self.again = again
        self.pause = pause

    def __str__(self) -> str:
        return f"the detector's service {self.rule}"


@final
class Service:
    """An HTTP service of one origin that answers JSON with JSON.

    Nothing of the environment is used, neither proxies nor credentials. Redirects are followed within the
    origin and only where method and body stay. `timeout` are seconds an attempt; `retries` is how often a
    question is asked again after a connection error, a time-out, or a status of 429, 502, 503 or 504.
    """

    def __init__(self, url: httpx.URL, headers: Mapping[str, str], *, timeout: float, retries: int) -> None:
        auth = httpx.BasicAuth(url.username, url.password) if url.userinfo else None
        self.url = url.copy_with(userinfo=b"")
        self._timeout = timeout
        self._retries = retries
        # Compressed answers are not taken: a short one could hold any number of bytes.
        headers = {"accept": _JSON, "accept-encoding": "identity", "content-type": _JSON, **headers}
        self._client = httpx.Client(headers=headers, auth=auth, timeout=timeout, trust_env=False)

    def ask(self, method: str, url: httpx.URL, body: bytes | None = None) -> object:
        """Return the JSON value that the service answers with; raises `HttpFailure`."""
        outcome = self._outcome(method, url, body)
        for attempt in range(self._retries):
            if not isinstance(outcome, HttpFailure) or not outcome.again:
                break
            wanted = _FIRST_PAUSE * 2**attempt if outcome.pause is None else outcome.pause
            sleep(min(wanted, _LONGEST_PAUSE))
            outcome = self._outcome(method, url, body)
        if isinstance(outcome, HttpFailure):
            raise outcome.with_traceback(None)
        return outcome

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def _outcome(self, method: str, url: httpx.URL, body: bytes | None) -> object:
        """Return the answer, or what failed: raised outside, it does not drag the request along."""
        try:
            return self._answer(method, url, body)
        except HttpFailure as failure:
            return failure
        except httpx.TimeoutException:
            return HttpFailure("time_limit", "did not answer in time", again=True)
        except (httpx.NetworkError, httpx.RemoteProtocolError):
            return HttpFailure("unreachable", "could not be reached, or hung up", again=True)
        except httpx.HTTPError as error:
            return HttpFailure("unreachable", f"could not be asked ({type(error).__name__})")

    def _answer(self, method: str, url: httpx.URL, body: bytes | None) -> object:
        until = monotonic() + self._timeout
        for _ in range(_REDIRECTS + 1):
            with self._client.stream(method, url, content=body) as response:
                if response.status_code not in _SAME_METHOD or response.next_request is None:
                    return _value(response, until)
                url = response.next_request.url
            if origin(url) != origin(self.url):
                raise HttpFailure(
                    "redirect", "redirects to another origin, which is not followed", response.status_code
                )
        raise HttpFailure("redirect", f"redirects more than {_REDIRECTS} times", response.status_code)


def origin(url: httpx.URL) -> tuple[str, str, int | None]:
    """Return scheme, host and port; a default port is `None`, written or not."""
    return url.scheme, url.host, url.port


def _value(response: httpx.Response, until: float) -> object:
    status = response.status_code
    if status != HTTPStatus.OK:
        raise HttpFailure(
            f"status_{status}",
            f"answered with status {_named(status)}",
            status,
            again=status in _AGAIN,
            pause=_pause(response),
        )
    if response.headers.get("content-type", "").partition(";")[0].strip().lower() != _JSON:
        raise HttpFailure("bad_answer", f"answered with a content type other than {_JSON}", status)
    if response.headers.get("content-encoding", "identity") != "identity":
        raise HttpFailure("bad_answer", "answered with a content encoding, which was not asked for", status)
    try:
        return parse(_content(response, until))
    except Fault:
        pass
    raise HttpFailure("bad_answer", "answered with what is no strict JSON", status)


def _content(response: httpx.Response, until: float) -> bytes:
    content = bytearray()
    for chunk in response.iter_raw():
        content += chunk
        if len(content) > MAX_RESPONSE:
            raise HttpFailure(
                "too_large", f"answered with more than {MAX_RESPONSE:,} bytes", response.status_code
            )
        if monotonic() > until:
            raise HttpFailure("time_limit", "did not answer in time", response.status_code, again=True)
    return bytes(content)


def _named(status: int) -> str:
    """Return the status with its standard phrase: the one that was sent may hold anything."""
    try:
        return f"{status} ({HTTPStatus(status).phrase})"
    except ValueError:
        return str(status)


def _pause(response: httpx.Response) -> float | None:
    wanted = response.headers.get("retry-after", "")
    return float(wanted) if wanted.isascii() and wanted.isdigit() else None
