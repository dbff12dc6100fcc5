"""Facts about the package as it runs."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from pytest_pii_eval.reports import provenance
from pytest_pii_eval.reports.provenance import library_version, package_version, source_sha256

PACKAGE = Path(provenance.__file__).parents[1]


def test_versions() -> None:
    """A distribution has its installed version, an absent one is unknown, the package has its own."""
    assert library_version("pytest") == pytest.__version__
    assert library_version("no-such-distribution-anywhere") == "unknown"
    assert package_version() == library_version("pytest-pii-eval")


@pytest.fixture
def package(tmp_path, monkeypatch) -> Path:
    """A package of three small files in the place of ours."""
    root = tmp_path / "package"
    (root / "room").mkdir(parents=True)
    (root / "room" / "b.py").write_bytes(b"b = 1\n")
    (root / "a.py").write_bytes(b"a = 1\n")
    (root / "notes.txt").write_bytes(b"no source")
    monkeypatch.setattr(provenance, "_PACKAGE", root)
    return root


def test_the_digest_by_hand(package) -> None:
    """Names, sizes and bytes of the Python files, sorted by name, are what is digested; nothing else is."""
    digest = hashlib.sha256(b"a.py 6\na = 1\nroom/b.py 6\nb = 1\n").hexdigest()
    assert source_sha256() == f"sha256:{digest}"
    (package / "notes.txt").write_bytes(b"changed")
    assert source_sha256() == f"sha256:{digest}"


def test_the_digest_of_rooms(package) -> None:
    """A room is a folder or a module; others do not change its digest."""
    room, module = source_sha256("room"), source_sha256("a")
    assert room == "sha256:" + hashlib.sha256(b"room/b.py 6\nb = 1\n").hexdigest()
    assert module == "sha256:" + hashlib.sha256(b"a.py 6\na = 1\n").hexdigest()
    (package / "a.py").write_bytes(b"a = 2\n")
    assert source_sha256("room") == room
    assert source_sha256("a") != module


def test_line_ends_of_a_checkout_do_not_count(package) -> None:
    """A checkout with CRLF has the digest of one with LF."""
    before = source_sha256()
    (package / "a.py").write_bytes(b"a = 1\r\n")
    assert source_sha256() == before


def test_any_change_counts(package) -> None:
    """A changed byte, a new file and a moved file change the digest."""
    seen = {source_sha256()}
    (package / "a.py").write_bytes(b"a = 3\n")
    seen.add(source_sha256())
    (package / "c.py").write_bytes(b"")
    seen.add(source_sha256())
    (package / "c.py").rename(package / "d.py")
    seen.add(source_sha256())
    assert len(seen) == 4


def test_our_own_rooms_have_distinct_digests() -> None:
    """Each room of this package that a fingerprint names exists."""
    rooms = ("collection", "contracts", "detectors", "scoring", "session")
    nothing = "sha256:" + hashlib.sha256(b"").hexdigest()
    digests = {source_sha256(room) for room in rooms}
    assert len(digests) == 5
    assert nothing not in digests
    assert all((PACKAGE / room).is_dir() for room in rooms)
