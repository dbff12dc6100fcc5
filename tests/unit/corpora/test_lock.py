"""Locks: byte count and SHA-256 of a file of the user's own, and the entry that is made of them."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from pytest_pii_eval.contracts.corpora_file import read_corpora
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.lock import Lock, entry_lines, lock, pin_lines, relative_to

# Of the three bytes "abc", as FIPS 180 has it.
ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_a_file_is_locked(tmp_path) -> None:
    """The lock is what a pin says: bytes and hash."""
    (tmp_path / "abc.txt").write_bytes(b"abc")
    assert lock(tmp_path / "abc.txt") == Lock(3, f"sha256:{ABC}")
    assert pin_lines(Lock(3, f"sha256:{ABC}")) == ["bytes: 3", f"sha256: {ABC}"]


def test_a_file_of_several_blocks_is_locked(tmp_path) -> None:
    """Reading in blocks changes nothing."""
    payload = bytes(range(256)) * 10_000
    (tmp_path / "x").write_bytes(payload)
    assert lock(tmp_path / "x") == Lock(2_560_000, f"sha256:{hashlib.sha256(payload).hexdigest()}")


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        ("link", "is a symlink"),
        ("folder", "is not a regular file"),
        ("gone", "not exist"),
        ("empty", "is empty"),
    ],
)
def test_what_cannot_be_locked(tmp_path, kind, rule) -> None:
    """Symlinks, folders, nothing and empty files are refused."""
    path = tmp_path / "x"
    if kind == "link":
        path.symlink_to(tmp_path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "empty":
        path.touch()
    with pytest.raises(Fault, match=rule):
        lock(path)


@pytest.mark.parametrize("path", ["export.jsonl", 'a b/it\'s "mine" #1.jsonl', "größe, {x}.jsonl"])
def test_an_entry_is_a_corpora_file_without_its_head(tmp_path, path) -> None:
    """Under `version` and `corpora` the printed entry is read, whatever the file is called."""
    lines = entry_lines(Lock(3, f"sha256:{ABC}"), key="mine", adapter="spans", path=path)
    corpora = tmp_path / "corpora.yaml"
    text = "\n".join(["version: pii_eval.corpora.v1", "corpora:", *lines, ""])
    corpora.write_text(text, encoding="utf-8")
    pin = read_corpora(corpora).pins["mine"]
    assert (pin.source.path, pin.source.url, pin.size, pin.sha256) == (path, None, 3, f"sha256:{ABC}")
    assert (pin.adapter, pin.licence, pin.label_strength) == ("spans", "fill in", "structured_weak")


def test_a_path_beside_the_corpora_file() -> None:
    """A file in or below the folder is named with forward slashes."""
    assert relative_to(Path("/a"), Path("/a/b/c.txt")) == "b/c.txt"


@pytest.mark.parametrize("path", ["/b/c.txt", "/a", "/a/b:c.txt", "/a/b\\c.txt"])
def test_a_path_that_no_corpora_file_names(path) -> None:
    """A file elsewhere, or with a name that a corpora file refuses, is told."""
    with pytest.raises(Fault):
        relative_to(Path("/a"), Path(path))
