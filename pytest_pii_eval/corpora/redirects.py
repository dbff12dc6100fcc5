"""Which address a redirect may lead to; decided from texts alone, nothing is opened."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import SplitResult, urljoin, urlsplit

from pytest_pii_eval.contracts.faults import Fault

if TYPE_CHECKING:
    from pytest_pii_eval.contracts.corpora_file import Source

HTTPS_PORT: Final = 443

_PRINTABLE: Final = re.compile(r"[!-~]+")
_HOST: Final = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?")


def next_address(source: Source, current: str, location: str | None) -> str:
    """Return the address that a redirect from `current` leads to.

    It must be https, and either of the pinned address's own origin (host and port) or at the default port of
    a host that the pin names. Raises `Fault` with the rule and at most the host: an address can hold a token.
    """
    if location is None or not _PRINTABLE.fullmatch(location):
        raise Fault(f"{host_of(current)} redirects without a usable address")
    try:
        address = urljoin(current, location)
        parts, port = _split(address)
    except ValueError:  # its text quotes the address
        raise Fault(f"{host_of(current)} redirects to an address that cannot be read") from None
    if parts.scheme != "https":
        raise Fault(f"{host_of(current)} redirects to an address that is not https")
    if parts.username is not None or parts.password is not None:
        raise Fault(f"{host_of(current)} redirects to an address with credentials in it")
    host = parts.hostname or ""
    if (host, port) != _origin(pinned_address(source)):
        _check_foreign(source, host, port)
    return address.partition("#")[0]


def pinned_address(source: Source) -> str:
    """Return the address that is pinned; raises `Fault` where there is none, or it cannot be read."""
    if source.url is None:
        raise Fault("is a local file; there is nothing to download")
    try:
        parts, _ = _split(source.url)
    except ValueError:
        raise Fault("the pinned address cannot be read", field="source.url") from None
    if parts.scheme != "https" or not parts.hostname or not _PRINTABLE.fullmatch(source.url):
        raise Fault("the pinned address is no https address in plain ASCII", field="source.url")
    return source.url


def host_of(address: str) -> str:
    """Return the host of `address` where it looks like one, for a message."""
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        host = ""
    return _shown(host)


def _split(address: str) -> tuple[SplitResult, int]:
    parts = urlsplit(address)
    return parts, HTTPS_PORT if parts.port is None else parts.port


def _origin(address: str) -> tuple[str, int]:
    parts, port = _split(address)
    return parts.hostname or "", port


def _check_foreign(source: Source, host: str, port: int) -> None:
    if not any(_fits(host, allowed) for allowed in source.redirects):
        raise Fault(
            f"redirects to {_shown(host)}, a host that the pin does not name;"
            " if it serves this corpus, add it to source.redirects"
        )
    if port != HTTPS_PORT:
        raise Fault(f"redirects to port {port} of {_shown(host)}; only port {HTTPS_PORT} is followed there")


def _fits(host: str, allowed: str) -> bool:
    return host.endswith(allowed[1:]) if allowed.startswith("*.") else host == allowed


def _shown(host: str) -> str:
    return host if _HOST.fullmatch(host) else "a host"
