"""The byte layout of a ZIP archive: headers agree with the directory, every byte belongs to one entry."""

from __future__ import annotations

import struct
from contextlib import suppress

import pytest
from zip_files import TEXT, OneWay, contents, patched, refused, zipped

from pytest_pii_eval.contracts.faults import Fault


@pytest.mark.parametrize("field", ["flags", "method", "crc", "stored_size", "size"])
def test_a_local_header_that_differs_is_refused(field: str) -> None:
    """The directory says what the local header does not."""
    payload = zipped("top/a.txt", method=0)
    value = {"flags": 1 << 11, "method": 8, "stored_size": 22}.get(field, 5)
    other = patched(payload, local=False, **{field: value})
    assert refused(other) == "entry 1: has a local header that differs from the directory"


def test_another_name_in_the_local_header_is_refused() -> None:
    """A reader of streams and a reader of the directory would see two different files."""
    payload = zipped("top/a.txt").replace(b"top/a.txt", b"top/b.txt", 1)
    assert refused(payload) == "entry 1: has a local header that differs from the directory"


def test_sizes_behind_the_bytes_that_differ_are_refused() -> None:
    """The third number behind the bytes is the size."""
    payload = bytearray(zipped("top/a.txt", target=OneWay()))
    payload[payload.index(b"PK\x07\x08") + 12] ^= 1
    assert refused(bytes(payload)) == "entry 1: has sizes behind its bytes that differ from the directory"
    before = bytearray(zipped("top/a.txt", target=OneWay()))
    before[14] = 5
    assert refused(bytes(before)) == "entry 1: has a local header that differs from the directory"


def test_sizes_behind_the_bytes_may_lack_their_mark() -> None:
    """Early writers left out the four bytes `PK 07 08`; the directory then starts four bytes earlier."""
    payload = bytearray(zipped("top/a.txt", target=OneWay()).replace(b"PK\x07\x08", b""))
    struct.pack_into("<I", payload, payload.rindex(b"PK\x05\x06") + 16, payload.index(b"PK\x01\x02"))
    assert contents(bytes(payload)) == {"top/a.txt": TEXT}


def test_the_directory_may_have_an_order_of_its_own() -> None:
    """Two records of one size change places; members come in the directory's order."""
    payload = zipped("top/a.txt", "top/b.txt")
    first, second, end = (
        payload.index(b"PK\x01\x02"),
        payload.rindex(b"PK\x01\x02"),
        payload.rindex(b"PK\x05\x06"),
    )
    swapped = payload[:first] + payload[second:end] + payload[first:second] + payload[end:]
    assert list(contents(swapped)) == ["top/b.txt", "top/a.txt"]


@pytest.mark.parametrize(("number", "what"), [(0x0001, "the ZIP64 format"), (0x7075, "a second name")])
def test_extra_fields_that_change_an_entry_are_refused(number: int, what: str) -> None:
    """A second name in an extra field would make this another file elsewhere."""
    extra = struct.pack("<HH", number, 6) + b"canary"
    payload = zipped("top/a.txt", extra=b"UT\x01\x00x" + extra)
    fault = f"entry 1: uses {what}, which is not read here"
    mark = struct.pack("<H", number) + b"\x06\x00canary"
    assert refused(payload) == fault
    for kept in (0, 1):  # the local header comes first
        parts = payload.split(mark)
        other = b"UT\x06\x00canary"
        assert refused(parts[0] + (mark, other)[kept] + parts[1] + (other, mark)[kept] + parts[2]) == fault


MIDDLE = "has bytes before, between or behind its parts that belong to none of them"


def test_bytes_that_belong_to_nothing_are_refused() -> None:
    """Before the first entry, between two, before the directory, behind the end record."""
    payload = zipped("top/a.txt", "top/b.txt")
    end, directory = payload.rindex(b"PK\x05\x06"), payload.index(b"PK\x01\x02")
    assert refused(b"canary" + payload) == MIDDLE
    assert refused(payload + b"canary") == MIDDLE
    assert refused(payload + payload[end:]) == MIDDLE
    assert refused(payload + payload) == MIDDLE
    # The same with a directory that knows of the bytes.
    moved = bytearray(payload[:directory] + b"canary" + payload[directory:])
    struct.pack_into("<I", moved, end + 6 + 16, directory + 6)
    assert refused(bytes(moved)) == "has bytes before its directory that belong to no entry"
    first = payload.index(b"PK\x03\x04", 4)
    between = bytearray(payload[:first] + b"canary" + payload[first:])
    second = between.rindex(b"PK\x01\x02")
    struct.pack_into("<I", between, second + 42, first + 6)
    struct.pack_into("<I", between, end + 6 + 16, directory + 6)
    assert refused(bytes(between)) == "entry 2: does not start where the entry before it ends"


def test_sizes_that_reach_too_far_are_refused() -> None:
    """Stored bytes that would go on into the directory, and a record that would go on into the end record."""
    payload = zipped("top/a.txt", method=0)
    assert (
        refused(patched(payload, stored_size=24, size=24)) == "entry 1: reaches into the directory or beyond"
    )
    longer = bytearray(payload)
    longer[payload.index(b"PK\x01\x02") + 32] = 1
    assert refused(bytes(longer)) == "entry 1: has a damaged record in the directory"


def test_entries_that_share_bytes_are_refused() -> None:
    """Two entries of the directory with one local header: many files out of one, as overlapping bombs do."""
    payload = bytearray(zipped("top/a.txt", "top/b.txt"))
    struct.pack_into("<I", payload, payload.rindex(b"PK\x01\x02") + 42, 0)
    assert refused(bytes(payload)) == "entry 2: does not start where the entry before it ends"


def test_an_archive_of_several_parts_is_refused() -> None:
    """In its end record, and in an entry."""
    payload = bytearray(zipped("top/a.txt"))
    assert refused(patched(bytes(payload), disk=1)) == "entry 1: has a damaged record in the directory"
    payload[payload.rindex(b"PK\x05\x06") + 4] = 1
    assert refused(bytes(payload)) == "is one part of an archive of several; name a whole one"


def test_a_count_that_lies_is_refused() -> None:
    """One entry more, one fewer than the directory lists."""
    payload = zipped("top/a.txt", "top/b.txt")
    at = payload.rindex(b"PK\x05\x06") + 8
    for count, rule in (
        (1, "lists more than the 1 "),
        (3, "lists fewer entries than the 3 "),
    ):
        counted = bytearray(payload)
        struct.pack_into("<HH", counted, at, count, count)
        assert refused(bytes(counted)).startswith(rule)


def test_every_cut_is_refused() -> None:
    """An archive cut off at any byte, or with a byte lost anywhere, is a fault, never another exception."""
    payload = zipped("top/", "top/a.txt", target=OneWay())
    for at in range(len(payload)):
        refused(payload[:at])
        refused(payload[:at] + payload[at + 1 :])


def test_every_flipped_byte_gives_a_fault_or_the_same_texts() -> None:
    """Times, versions and comments may differ; no damage changes a text or ends in another exception."""
    payload = zipped("top/", "top/a.txt")
    for at in range(len(payload)):
        for bit in (0x01, 0x20, 0x80):
            damaged = bytearray(payload)
            damaged[at] ^= bit
            with suppress(Fault):
                assert list(contents(bytes(damaged)).values()) == [TEXT]
