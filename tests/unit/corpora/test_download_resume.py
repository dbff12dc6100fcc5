"""Going on where a connection broke or a command ended: only from bytes that still verify."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys

import pytest
from loopback import BODY, CANARY, HASH, Reply, part, pin_document, pin_of, serving, tree

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.cache import Cache
from pytest_pii_eval.corpora.download import download

SHORT = HASH[:16]
PARTIAL, JOURNAL = f".{SHORT}.partial", f".{SHORT}.journal"
ETAG = '"v1"'


@pytest.fixture
def served(tmp_path, monkeypatch):
    """A server of this process's trust."""
    with serving(tmp_path, monkeypatch) as server:
        yield server


@pytest.fixture
def cache(tmp_path):
    """A cache that is not there yet."""
    return Cache(tmp_path / "cache")


def ranges(server):
    """Return the part that each request asked for."""
    return [heard.get("Range") for heard in server.heard]


def is_resumed(path):
    """Return what the receipt beside an artifact says, and check the artifact."""
    assert path.read_bytes() == BODY
    assert {file.name for file in path.parent.parent.iterdir()} == {SHORT}
    return json.loads((path.parent / "receipt.json").read_bytes())["resumed"]


def journal(size, *, etag=ETAG, body=BODY):
    """Return the journal of the first `size` bytes."""
    digest = f"sha256:{hashlib.sha256(body[:size]).hexdigest()}"
    return {"schema_version": "pii_eval.corpus_journal.v1", "bytes": size, "sha256": digest, "etag": etag}


def leave(cache, kept, entry):
    """Put down what an interrupted command leaves: `kept` bytes and a journal."""
    folder = cache.root / "artifacts/demo"
    folder.mkdir(parents=True, mode=0o700)
    for name, payload in ((PARTIAL, kept), (JOURNAL, json.dumps(entry).encode())):
        (folder / name).write_bytes(payload)
        (folder / name).chmod(0o600)
    return folder


def test_a_broken_connection_is_taken_up(served, cache) -> None:
    """Each new request asks for the rest, under the ETag of the answer before; three are made."""
    tagged = {"headers": {"ETag": ETAG}}
    served.script = [
        Reply(cut=40_000, **tagged),
        part(40_000, cut=30_000, **tagged),
        part(70_000, cut=50_000, **tagged),
        part(120_000, **tagged),
    ]
    assert is_resumed(download(pin_of(f"{served.origin}/f"), cache))
    assert ranges(served) == [None, "bytes=40000-", "bytes=70000-", "bytes=120000-"]
    assert [heard.get("If-Range") for heard in served.heard] == [None, ETAG, ETAG, ETAG]


def test_a_weak_etag_is_not_sent_back(served, cache) -> None:
    """A weak ETag does not promise equal bytes, so it is no condition."""
    served.script = [Reply(cut=40_000, headers={"ETag": f"W/{ETAG}"}), part(40_000)]
    download(pin_of(f"{served.origin}/f"), cache)
    assert "If-Range" not in served.heard[1]


def test_a_fourth_break_is_refused(served, cache) -> None:
    """After three resumptions a command gives up, and leaves nothing."""
    served.script = [Reply(cut=10), part(10, cut=10), part(20, cut=10), part(30, cut=10), part(40)]
    with pytest.raises(Fault, match="4 connections brought 40 bytes, and not all"):
        download(pin_of(f"{served.origin}/f"), cache)
    assert len(served.heard) == 4
    assert not (cache.root / "artifacts/demo").exists()


OTHER_PARTS = {
    "wrong start": part(39_999),
    "wrong total": Reply(206, {"Content-Range": "bytes 40000-149999/150001"}, BODY[40_000:]),
    "another total": Reply(206, {"Content-Range": "bytes 40000-150000/150001"}, BODY[40_000:] + b"X"),
    "unknown total": Reply(206, {"Content-Range": "bytes 40000-149999/*"}, BODY[40_000:]),
    "not to the end": Reply(206, {"Content-Range": "bytes 40000-99999/150000"}, BODY[40_000:100_000]),
    "other unit": Reply(206, {"Content-Range": "lines 40000-149999/150000"}, BODY[40_000:]),
    "no range": Reply(206, {}, BODY[40_000:]),
    "not satisfiable": Reply(416),
}


@pytest.mark.parametrize("case", OTHER_PARTS)
def test_another_part_than_asked_for_begins_anew(served, cache, case) -> None:
    """A part that does not say that it is the rest is not taken; the whole file is asked for."""
    served.script = [Reply(cut=40_000), OTHER_PARTS[case], Reply()]
    assert not is_resumed(download(pin_of(f"{served.origin}/f"), cache))
    assert ranges(served) == [None, "bytes=40000-", None]


def test_a_host_that_ignores_ranges_begins_anew(served, cache) -> None:
    """An answer with the whole file is taken from its first byte on."""
    served.script = [Reply(cut=40_000), Reply()]
    assert not is_resumed(download(pin_of(f"{served.origin}/f"), cache))
    assert ranges(served) == [None, "bytes=40000-"]


def test_a_part_with_wrong_bytes_is_refused(served, cache) -> None:
    """A part that says the right things and has other bytes fails with the whole, and nothing stays."""
    served.script = [Reply(cut=40_000), part(40_000, BODY[:-1] + b"X")]
    with pytest.raises(Fault, match="another sha256 than the pin"):
        download(pin_of(f"{served.origin}/f"), cache)
    assert not (cache.root / "artifacts/demo").exists()


def test_a_part_announced_with_another_length_is_refused(served, cache) -> None:
    """The length of a part must be that of the rest."""
    served.script = [Reply(cut=40_000), part(40_000, length=109_999)]
    with pytest.raises(Fault, match="announces 109,999 bytes where 110,000 must come"):
        download(pin_of(f"{served.origin}/f"), cache)


def test_an_interrupt_keeps_what_came(served, cache) -> None:
    """After Ctrl-C a private file and a journal stay; the next command asks for the rest alone."""

    def interrupt(done, _):
        if done > 60_000:
            raise KeyboardInterrupt

    served.script = [Reply(headers={"ETag": ETAG})]
    with pytest.raises(KeyboardInterrupt):
        download(pin_of(f"{served.origin}/f"), cache, progress=interrupt)
    folder = cache.root / "artifacts/demo"
    kept = (folder / PARTIAL).read_bytes()
    assert 60_000 < len(kept) < len(BODY)
    assert {file.name for file in folder.iterdir()} == {PARTIAL, JOURNAL}
    assert {file.stat().st_mode & 0o777 for file in folder.iterdir()} == {0o600}
    assert json.loads((folder / JOURNAL).read_bytes()) == journal(len(kept))
    served.script = [part(len(kept), headers={"ETag": ETAG})]
    assert is_resumed(download(pin_of(f"{served.origin}/f"), cache))
    assert ranges(served) == [None, f"bytes={len(kept)}-"]


def test_an_interrupt_before_the_first_byte_leaves_nothing(served, cache) -> None:
    """Where nothing has come, nothing stays."""

    def interrupt(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        download(pin_of(f"{served.origin}/f"), cache, progress=interrupt)
    assert not (cache.root / "artifacts/demo").exists()


def test_a_failing_progress_leaves_nothing(served, cache) -> None:
    """Any other exception out of the callback goes on, and nothing stays."""

    def fail(done, _):
        if done:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        download(pin_of(f"{served.origin}/f"), cache, progress=fail)
    assert not (cache.root / "artifacts/demo").exists()


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


def test_a_proxy_of_the_environment_is_used(served, cache, monkeypatch) -> None:
    """Where a proxy is named, nobody else is connected to."""
    monkeypatch.setenv("https_proxy", "http://user:secret@127.0.0.1:1")
    with pytest.raises(Fault) as caught:
        download(pin_of(f"{served.origin}/f"), cache)
    assert str(caught.value) == "127.0.0.1: the connection failed (ConnectionRefusedError)"
    assert served.heard == []
