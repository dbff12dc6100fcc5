"""Downloading: what fits its pin is kept, everything else is refused and leaves nothing, without its text."""

from __future__ import annotations

import errno
import json
import os
import resource
import stat
from dataclasses import replace

import pytest
from downloading import EMPTY, PLACE, pin_at, refused
from loopback import BODY, CANARY, HASH, Reply, pin_of, serving, tree

from pytest_pii_eval.contracts.corpora_file import Source
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


def pin_unread(url):
    """Return a pin for an address that a corpora file may have refused before."""
    return replace(pin_of("https://127.0.0.1:1/file.jsonl"), source=Source(url, None, None))


@pytest.mark.parametrize(
    "url", ["https://127.0.0.1:99999/x", "https://[/x", "https://münchen.example/x", "http://a/x"]
)
def test_an_address_that_cannot_be_read_is_refused(cache, url) -> None:
    """A pinned address that is none is told before anything is opened."""
    assert "pinned address" in refused(pin_unread(url), cache)


@pytest.mark.parametrize("name", ["", "..", "receipt.json", "COMMITTED"])
def test_an_address_without_a_file_name_is_refused(cache, name) -> None:
    """The artifact is called like the last part of its address, which must not be taken."""
    assert "can be no file name" in refused(pin_unread(f"https://127.0.0.1:1/{name}"), cache)
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
