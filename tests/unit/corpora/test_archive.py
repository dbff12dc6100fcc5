"""The closed inventory of a ZIP archive: names, kinds and sizes of entries, and the bytes of members."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from typing import TYPE_CHECKING, Any

import pytest
from zip_files import RULES, TEXT, OneWay, contents, patched, refused, zipped

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.archive import Rules, inventory, read_archive, read_member

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("method", [0, 8])
@pytest.mark.parametrize("target", [io.BytesIO, OneWay])
def test_archives_of_pythons_own_writer_are_read(method: int, target: type[io.BytesIO]) -> None:
    """Stored or deflated, with sizes before or behind the bytes; names may be UTF-8."""
    payload = zipped("top/", "top/a.txt", "top/é.txt", target=target(), method=method)
    assert contents(payload) == {"top/a.txt": TEXT, "top/é.txt": TEXT}
    assert [(member.ordinal, member.size) for member in inventory(payload, RULES)] == [(2, 23), (3, 23)]


def test_comments_and_times_are_not_read() -> None:
    """A comment of the archive or an entry, and a time in an extra field, change nothing."""
    payload = zipped("top/a.txt", comment=b"canary", extra=b"UT\x05\x00\x01\x00\x00\x00\x00")
    assert contents(payload) == {"top/a.txt": TEXT}
    with_comment = io.BytesIO(payload)
    with zipfile.ZipFile(with_comment, "a") as archive:
        archive.comment = b"canary"
    assert contents(with_comment.getvalue()) == {"top/a.txt": TEXT}


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("../canary.txt", "has a name with an empty part, a dot or two dots"),
        ("top/../canary.txt", "has a name with an empty part, a dot or two dots"),
        ("./canary.txt", "has a name with an empty part, a dot or two dots"),
        ("top//canary.txt", "has a name with an empty part, a dot or two dots"),
        ("", "has a name with an empty part, a dot or two dots"),
        ("/etc/canary.txt", "has an absolute name"),
        ("C:/canary.txt", "has an absolute name"),
        ("C:canary.txt", "has an absolute name"),
        ("top\\canary.txt", "has a name with a backslash"),
        ("top/canary.txt\0.png", "has a name with a control character"),
        ("top/canary.txt\n", "has a name with a control character"),
        ("top/cafe\u0301.txt", "has a name that is not in normal form NFC"),
        ("top/canary.md", "has a name that the layout of this archive has no place for"),
        ("top/canary.txt/", "has a name that the layout of this archive has no place for"),
        ("canary/", "has a name that the layout of this archive has no place for"),
    ],
)
def test_names_that_lead_elsewhere_are_refused(name: str, rule: str) -> None:
    """The second entry has the name; the fault has its ordinal."""
    assert refused(zipped("top/a.txt", name)).startswith(f"entry 2: {rule}")


def test_a_name_in_an_old_code_page_is_refused() -> None:
    """0x82 is é in code page 437, and nothing in ASCII; without the flag no encoding is stated."""
    payload = zipped("top/a.txt").replace(b"top/a.txt", b"top/\x82.txt")
    assert refused(payload) == "entry 1: has a name in no stated encoding"
    unflagged = patched(zipped("top/é.txt"), flags=0)
    assert refused(unflagged) == "entry 1: has a name in no stated encoding"


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("twin", "other"), [("top/a.txt", "top/a.txt"), ("top/a.txt", "top/A.txt"), ("top/é.txt", "top/É.txt")]
)
def test_two_entries_of_one_name_are_refused(twin: str, other: str) -> None:
    """Equal names, and names that differ in case alone."""
    assert refused(zipped("top/", twin, other)) == (
        "entry 3: has the name of entry 2, or one that differs in case alone"
    )


def test_a_file_with_the_name_of_a_folder_is_refused() -> None:
    """`top` and `top/` are one place."""
    rules = Rules(member=re.compile("top"), folders=frozenset({"top/"}))
    assert refused(zipped("top/", "top"), rules).startswith("entry 2: has the name of entry 1")


@pytest.mark.parametrize(
    ("mode", "name"),
    [
        (0o120777, "top/canary.txt"),
        (0o020666, "top/canary.txt"),
        (0o010644, "top/canary.txt"),
        (0o040755, "top/canary.txt"),
        (0o100644, "top/"),
    ],
)
def test_links_devices_and_pipes_are_refused(mode: int, name: str) -> None:
    """So is a folder with the name of a file, and the other way round."""
    rule = "entry 1: is a link, a device or of another kind than its name says"
    assert refused(zipped(name, external_attr=mode << 16)) == rule


def test_encrypted_and_strangely_packed_entries_are_refused() -> None:
    """Encryption in its three flags, patched data, and bzip2, which Python would read."""
    payload = zipped("top/canary.txt")
    for flag in (1, 1 << 6, 1 << 13):
        assert refused(patched(payload, flags=flag)) == "entry 1: is encrypted"
    assert refused(patched(payload, flags=1 << 5)) == "entry 1: has flags that no plain file has"
    assert refused(zipped("top/canary.txt", method=zipfile.ZIP_BZIP2)) == (
        "entry 1: is compressed in another way than by deflate"
    )


def test_declared_sizes_beyond_the_limits_are_refused() -> None:
    """Each limit one below what the archive holds; at the limit it is read."""
    payload = zipped("top/a.txt", "top/b.txt")
    stored = inventory(payload, RULES)[0].stored_size
    limits = {
        "max_archive_bytes": (len(payload), f"holds more than the limit of {len(payload) - 1} bytes"),
        "max_entries": (2, "holds 2 entries; the limit is 1"),
        "max_member_bytes": (23, "entry 1: declares 23 bytes; the limit is 22"),
        "max_total_bytes": (46, "declares 46 bytes in all; the limit is 45"),
        "max_ratio": (2, "entry 1: declares more than 1 bytes for each that is stored"),
    }
    assert 23 / 2 <= stored < 23
    for name, (limit, rule) in limits.items():
        assert len(contents(payload, _limited(name, limit))) == 2
        assert refused(payload, _limited(name, limit - 1)) == rule


def _limited(name: str, limit: int) -> Rules:
    return Rules(member=RULES.member, folders=RULES.folders, **{name: limit})  # type: ignore[arg-type]  # all are integers


def test_a_bomb_is_refused_before_it_is_decompressed() -> None:
    """A million zeros in a thousand bytes: the ratio tells, and so does the declared size."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("top/canary.txt", bytes(1_000_000))
    payload = target.getvalue()
    with pytest.raises(Fault, match=r"^entry 1: declares more than 200 bytes for each that is stored$"):
        inventory(payload, RULES)
    declared = patched(payload, size=1_048_577)
    with pytest.raises(Fault, match=r"^entry 1: declares 1,048,577 bytes; the limit is 1,048,576$"):
        inventory(declared, RULES)


def test_a_size_that_is_too_small_stops_decompression(monkeypatch: pytest.MonkeyPatch) -> None:
    """A million zeros that declare 1,000 bytes: 1,001 are made, no more."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("top/canary.txt", bytes(1_000_000))
    payload = patched(target.getvalue(), size=1000)
    (member,) = inventory(payload, RULES)
    made: list[int] = []
    monkeypatch.setattr(zlib, "decompressobj", lambda *_: _Counting(made))
    with pytest.raises(Fault, match=r"^entry 1: holds more than the 1,000 bytes it declares$"):
        read_member(payload, member)
    assert made == [1001]


class _Counting:
    """zlib's stream, which writes down how much came out."""

    _make = staticmethod(zlib.decompressobj)

    def __init__(self, made: list[int]) -> None:
        self._stream, self._made = self._make(-15), made

    def decompress(self, stored: bytes, limit: int) -> bytes:
        content: bytes = self._stream.decompress(stored, limit)
        self._made.append(len(content))
        return content

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def test_other_lies_about_bytes_are_refused() -> None:
    """Too large a size, another checksum, no stream, one that ends early, two sizes of stored bytes."""
    payload = zipped("top/canary.txt")
    stored = zipped("top/canary.txt", method=0)
    assert refused(patched(payload, size=24)) == "entry 1: holds fewer than the 24 bytes it declares"
    assert refused(patched(payload, crc=1)).startswith("entry 1: has another checksum than it declares")
    assert refused(stored.replace(b"text", b"next")).startswith("entry 1: has another checksum")
    assert refused(patched(stored, method=8)).startswith("entry 1: cannot be decompressed")
    assert (
        refused(patched(stored, size=22)) == "entry 1: is stored as it is, and declares two different sizes"
    )
    cut = zlib.compressobj(wbits=-15)
    whole = cut.compress(TEXT) + cut.flush()
    assert refused(_deflated(whole[:-1])).startswith("entry 1: has stored bytes that are no whole stream")
    assert refused(_deflated(whole + b"canary")).startswith(
        "entry 1: has stored bytes that are no whole stream"
    )
    assert contents(_deflated(whole)) == {"top/a.txt": TEXT}


def _deflated(stream: bytes) -> bytes:
    """An archive with this stream for `TEXT`, written as stored bytes and then declared to be deflated."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("top/a.txt", stream)
    return patched(target.getvalue(), method=8, size=len(TEXT), crc=zlib.crc32(TEXT))


def test_a_folder_that_holds_bytes_is_refused() -> None:
    """Nothing reads them, so nothing may be there."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("top/", b"canary")
    assert refused(target.getvalue()) == "entry 1: is a folder and holds bytes"
    assert refused(patched(target.getvalue(), method=8, size=0)) == "entry 1: is a folder and holds bytes"


def test_a_file_is_read_within_its_limit(tmp_path: Path) -> None:
    """The file's name is the last part of its path alone."""
    path = tmp_path / "corpus.zip"
    path.write_bytes(zipped("top/a.txt"))
    assert contents(read_archive(path, RULES)) == {"top/a.txt": TEXT}
    with pytest.raises(Fault, match=r"^corpus\.zip: holds more than the limit of 100 bytes$"):
        read_archive(path, _limited("max_archive_bytes", 100))
