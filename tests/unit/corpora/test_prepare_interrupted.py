"""Preparing that ends early, or meets somebody else: nothing is left of it, or a hidden folder."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from corpus_files import (
    SUITE,
    FakeAdapter,
    artifact_in,
    cache_in,
    left,
    prepared,
    recipe_of,
)

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.files import HashedFile
from pytest_pii_eval.corpora.prepare import prepare
from pytest_pii_eval.private import private_directory


def _raise(error: BaseException):
    def before(number: int, _: Path) -> None:
        if number == 4:
            raise error

    return FakeAdapter(before=before)


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt, SystemExit, OSError, MemoryError])
def test_whatever_an_adapter_raises_leaves_nothing(tmp_path, kind) -> None:
    """It comes out as it is, and the next prepare begins anew."""
    with pytest.raises(kind):
        prepared(tmp_path, _raise(kind()))
    assert left(tmp_path) == []
    assert prepared(tmp_path)[0].documents == 3


def test_a_full_disk_leaves_nothing(tmp_path, monkeypatch) -> None:
    """Where a write fails, that is what comes out, also if an interrupt came first."""
    flush = HashedFile.flush

    def full(self: HashedFile) -> None:
        flush(self)
        raise OSError(errno.ENOSPC, "no space")

    monkeypatch.setattr(HashedFile, "flush", full)
    with pytest.raises(OSError, match="no space"):
        prepared(tmp_path)
    assert left(tmp_path) == []
    with pytest.raises(KeyboardInterrupt):
        prepared(tmp_path, _raise(KeyboardInterrupt()))
    assert left(tmp_path) == []


@pytest.mark.parametrize("name", SUITE)
def test_a_file_that_cannot_be_opened_leaves_nothing(tmp_path, monkeypatch, name) -> None:
    """Whichever file it is, the ones before it are closed and gone."""
    opened = os.open

    def refusing(path, *given, **how):
        if Path(path).name == name and "partial" in str(path):
            raise OSError(errno.EDQUOT, "quota")
        return opened(path, *given, **how)

    monkeypatch.setattr(os, "open", refusing)
    with pytest.raises(OSError, match="quota"):
        prepared(tmp_path)
    assert left(tmp_path) == []


_CHILD = """
import sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from corpus_files import FakeAdapter, cache_in, recipe_of
from pytest_pii_eval.corpora.prepare import prepare

def wait(number, path):
    if number == 4:
        print("reading", flush=True)
        sys.stdin.read()

folder = Path({folder!r})
prepare(recipe_of(FakeAdapter(before=wait)), folder / "artifact.bin", cache_in(folder))
"""


def test_a_killed_prepare_leaves_a_hidden_folder_that_the_next_removes(tmp_path) -> None:
    """Alive, it keeps others off the corpus; dead, it keeps off nobody, and has left no suite."""
    artifact_in(tmp_path)
    code = _CHILD.format(tests=str(Path(__file__).parent), folder=str(tmp_path))
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        try:
            assert child.stdout.readline() == b"reading\n"
            with pytest.raises(Fault, match=r"^another command works on the corpus demo; wait for it$"):
                prepared(tmp_path)
        finally:
            child.send_signal(signal.SIGKILL)
    (partial,) = (tmp_path / "cache/prepared/demo").iterdir()
    assert (partial.name[0], partial.name[-8:]) == (".", ".partial")
    assert stat.S_IMODE(partial.stat().st_mode) == 0o700
    assert not (partial / "COMMITTED").exists()
    with pytest.raises(Fault):
        prepared(tmp_path, FakeAdapter([]), max_quarantined="7")  # another recipe, and one that fails
    assert left(tmp_path) == []
    assert prepared(tmp_path)[0].documents == 3


def test_two_at_once_are_told_apart(tmp_path) -> None:
    """A second prepare of one corpus is refused while the first reads; another corpus is free."""

    def before(number: int, _: Path) -> None:
        if number == 1:
            with pytest.raises(Fault, match="another command works on the corpus demo"):
                prepare(recipe_of(), tmp_path / "artifact.bin", cache_in(tmp_path))
            prepare(recipe_of(key="other"), tmp_path / "artifact.bin", cache_in(tmp_path))

    receipt, _ = prepared(tmp_path, FakeAdapter(before=before))
    assert receipt.documents == 3


def test_a_target_that_appears_meanwhile_is_left_alone(tmp_path) -> None:
    """Something that came to lie where the suite goes is not written over."""
    folder = cache_in(tmp_path).prepared(recipe_of())

    def before(number: int, _: Path) -> None:
        if number == 5:
            folder.mkdir()
            (folder / "mine").write_text("mine")

    with pytest.raises(FileExistsError):
        prepared(tmp_path, FakeAdapter(before=before))
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    assert (folder / "mine").read_text() == "mine"


def test_a_private_directory_ends_with_its_marker(tmp_path) -> None:
    """The words of the marker are fixed, as receipts outside refer to them."""
    with private_directory(tmp_path / "x"):
        pass
    assert (tmp_path / "x/COMMITTED").read_bytes() == b"pii_eval.private_directory.v1\n"
