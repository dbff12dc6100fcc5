"""Downloading: what fits its pin is kept, everything else is refused and leaves nothing, without its text."""

from __future__ import annotations

import errno
import gzip
import json
import os
import resource
import stat
from dataclasses import replace

import pytest
from loopback import BODY, CANARY, HASH, Reply, pin_of, serving, tree

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora import redirects
from pytest_pii_eval.corpora.cache import Cache
from pytest_pii_eval.corpora.download import download

EMPTY = {".demo.lock": b"", ".gitignore": b"# Written by pytest-pii-eval.\n*\n", "artifacts": None}
PLACE = f"artifacts/demo/{HASH[:16]}"


@pytest.fixture
def served(tmp_path, monkeypatch):
    """A server of this process's trust."""
    with serving(tmp_path, monkeypatch) as server:
        yield server


@pytest.fixture
def cache(tmp_path):
    """A cache that is not there yet."""
    return Cache(tmp_path / "cache")


def pin_at(server, **changed):
    """Return a pin whose address holds canary text."""
    return pin_of(f"{server.origin}/{CANARY}/file.jsonl", **changed)


def refused(pin, cache):
    """Return the one-line message with which a download is refused; it has no canary text."""
    with pytest.raises(Fault) as caught:
        download(pin, cache)
    message = str(caught.value)
    assert "\n" not in message
    assert "anary" not in message
    assert caught.value.__cause__ is None
    return message


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("size", [str(len(BODY)), "unverified"])
def test_the_pinned_bytes_are_kept(served, cache, size, chunked) -> None:
    """What verifies lies in a private directory with a marker and an aggregate receipt, nothing around it."""
    served.script = [Reply(chunked=chunked)]
    pin = pin_at(served, bytes=size)
    path = download(pin, cache)
    assert path == cache.root / PLACE / "file.jsonl"
    found = tree(cache.root)
    assert found.keys() == {
        *EMPTY,
        "artifacts/demo",
        PLACE,
        f"{PLACE}/COMMITTED",
        f"{PLACE}/file.jsonl",
        f"{PLACE}/receipt.json",
    }
    assert found[f"{PLACE}/file.jsonl"] == BODY
    assert json.loads(found[f"{PLACE}/receipt.json"]) == {
        "schema_version": "pii_eval.corpus_artifact.v1",
        "key": "demo",
        "pin": pin.fingerprint,
        "bytes": 150_000,
        "sha256": f"sha256:{HASH}",
        "resumed": False,
    }


def test_everything_is_private(served, cache) -> None:
    """Files have mode 0600 and folders 0700, whatever the umask."""
    before = os.umask(0)
    try:
        path = download(pin_at(served), cache)
    finally:
        os.umask(before)
    assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}
    assert [
        stat.S_IMODE(folder.stat().st_mode) for folder in (path.parent, path.parent.parent, cache.root)
    ] == [0o700] * 3


def test_what_is_asked_for(served, cache) -> None:
    """One request for the plain bytes, with no cookie, credential or part."""
    download(pin_at(served), cache)
    (heard,) = served.heard
    assert heard.keys() == {"Host", "User-Agent", "Accept-Encoding", "Connection"}
    assert heard["Accept-Encoding"] == "identity"
    assert heard["User-Agent"].startswith("pytest-pii-eval/")


def test_what_is_there_is_not_fetched_again(served, cache) -> None:
    """A second download hashes the file that is there, and asks nobody."""
    heard = []
    first = download(pin_at(served), cache)
    assert download(pin_at(served), cache, progress=lambda *told: heard.append(told)) == first
    assert len(served.heard) == 1
    assert heard == []


@pytest.mark.parametrize("damage", ["byte", "cut", "link", "gone"])
def test_an_artifact_that_changed_is_refused(served, cache, tmp_path, damage) -> None:
    """A committed artifact that does not verify is named by its folder; it is left as it is."""
    path = download(pin_at(served), cache)
    if damage == "byte":
        path.write_bytes(b"X" + BODY[1:])
    elif damage == "cut":
        path.write_bytes(BODY[:-1])
    else:
        path.rename(tmp_path / "elsewhere")
        if damage == "link":
            path.symlink_to(tmp_path / "elsewhere")
    before = tree(cache.root)
    assert refused(pin_at(served), cache).endswith("; remove artifacts/demo in the cache, and download again")
    assert tree(cache.root) == before
    assert len(served.heard) == 1


def test_a_folder_without_the_marker_is_refused(served, cache) -> None:
    """What stands where the artifact belongs, and is no whole private directory, is not overwritten."""
    (cache.root / PLACE).mkdir(parents=True)
    assert "is no whole download" in refused(pin_at(served), cache)
    assert served.heard == []


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
    """A read that takes too long ends the connection; after three more of them the command."""
    monkeypatch.setattr("pytest_pii_eval.corpora.transport.SECONDS", 0.05)
    served.script = [Reply(cut=70_000, silent=True)]
    message = refused(pin_at(served), cache)
    assert message.startswith("127.0.0.1: no answer within 0.05 seconds; 4 connections brought 70,000 bytes")
    assert tree(cache.root) == EMPTY


def test_nobody_listens(served, cache) -> None:
    """A host that cannot be reached is one line."""
    pin = pin_of("https://127.0.0.1:1/file.jsonl")
    assert refused(pin, cache) == "127.0.0.1: the connection failed (ConnectionRefusedError)"
    assert tree(cache.root) == EMPTY


@pytest.mark.parametrize("url", ["https://127.0.0.1:99999/x", "https://[/x", "https://münchen.example/x"])
def test_an_address_that_cannot_be_read_is_refused(cache, url) -> None:
    """A pinned address that is none is told before anything is opened."""
    assert "pinned address" in refused(pin_of(url), cache)


@pytest.mark.parametrize("name", ["", "..", "receipt.json", "COMMITTED"])
def test_an_address_without_a_file_name_is_refused(cache, name) -> None:
    """The artifact is called like the last part of its address, which must not be taken."""
    assert "can be no file name" in refused(pin_of(f"https://127.0.0.1:1/{name}"), cache)
    assert not cache.root.exists()


def test_a_pin_without_a_hash_is_refused(served, cache) -> None:
    """Where nothing tells right bytes from wrong ones, nothing is asked for and nothing is made."""
    assert "has no sha256" in refused(pin_at(served, sha256="unverified"), cache)
    assert served.heard == []
    assert not cache.root.exists()


def test_a_local_source_is_no_download(cache) -> None:
    """A pin of a local file says where the file is expected."""
    pin = pin_of("https://127.0.0.1:1/x", source={"kind": "local", "path": "mine/export.jsonl"})
    assert "mine/export.jsonl" in refused(pin, cache)
    assert not cache.root.exists()


@pytest.mark.parametrize("linked", ["cache", "cache/artifacts", "cache/artifacts/demo", f"cache/{PLACE}"])
def test_a_cache_behind_a_symlink_is_refused(served, cache, tmp_path, linked) -> None:
    """No part of the way to an artifact may be a symlink; behind it nothing changes."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    link = tmp_path / linked
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(elsewhere)
    assert "reached through a symlink" in refused(pin_at(served), cache)
    assert list(elsewhere.iterdir()) == []
    assert served.heard == []


def test_a_linked_lock_is_refused(served, cache, tmp_path) -> None:
    """The lock file is never opened through a symlink."""
    cache.root.mkdir()
    (cache.root / ".demo.lock").symlink_to(tmp_path / "elsewhere")
    assert "ELOOP" in refused(pin_at(served), cache)
    assert not (tmp_path / "elsewhere").exists()


def test_a_second_download_waits_for_nobody(served, cache) -> None:
    """While one command downloads a corpus, another is refused, and the first one ends well."""
    messages = []

    def second(*_):
        if not messages:
            messages.append(refused(pin_at(served), cache))

    download(pin_at(served), cache, progress=second)
    assert messages == ["another command works on the corpus demo; wait for it"]
    assert len(served.heard) == 1


@pytest.mark.parametrize("step", [1, 1_000_000])
def test_a_full_disk_leaves_nothing(served, cache, monkeypatch, step) -> None:
    """A disk that is full after some blocks is one line, and what was written is gone."""
    monkeypatch.setattr("pytest_pii_eval.corpora.partial.JOURNAL_STEP", step)
    written = []
    real = os.write

    def full(descriptor, block):
        written.append(len(block))
        if sum(written) > 50_000:
            raise OSError(errno.ENOSPC, CANARY)
        return real(descriptor, block)

    monkeypatch.setattr("pytest_pii_eval.corpora.partial.os.write", full)
    assert refused(pin_at(served), cache) == "the cache cannot be written (ENOSPC)"
    assert tree(cache.root) == EMPTY


def test_a_file_size_limit_leaves_nothing(served, cache) -> None:
    """A limit of the system on the size of files is one line, and what was written is gone."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, limits[1]))
    try:
        assert refused(pin_at(served), cache) == "the cache cannot be written (EFBIG)"
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert tree(cache.root) == EMPTY


def test_a_disk_that_is_full_at_the_end_leaves_nothing(served, cache, monkeypatch) -> None:
    """Where the receipt cannot be written any more, the download is gone too."""

    def full(*_):
        raise OSError(errno.ENOSPC, CANARY)

    monkeypatch.setattr("pytest_pii_eval.private.PrivateDirectory.write", full)
    assert refused(pin_at(served), cache) == "the cache cannot be written (ENOSPC)"
    assert tree(cache.root) == EMPTY


def test_a_pin_of_another_size_is_another_artifact(served, cache) -> None:
    """Bytes whose hash fits are still refused where the pin's count does not."""
    pin = replace(pin_at(served), size=None)
    download(pin, cache)
    assert "holds 150,000 bytes; the pin names 5" in refused(replace(pin, size=5), cache)
