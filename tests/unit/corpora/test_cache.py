"""The cache: where things lie, who may enter, and that git, links and strangers stay out."""

from __future__ import annotations

import fcntl
import os
import stat

import pytest
from corpus_files import ARTIFACT_HASH, CANARY, pin_of, recipe_of

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.cache import Cache, is_committed


@pytest.fixture
def cache(tmp_path) -> Cache:
    """A cache that is not there yet."""
    return Cache(tmp_path / "cache")


def locked(cache: Cache, key: str = "demo") -> None:
    with cache.locked(pin_of(key)):
        pass


def test_where_things_lie(cache) -> None:
    """Artifacts lie by key and hash, suites by key and recipe; asking creates nothing."""
    short = ARTIFACT_HASH[:16]
    pin, recipe = pin_of(), recipe_of()
    assert cache.artifact_folder(pin) == cache.root / "artifacts/demo" / short
    assert cache.artifact(pin) == cache.root / "artifacts/demo" / short / "artifact.bin"
    assert cache.prepared(recipe) == cache.root / "prepared/demo" / recipe.fingerprint[7:23]
    assert not cache.root.exists()


def test_a_pin_without_a_hash_has_no_place(cache) -> None:
    """The fault says which command finds the hash."""
    with pytest.raises(Fault) as caught:
        cache.artifact(pin_of(sha256="unverified"))
    assert str(caught.value).startswith("corpora.demo.sha256: the pin of demo has no sha256, ")
    assert "'pii-eval corpus lock FILE'" in str(caught.value)


def test_a_lock_keeps_others_off_its_corpus(cache) -> None:
    """Another corpus is free meanwhile; afterwards so is this one."""
    with cache.locked(pin_of()):
        locked(cache, "other")
        with pytest.raises(Fault, match=r"^another command works on the corpus demo; wait for it$"):
            locked(cache)
    locked(cache)


def test_what_blocks_inside_is_no_other_command(cache) -> None:
    """An error of the work under the lock comes out as it is."""
    with pytest.raises(BlockingIOError), cache.locked(pin_of()):
        raise BlockingIOError
    locked(cache)


def test_a_lock_ends_with_its_holder(cache) -> None:
    """A file that lies there locks nothing: the kernel does, as long as somebody holds it."""
    locked(cache)
    path = cache.root / ".demo.lock"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with path.open() as holder:
        fcntl.flock(holder, fcntl.LOCK_EX)
        with pytest.raises(Fault, match="another command"):
            locked(cache)
    locked(cache)


def test_a_lock_is_no_link(cache, tmp_path) -> None:
    """A symlink in the lock's place is not followed."""
    locked(cache)
    (cache.root / ".demo.lock").unlink()
    (cache.root / ".demo.lock").symlink_to(tmp_path / "aim")
    with pytest.raises(OSError, match="symbolic links"):
        locked(cache)
    assert not (tmp_path / "aim").exists()


def test_the_cache_ignores_itself(cache) -> None:
    """A new cache is its owner's alone and out of git's sight."""
    before = os.umask(0o000)
    try:
        locked(cache)
    finally:
        os.umask(before)
    assert stat.S_IMODE(cache.root.stat().st_mode) == 0o700
    assert "*" in (cache.root / ".gitignore").read_text().splitlines()


def test_a_cache_that_git_would_see_is_refused(cache) -> None:
    """A file for git that was there before stays as it is, and must keep everything from git."""
    cache.root.mkdir()
    ignore = cache.root / ".gitignore"
    for text in ("", "*.tmp\n", "# *\n"):
        ignore.write_text(text)
        with pytest.raises(Fault, match=r"^the cache has a \.gitignore that keeps not all of it from git;"):
            locked(cache)
        assert ignore.read_text() == text
    ignore.write_text("*.tmp\n*\n")
    locked(cache)


@pytest.mark.parametrize("linked", ["cache", "above"])
def test_a_cache_behind_a_link_is_refused(tmp_path, linked) -> None:
    """Neither the cache nor a folder above it may be a symlink; its place is not told."""
    (tmp_path / CANARY).mkdir()
    (tmp_path / "link").symlink_to(tmp_path / CANARY)
    root = tmp_path / "link" if linked == "cache" else tmp_path / "link/cache"
    with pytest.raises(Fault) as caught:
        locked(Cache(root))
    assert str(caught.value) == "the cache is reached through a symlink; name the real folder with --cache"
    assert list((tmp_path / CANARY).iterdir()) == []


@pytest.mark.parametrize("place", ["prepared", "prepared/demo"])
def test_a_link_inside_the_cache_is_refused(cache, tmp_path, place) -> None:
    """No suite is written to where a link leads."""
    locked(cache)
    (tmp_path / "aim/demo").mkdir(parents=True)
    link = cache.root / place
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(tmp_path / "aim")
    with pytest.raises(Fault, match="symlink"):
        cache.make_place(cache.prepared(recipe_of()))
    assert [path.name for path in (tmp_path / "aim").rglob("*")] == ["demo"]


def test_a_cache_that_is_a_file_is_refused(tmp_path) -> None:
    """It stays as it is."""
    (tmp_path / "cache").write_text("mine")
    with pytest.raises(Fault, match=r"^the cache is no folder; name another with --cache$"):
        locked(Cache(tmp_path / "cache"))
    assert (tmp_path / "cache").read_text() == "mine"


def test_what_dead_commands_left_is_removed(cache, tmp_path) -> None:
    """Half-done folders of this corpus go, whatever recipe they were of; files, links and others stay."""
    target = cache.prepared(recipe_of())
    cache.make_place(target)
    (tmp_path / "aim").mkdir()
    for name in (f".{target.name}.0a.partial", ".0123456789abcdef.0b.partial"):
        (target.parent / name).mkdir()
        (target.parent / name / "quality-records.jsonl").write_text("half")
    (target.parent / ".link.0c.partial").symlink_to(tmp_path / "aim")
    (target.parent / ".file.0d.partial").write_text("x")
    (target.parent / "0123456789abcdef").mkdir()
    cache.make_place(target)
    left = sorted(path.name for path in target.parent.iterdir())
    assert left == [".file.0d.partial", ".link.0c.partial", "0123456789abcdef"]
    assert (tmp_path / "aim").is_dir()


def test_what_is_complete(tmp_path) -> None:
    """A folder with a marker is, one without, a link to one and a file are not."""
    (tmp_path / "a").mkdir()
    assert not is_committed(tmp_path / "a")
    (tmp_path / "a/COMMITTED").write_text("x")
    assert is_committed(tmp_path / "a")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    assert not is_committed(tmp_path / "link")
    assert not is_committed(tmp_path / "a/COMMITTED")
    assert not is_committed(tmp_path / "absent")


def test_a_cache_that_git_would_see_again_is_refused(cache) -> None:
    """A rule that takes back what the star ignores is refused, however it is written."""
    cache.root.mkdir()
    ignore = cache.root / ".gitignore"
    for payload in (b"*\n!prepared\n", b"!prepared\n*\n", b"*\r\n!/prepared/\r\n", b"\xef\xbb\xbf!x\n*\n"):
        ignore.write_bytes(payload)
        with pytest.raises(Fault, match=r"and no line that begins with !$"):
            locked(cache)
    for payload in (b"\n# !x\n\n*\n", b"*\r\n", b"x!\n*"):
        ignore.write_bytes(payload)
        locked(cache)
    ignore.write_bytes(b"a\x0b*\nb\r*\n")  # two patterns for git, none of which is the star
    with pytest.raises(Fault, match="keeps not all of it"):
        locked(cache)


def test_nothing_behind_a_link_is_cleared(cache, tmp_path) -> None:
    """What a link leads to stays, and so does the link."""
    target = cache.prepared(recipe_of())
    (tmp_path / "aim" / target.name).mkdir(parents=True)
    target.parent.parent.mkdir(parents=True)
    assert not cache.clear(recipe_of())
    target.parent.symlink_to(tmp_path / "aim")
    with pytest.raises(Fault, match="symlink"):
        cache.clear(recipe_of())
    assert (tmp_path / "aim" / target.name).is_dir()


def test_a_file_for_git_that_is_a_link_is_refused(cache, tmp_path) -> None:
    """Git follows none, and nothing is written through one."""
    cache.root.mkdir()
    (cache.root / ".gitignore").symlink_to(tmp_path / "aim")
    with pytest.raises(Fault, match=r"^the cache has a \.gitignore that is a symlink; "):
        locked(cache)
    assert not (tmp_path / "aim").exists()
    (tmp_path / "aim").write_text("*\n")
    with pytest.raises(Fault, match="symlink"):
        locked(cache)


@pytest.mark.parametrize("kind", ["here", "folder", "file"])
def test_a_cache_that_is_a_project_is_refused(cache, monkeypatch, kind) -> None:
    """Neither the working directory nor a folder of git becomes a cache; nothing is written to it."""
    cache.root.mkdir()
    (cache.root / ".gitignore").write_text("*\n")
    if kind == "here":
        monkeypatch.chdir(cache.root)
    elif kind == "folder":
        (cache.root / ".git").mkdir()
    else:
        (cache.root / ".git").write_text("gitdir: elsewhere\n")
    told = r"^the cache is the folder of a project; name one of its own with --cache$"
    with pytest.raises(Fault, match=told):
        locked(cache)
    assert not (cache.root / ".demo.lock").exists()
