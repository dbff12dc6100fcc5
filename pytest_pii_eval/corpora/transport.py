"""Asking a pinned address for its bytes over https, and refusing answers that are no such bytes; no files."""

from __future__ import annotations

import re
import ssl
from contextlib import closing, contextmanager
from http.client import HTTPException, HTTPResponse
from importlib.metadata import version
from typing import TYPE_CHECKING, Final, NamedTuple, final
from urllib.error import URLError
from urllib.request import HTTPSHandler, OpenerDirector, ProxyHandler, Request

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.redirects import host_of, next_address, pinned_address

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.message import Message

    from pytest_pii_eval.contracts.corpora_file import Source

SECONDS: Final = 30
"""How long a connection, and each read from it, may take."""

MAX_REDIRECTS: Final = 5

_BLOCK: Final = 1 << 18
_WHOLE, _PART, _NOT_SATISFIABLE = 200, 206, 416
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_NUMBER: Final = re.compile(r"[0-9]{1,18}")
_RANGE: Final = re.compile(r"bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18})")
# A weak one (`W/"..."`) does not promise equal bytes.
_STRONG_ETAG: Final = re.compile(r'"[!#-~]{1,254}"')


class Interrupted(Exception):
    """The connection could not be made or broke; its text is the host and what happened."""


class Wanted(NamedTuple):
    """What is asked for: a file of `size` bytes (None: nobody knows), from the byte `start` on.

    `etag` is what its host called the file when the bytes before `start` came.
    """

    source: Source
    size: int | None
    start: int = 0
    etag: str | None = None


@final
class Answer:
    """The bytes of a file from `start` on: from the one asked for, or from 0 where only the whole is served.

    `end` is the size of the whole file as announced, None where it was not.
    """

    def __init__(self, response: HTTPResponse, host: str, *, start: int, end: int | None) -> None:
        self._response = response
        self._host = host
        self.start = start
        self.end = end
        etag = response.headers.get("ETag")
        self.etag = etag if is_strong(etag) else None

    def blocks(self) -> Iterator[bytes]:
        """Yield the bytes as they come; raises `Interrupted`. A body cut short may just end."""
        while block := self._read():
            yield block

    def _read(self) -> bytes:
        try:
            return self._response.read1(_BLOCK)
        except (OSError, HTTPException) as error:
            raise Interrupted(f"{self._host}: {_what(error)}") from None


@contextmanager
def ask(wanted: Wanted) -> Iterator[Answer]:
    """Ask for a file; the connection is closed behind the block.

    Certificate and host name are checked against the authorities of the system, or of `SSL_CERT_FILE`.
    Proxies of the environment are used. No cookie and no credential is sent. Raises `Fault` for an answer
    that is refused and `Interrupted` where there is none; neither tells more of an address than its host.
    """
    response, host = _followed(wanted)
    with closing(response):
        if wanted.start and _must_begin_anew(response, wanted):
            response.close()
            with ask(wanted._replace(start=0)) as answer:
                yield answer
            return
        yield _checked(response, host, wanted)


def _followed(wanted: Wanted) -> tuple[HTTPResponse, str]:
    opener, address = _opener(), pinned_address(wanted.source)
    for _ in range(MAX_REDIRECTS + 1):
        response = _opened(opener, address, wanted)
        if response.status not in _REDIRECTS:
            return response, host_of(address)
        location = response.headers.get("Location")
        response.close()
        address = next_address(wanted.source, address, location)
    raise Fault(f"redirects more than {MAX_REDIRECTS} times")


def _opener() -> OpenerDirector:
    """Return an opener that knows https and proxies; without more handlers it follows no redirect."""
    opener = OpenerDirector()
    opener.add_handler(ProxyHandler())
    opener.add_handler(HTTPSHandler(context=ssl.create_default_context()))
    return opener


def _opened(opener: OpenerDirector, address: str, wanted: Wanted) -> HTTPResponse:
    try:
        response = opener.open(Request(address, headers=_headers(wanted)), timeout=SECONDS)  # noqa: S310  # https alone has a handler
    except (OSError, HTTPException) as error:
        raise Interrupted(f"{host_of(address)}: {_what(error)}") from None
    except ValueError:  # a host name or an escape that cannot be sent; the text quotes it
        raise Fault(f"the address at {host_of(address)} cannot be asked for") from None
    if not isinstance(response, HTTPResponse):
        raise Fault(f"the address at {host_of(address)} cannot be asked for")
    return response


def _headers(wanted: Wanted) -> dict[str, str]:
    headers = {"User-Agent": f"pytest-pii-eval/{version('pytest-pii-eval')}", "Accept-Encoding": "identity"}
    if wanted.start:
        headers["Range"] = f"bytes={wanted.start}-"
        if wanted.etag is not None:
            headers["If-Range"] = wanted.etag
    return headers


def _must_begin_anew(response: HTTPResponse, wanted: Wanted) -> bool:
    """Whether an answer to a request for a part is no such part, and not the whole file either."""
    if response.status == _PART:
        return _part(response.headers, wanted) is None
    return response.status == _NOT_SATISFIABLE


def _part(headers: Message, wanted: Wanted) -> int | None:
    """Return the size of the whole file where the part is all from the byte asked for on, else None."""
    found = _RANGE.fullmatch(headers.get("Content-Range", ""))
    if found is None:
        return None
    start, last, total = map(int, found.groups())
    fits = start == wanted.start and last == total - 1 and wanted.size in (None, total)
    return total if fits else None


def _checked(response: HTTPResponse, host: str, wanted: Wanted) -> Answer:
    status, headers = response.status, response.headers
    if status != _WHOLE and not (status == _PART and wanted.start):
        raise Fault(f"{host} answers with status {status}, not with the file")
    if headers.get("Content-Encoding", "identity").lower() != "identity":
        raise Fault(f"{host} sends the file encoded, though the plain bytes were asked for")
    if headers.get("Transfer-Encoding", "chunked").lower() != "chunked":
        raise Fault(f"{host} sends the file in a transfer encoding other than chunked")
    start = wanted.start if status == _PART else 0
    length = _length(headers, host)
    end = _part(headers, wanted) if status == _PART else length
    expected = end if wanted.size is None else wanted.size
    if length is not None and expected is not None and start + length != expected:
        raise Fault(f"{host} announces {length:,} bytes where {expected - start:,} must come")
    return Answer(response, host, start=start, end=end)


def _length(headers: Message, host: str) -> int | None:
    """Return what is announced; chunks announce themselves, and beat a length beside them."""
    told = headers.get_all("Content-Length", [])
    if not told or "Transfer-Encoding" in headers:
        return None
    if len(set(told)) > 1 or not _NUMBER.fullmatch(told[0]):
        raise Fault(f"{host} announces no readable number of bytes")
    return int(told[0])


def is_strong(etag: object) -> bool:
    """Whether an ETag promises equal bytes, in a form that can be sent back."""
    return isinstance(etag, str) and _STRONG_ETAG.fullmatch(etag) is not None


def _what(error: BaseException) -> str:
    """Return what went wrong with a connection: kinds and codes, for its text may quote the address."""
    reason = error.reason if isinstance(error, URLError) else error
    if isinstance(reason, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted ({reason.verify_message or 'unknown reason'})"
    if isinstance(reason, TimeoutError):
        return f"no answer within {SECONDS} seconds"
    return f"the connection failed ({type(reason).__name__})"
