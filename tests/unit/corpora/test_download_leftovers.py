"""What a killed command left is taken over as far as it still verifies; everything else is dropped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest
from downloading import EMPTY, ETAG, JOURNAL, PARTIAL, SHORT, is_resumed, journal, leave, ranges
from loopback import BODY, CANARY, Reply, part, pin_document, pin_of, serving, tree

from pytest_pii_eval.contracts.faults import Fault
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


CHILD = """
import json, sys
from pathlib import Path
from pytest_pii_eval.contracts.corpora_file import parse_corpora
from pytest_pii_eval.contracts.taxonomy import default_taxonomy
from pytest_pii_eval.corpora import partial
from pytest_pii_eval.corpora.cache import Cache
from pytest_pii_eval.corpora.download import download
partial.JOURNAL_STEP = 30_000
def wait(done, total):
    if done >= 70_000:
        print("here", flush=True)
        sys.stdin.read()
document = json.loads(sys.argv[1])
pin = parse_corpora(document, Path("corpora.yaml"), default_taxonomy()).pins["demo"]
download(pin, Cache(Path(sys.argv[2])), progress=wait)
"""


def test_a_killed_command_is_taken_up(served, cache) -> None:
    """After SIGKILL the next command goes on from the last entry of the journal, not from the last byte."""
    document = {
        "version": "pii_eval.corpora.v1",
        "corpora": {"demo": pin_document(f"{served.origin}/{CANARY}/f")},
    }
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, json.dumps(document), str(cache.root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with child:
        assert child.stdout.readline() == b"here\n"
        os.kill(child.pid, signal.SIGKILL)
        assert child.communicate() == (b"", b"")
    folder = cache.root / "artifacts/demo"
    entry = json.loads((folder / JOURNAL).read_bytes())
    size = entry["bytes"]
    assert entry == journal(size, etag=None)
    assert 30_000 <= size < (folder / PARTIAL).stat().st_size
    served.script = [part(size)]
    assert is_resumed(download(pin_of(f"{served.origin}/f"), cache))
    assert ranges(served) == [None, f"bytes={size}-"]


@pytest.mark.parametrize("kind", [SystemExit, MemoryError, GeneratorExit])
def test_an_end_that_is_no_interrupt_leaves_nothing(served, cache, kind) -> None:
    """What ends a command otherwise comes out as it is; the next one asks for the whole file."""

    def end(done: int, _: int | None) -> None:
        if done >= 70_000:
            raise kind

    with pytest.raises(kind):
        download(pin_of(f"{served.origin}/f"), cache, progress=end)
    assert tree(cache.root) == EMPTY
    assert not is_resumed(download(pin_of(f"{served.origin}/f"), cache))
    assert ranges(served) == [None, None]


def test_bytes_behind_the_journal_are_dropped(served, cache) -> None:
    """What came after the last entry of the journal is asked for again."""
    leave(cache, BODY[:50_000] + b"torn" * 50_000, journal(50_000))
    served.script = [part(50_000)]
    assert is_resumed(download(pin_of(f"{served.origin}/f"), cache))
    assert served.heard[0]["If-Range"] == ETAG


def test_a_whole_file_that_was_not_committed_needs_no_request(served, cache) -> None:
    """A command killed between the last byte and the commit leaves nothing to ask for."""
    leave(cache, BODY, journal(len(BODY)))
    assert is_resumed(download(pin_of(f"{served.origin}/f"), cache))
    assert served.heard == []


ENTRIES = {
    "other bytes": {**journal(50_000), "sha256": f"sha256:{'0' * 64}"},
    "more bytes than there are": journal(60_000),
    "fewer bytes, well hashed": {**journal(50_000), "bytes": 60_000},
    "not a number": {**journal(50_000), "bytes": "50000"},
    "a flag": {**journal(1), "bytes": True},
    "no bytes": journal(0),
    "negative": {**journal(50_000), "bytes": -1},
    "no hash": {**journal(50_000), "sha256": None},
    "another version": {**journal(50_000), "schema_version": "pii_eval.corpus_journal.v2"},
    "a list": [],
}


@pytest.mark.parametrize("case", ENTRIES)
def test_a_journal_that_does_not_fit_is_dropped(served, cache, case) -> None:
    """Where journal and bytes do not agree, the download begins anew."""
    leave(cache, BODY[:50_000], ENTRIES[case])
    assert not is_resumed(download(pin_of(f"{served.origin}/f"), cache))
    assert ranges(served) == [None]


def test_a_changed_prefix_is_dropped(served, cache) -> None:
    """One changed byte in what an interrupted command left, and the download begins anew."""
    leave(cache, b"X" + BODY[1:50_000], journal(50_000))
    assert not is_resumed(download(pin_of(f"{served.origin}/f"), cache))
    assert ranges(served) == [None]


@pytest.mark.parametrize("name", [PARTIAL, JOURNAL])
@pytest.mark.parametrize("how", ["readable", "linked", "shared", "gone"])
def test_a_leftover_that_is_not_private_is_dropped(served, cache, tmp_path, name, how) -> None:
    """A file that others can read, a symlink or a second name of a file is removed, not followed."""
    folder = leave(cache, BODY[:50_000], journal(50_000))
    other = tmp_path / "other"
    if how == "readable":
        (folder / name).chmod(0o644)
    elif how == "shared":
        other.hardlink_to(folder / name)
    else:
        (folder / name).rename(other)
        if how == "linked":
            (folder / name).symlink_to(other)
    before = other.read_bytes() if other.exists() else None
    assert not is_resumed(download(pin_of(f"{served.origin}/f"), cache))
    assert ranges(served) == [None]
    assert before == (other.read_bytes() if other.exists() else None)


def test_an_unreachable_host_leaves_a_leftover_alone(cache) -> None:
    """A command that reaches nobody has learnt nothing about what an earlier one brought."""
    folder = leave(cache, BODY[:50_000], journal(50_000))
    with pytest.raises(Fault, match="the connection failed"):
        download(pin_of("https://127.0.0.1:1/f"), cache)
    assert {file.name for file in folder.iterdir()} == {PARTIAL, JOURNAL}
    assert json.loads((folder / JOURNAL).read_bytes()) == journal(50_000)


def test_a_refused_answer_takes_the_leftover_with_it(served, cache) -> None:
    """An answer that is refused leaves nothing, also not what an earlier command brought."""
    leave(cache, BODY[:50_000], journal(50_000))
    served.script = [Reply(403)]
    with pytest.raises(Fault, match="answers with status 403"):
        download(pin_of(f"{served.origin}/f"), cache)
    assert "artifacts/demo" not in tree(cache.root)


def test_a_staging_folder_of_a_killed_command_is_removed(served, cache) -> None:
    """A directory that a command was killed over is gone after the next one."""
    staging = cache.root / f"artifacts/demo/.{SHORT}.0123456789abcdef.partial"
    staging.mkdir(parents=True)
    (staging / "f").write_bytes(BODY)
    assert not is_resumed(download(pin_of(f"{served.origin}/f"), cache))


def test_a_folder_in_the_place_of_the_file_is_one_line(served, cache) -> None:
    """What cannot be removed is a fault, and stays."""
    (cache.root / "artifacts/demo" / PARTIAL).mkdir(parents=True)
    with pytest.raises(Fault, match=r"the cache cannot be written \((EISDIR|EPERM)\)"):
        download(pin_of(f"{served.origin}/f"), cache)
