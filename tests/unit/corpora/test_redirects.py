"""Redirects as texts: which address one may lead to, and what a refusal tells of it."""

from __future__ import annotations

import pytest

from pytest_pii_eval.contracts.corpora_file import Source
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.redirects import host_of, next_address

SOURCE = Source("https://hub.example:8443/a/b.jsonl", None, None, ("cdn.example", "*.store.example"))


@pytest.mark.parametrize(
    ("location", "address"),
    [
        ("c.jsonl", "https://hub.example:8443/a/c.jsonl"),
        ("/c?x=1#y", "https://hub.example:8443/c?x=1"),
        ("https:///c", "https://hub.example:8443/c"),
        ("//cdn.example/c", "https://cdn.example/c"),
        ("https://HUB.example:8443/c", "https://HUB.example:8443/c"),
        ("https://cdn.example/c", "https://cdn.example/c"),
        ("https://CDN.example:443/c", "https://CDN.example:443/c"),
        ("https://eu.store.example/c", "https://eu.store.example/c"),
        ("https://a.eu.store.example/c", "https://a.eu.store.example/c"),
    ],
)
def test_followed(location, address) -> None:
    """The own origin on any port, and named hosts on the default port."""
    assert next_address(SOURCE, SOURCE.url, location) == address


@pytest.mark.parametrize(
    ("location", "rule"),
    [
        ("http://hub.example:8443/c", "hub.example redirects to an address that is not https"),
        ("ftp://cdn.example/c", "hub.example redirects to an address that is not https"),
        ("https://hub.example/c", "redirects to hub.example, a host"),
        ("https://store.example/c", "redirects to store.example, a host"),
        ("https://evilstore.example/c", "redirects to evilstore.example, a host"),
        ("https://cdn.example.evil.example/c", "redirects to cdn.example.evil.example, a host"),
        ("https://cdn.example./c", "redirects to a host, a host"),
        ("https://cdn.example:8443/c", "redirects to port 8443 of cdn.example"),
        ("https://x@cdn.example/c", "credentials in it"),
        ("https://@cdn.example/c", "credentials in it"),
        ("https://[::1/c", "cannot be read"),
        ("https://cdn.example:70000/c", "cannot be read"),
        ("https://cdn.example/ c", "without a usable address"),
        ("https://cdn.éxample/c", "without a usable address"),
        ("", "without a usable address"),
        (None, "without a usable address"),
    ],
)
def test_refused(location, rule) -> None:
    """Everything else, in one line that tells no more than a host."""
    with pytest.raises(Fault) as caught:
        next_address(SOURCE, SOURCE.url, location)
    assert rule in str(caught.value)
    assert "/c" not in str(caught.value)


def test_the_pinned_origin_is_the_own_one_everywhere() -> None:
    """A named host does not become an origin of its own: its other ports stay closed."""
    with pytest.raises(Fault, match="port 444"):
        next_address(SOURCE, "https://cdn.example/c", "https://cdn.example:444/d")
    assert next_address(SOURCE, "https://cdn.example/c", "https://hub.example:8443/d").endswith(":8443/d")


@pytest.mark.parametrize(
    ("address", "host"),
    [("https://A.example:1/x", "a.example"), ("https://a_b/x", "a host"), ("https://[x/", "a host")],
)
def test_a_host_in_a_message(address, host) -> None:
    """Only what looks like a host is told."""
    assert host_of(address) == host
