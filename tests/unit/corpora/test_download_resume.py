"""Going on where a connection broke or a command ended: only from bytes that still verify."""

from __future__ import annotations

import json

import pytest
from downloading import ETAG, JOURNAL, PARTIAL, is_resumed, journal, ranges
from loopback import BODY, Reply, part, pin_of, serving

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


def test_every_byte_is_enough(served, cache) -> None:
    """Where the last connection breaks behind the last byte, nothing is missing."""
    served.script = [
        *(Reply(cut=10), part(10, cut=10), part(20, cut=10)),
        part(30, chunked=True, cut=len(BODY)),
        Reply(500),
    ]
    assert is_resumed(download(pin_of(f"{served.origin}/f"), cache))
    assert len(served.heard) == 4


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
