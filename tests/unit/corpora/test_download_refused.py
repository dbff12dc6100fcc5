"""Answers that are not the pinned file: refused in one line without text, and nothing is left behind."""

from __future__ import annotations

import gzip

import pytest
from downloading import EMPTY, pin_at, refused
from loopback import BODY, CANARY, Reply, pin_of, serving, tree

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora import redirects
from pytest_pii_eval.corpora.cache import Cache
from pytest_pii_eval.corpora.download import download


@pytest.fixture
def served(tmp_path, monkeypatch):
    """A server of this process's trust."""
    with serving(tmp_path, monkeypatch) as server:
        yield server


@pytest.fixture
def cache(tmp_path):
    """A cache that is not there yet."""
    return Cache(tmp_path / "cache")


REFUSED = {
    "wrong byte": (Reply(body=BODY[:-1] + b"X"), "another sha256 than the pin"),
    "short": (Reply(body=BODY[:-1]), "announces 149,999 bytes where 150,000 must come"),
    "long": (Reply(body=BODY + b"X"), "announces 150,001 bytes where 150,000 must come"),
    "short chunks": (Reply(body=BODY[:-1], chunked=True), "brought 149,999 bytes, and not all"),
    "long chunks": (Reply(body=BODY + b"X", chunked=True), "more than 150,000 bytes come"),
    "cut": (Reply(cut=70_000), "the connection ended early; 4 connections brought 70,000 bytes"),
    "cut chunks": (Reply(cut=70_000, chunked=True), "the connection failed (IncompleteRead); 4 connections"),
    "cut without a length": (Reply(cut=70_000, length=None), "brought 70,000 bytes, and not all"),
    "long without a length": (Reply(body=BODY + b"X", length=None), "more than 150,000 bytes come"),
    "gzip": (Reply(headers={"Content-Encoding": "gzip"}, body=gzip.compress(BODY)), "sends the file encoded"),
    "gzip that lies": (Reply(body=gzip.compress(BODY), chunked=True), "and not all"),
    "br": (Reply(headers={"Content-Encoding": "br"}), "sends the file encoded"),
    "transfer gzip": (Reply(headers={"Transfer-Encoding": "gzip"}), "transfer encoding other than chunked"),
    "a list of lengths": (Reply(headers={"content-length": "150000, 5"}, length=None), "no readable number"),
    "two lengths that differ": (Reply(headers={"content-length": "5"}), "no readable number"),
    "404": (Reply(404), "answers with status 404"),
    "500": (Reply(500), "answers with status 500"),
    "204": (Reply(204, body=b"", length=None), "answers with status 204"),
    "304": (Reply(304, body=b"", length=None), "answers with status 304"),
    "206 unasked": (Reply(206, {"Content-Range": "bytes 0-149999/150000"}), "answers with status 206"),
    "416 unasked": (Reply(416), "answers with status 416"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_answer_leaves_nothing(served, cache, capfd, case) -> None:
    """Whatever is not the pinned file is refused in one line without text, and leaves nothing behind."""
    reply, words = REFUSED[case]
    served.script = [reply]
    assert words in refused(pin_at(served), cache)
    assert tree(cache.root) == EMPTY
    assert capfd.readouterr() == ("", "")


def test_bytes_beyond_the_pin_are_not_stored(served, cache) -> None:
    """An endless body is cut off at the first byte too many."""
    served.script = [Reply(body=BODY * 40, chunked=True)]
    most = []
    with pytest.raises(Fault):
        download(pin_at(served), cache, progress=lambda done, _: most.append(done))
    assert max(most) <= len(BODY)


def test_an_unknown_size_has_a_limit_too(served, cache, monkeypatch) -> None:
    """Where the pin has no byte count, bytes are taken up to a limit."""
    monkeypatch.setattr("pytest_pii_eval.corpora.download.LARGEST", 149_999)
    served.script = [Reply(chunked=True)]
    assert "more than 149,999 bytes come" in refused(pin_at(served, bytes="unverified"), cache)
    assert tree(cache.root) == EMPTY


LOCATIONS = {
    "http": ("http://127.0.0.1:{port}/{canary}?token={canary}", "not https"),
    "file": ("file:///{canary}", "not https"),
    "other host": ("https://{canary}.example/x?token={canary}", "a host that the pin does not name"),
    "other port": ("https://127.0.0.1:1/{canary}", "a host that the pin does not name"),
    "default port of its host": ("https://127.0.0.1/{canary}", "a host that the pin does not name"),
    "credentials": ("https://{canary}:x@127.0.0.1:{port}/", "credentials in it"),
    "bad port": ("https://127.0.0.1:{canary}/", "cannot be read"),
    "control character": ("/a\x01{canary}", "without a usable address"),
    "loop": ("/{canary}?token={canary}", "redirects more than 5 times"),
}


@pytest.mark.parametrize("case", LOCATIONS)
def test_a_refused_redirect_leaves_nothing(served, cache, capfd, case) -> None:
    """Redirects off https, off the pin's hosts or without end are refused, and no address is told."""
    location, words = LOCATIONS[case]
    location = location.format(port=served.port, canary=CANARY.lower() if case == "other host" else CANARY)
    served.script = [Reply(302, {"Location": location}, b"moved")]
    with pytest.raises(Fault) as caught:
        download(pin_at(served), cache)
    message = str(caught.value)
    assert words in message
    assert "anary" not in message.replace(f"{CANARY.lower()}.example", "HOST")
    assert tree(cache.root) == EMPTY
    assert capfd.readouterr() == ("", "")


def test_a_redirect_without_an_address_is_refused(served, cache) -> None:
    """A redirect that names nothing is no way to the file."""
    served.script = [Reply(301, body=b"")]
    assert "without a usable address" in refused(pin_at(served), cache)


def test_redirects_of_the_own_origin_are_followed(served, cache) -> None:
    """Five redirects on the pinned host and port lead to the file; the cache names it as the pin does."""
    there = {"Location": "../next?signature=x#part"}
    served.script = [*(Reply(status, there, b"") for status in (301, 302, 303, 307, 308)), Reply()]
    path = download(pin_at(served), cache)
    assert path.name == "file.jsonl"
    assert served.paths[0].endswith("/file.jsonl")
    assert served.paths[1:] == ["/next?signature=x"] * 5


def test_a_named_host_is_followed(served, cache, tmp_path, monkeypatch) -> None:
    """A host that the pin names answers for the pinned one, at the default port only."""
    with serving(tmp_path, monkeypatch, host="localhost") as other:
        monkeypatch.setattr(redirects, "HTTPS_PORT", other.port)
        served.script = [Reply(302, {"Location": f"https://localhost:{other.port}/f"}, b"")]
        download(pin_at(served, redirects=["localhost"]), cache)
        assert other.paths == ["/f"]


def test_a_certificate_of_another_host_is_refused(cache, tmp_path, monkeypatch) -> None:
    """A server whose certificate is for another name is not asked for anything."""
    with serving(tmp_path, monkeypatch, host="other.example") as server:
        message = refused(pin_at(server), cache)
        assert "its certificate is not trusted" in message
        assert server.heard == []
    assert tree(cache.root) == EMPTY


def test_an_unknown_authority_is_refused(served, cache, tmp_path, monkeypatch) -> None:
    """A server whose certificate nobody vouches for is not asked for anything."""
    (tmp_path / "nobody.pem").write_bytes(b"")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "nobody.pem"))
    assert "its certificate is not trusted" in refused(pin_at(served), cache)
    assert served.heard == []


def test_a_host_that_falls_silent_is_given_up(served, cache, monkeypatch) -> None:
    """A connection on which nothing comes for too long ends, after three more of them the command."""
    monkeypatch.setattr("pytest_pii_eval.corpora.transport.SECONDS", 0.1)
    served.script = [Reply(cut=70_000, silent=True)]
    assert "127.0.0.1: no answer within 0.1 seconds" in refused(pin_at(served), cache)
    assert tree(cache.root) == EMPTY


def test_nobody_listens(served, cache) -> None:
    """A host that cannot be reached is one line."""
    pin = pin_of("https://127.0.0.1:1/file.jsonl")
    assert refused(pin, cache) == "127.0.0.1: the connection failed (ConnectionRefusedError)"
    assert tree(cache.root) == EMPTY


def test_a_proxy_of_the_environment_is_used(served, cache, monkeypatch) -> None:
    """Where a proxy is named, nobody else is connected to."""
    monkeypatch.setenv("https_proxy", "http://user:secret@127.0.0.1:1")
    with pytest.raises(Fault) as caught:
        download(pin_of(f"{served.origin}/f"), cache)
    assert str(caught.value) == "127.0.0.1: the connection failed (ConnectionRefusedError)"
    assert served.heard == []
