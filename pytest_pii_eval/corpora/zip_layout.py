"""The byte layout of a ZIP archive: entries as they lie, with no gap and no doubt; no rules about names."""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.contracts.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

# Sections 4.3.7, 4.3.12 and 4.3.16 of PKWARE's APPNOTE; all numbers are little-endian.
_LOCAL: Final = Struct("<4sHHHHHIIIHH")
_CENTRAL: Final = Struct("<4sHHHHHHIIIHHHHHII")
_END: Final = Struct("<4sHHHHIIH")
_DESCRIPTOR: Final = Struct("<III")
_FIELD: Final = Struct("<HH")

_LOCAL_MARK: Final = b"PK\x03\x04"
_CENTRAL_MARK: Final = b"PK\x01\x02"
_END_MARK: Final = b"PK\x05\x06"
_DESCRIPTOR_MARK: Final = b"PK\x07\x08"
_LONGEST_COMMENT: Final = 0xFFFF

STREAMED: Final = 1 << 3
"""The flag of an entry whose sizes follow its bytes."""

UTF8_NAME: Final = 1 << 11
"""The flag of an entry whose name is UTF-8."""

_COMPRESSION_FLAGS: Final = 0b110
_UNREAD_FIELDS: Final = {0x0001: "the ZIP64 format", 0x7075: "a second name"}


class Entry(NamedTuple):
    """One entry as the central directory has it; `ordinal` counts from 1 in the directory's order.

    `start` is the offset of its first stored byte. Sizes are bytes as declared; nothing was decompressed.
    """

    ordinal: int
    name: bytes
    flags: int
    method: int
    crc: int
    stored_size: int
    size: int
    attributes: int
    start: int


class _Listed(NamedTuple):
    entry: Entry
    header: int
    """The offset of its local header."""


def read_layout(payload: bytes, *, max_entries: int) -> tuple[Entry, ...]:
    """Return the entries of the archive `payload`, in the order of its central directory.

    Raises `Fault` unless the archive is one file from its first byte to its last: local headers that agree
    with the directory and lie end to end, the directory, and one end record behind it. Comments are not read.
    """
    at = _end_record(payload)
    _, disk, first_disk, here, count, size, start, comment = _END.unpack_from(payload, at)
    if (disk, first_disk, here) != (0, 0, count):
        raise Fault("is one part of an archive of several; name a whole one")
    if at + _END.size + comment != len(payload) or start + size != at:
        raise Fault("has bytes before, between or behind its parts that belong to none of them")
    if count > max_entries:
        raise Fault(f"holds {count:,} entries; the limit is {max_entries:,}")
    listed = _directory(payload, start, count, at)
    _check_local(payload, sorted(listed, key=lambda one: one.header), start)
    return tuple([_placed(payload, one) for one in listed])


def _end_record(payload: bytes) -> int:
    at = payload.rfind(_END_MARK, max(0, len(payload) - _END.size - _LONGEST_COMMENT))
    if at < 0 or at + _END.size > len(payload):
        raise Fault("is no ZIP archive, or was cut off: it has no end record")
    return at


def _directory(payload: bytes, at: int, count: int, end: int) -> list[_Listed]:
    listed = []
    for ordinal in range(1, count + 1):
        if at + _CENTRAL.size > end or not payload.startswith(_CENTRAL_MARK, at):
            raise Fault(f"lists fewer entries than the {count:,} it declares")
        fields = _CENTRAL.unpack_from(payload, at)
        flags, method, crc, stored, size = fields[3], fields[4], *fields[7:10]
        name_size, extra_size, comment_size, disk, attributes, header = *fields[10:14], *fields[15:17]
        name_at = at + _CENTRAL.size
        extra_at = name_at + name_size
        at = extra_at + extra_size + comment_size
        if at > end or disk:
            raise entry_fault(ordinal, "has a damaged record in the directory")
        _check_extra(payload[extra_at : extra_at + extra_size], ordinal)
        name = payload[name_at:extra_at]
        entry = Entry(ordinal, name, flags, method, crc, stored, size, attributes, 0)
        listed.append(_Listed(entry, header))
    if at != end:
        raise Fault(f"lists more than the {count:,} entries it declares")
    return listed


def _check_extra(extra: bytes, ordinal: int) -> None:
    for number in _extra_fields(extra):
        if number in _UNREAD_FIELDS:
            raise entry_fault(ordinal, f"uses {_UNREAD_FIELDS[number]}, which is not read here")


def _extra_fields(extra: bytes) -> Iterator[int]:
    at = 0
    while at + _FIELD.size <= len(extra):
        number, size = _FIELD.unpack_from(extra, at)
        yield number
        at += _FIELD.size + size


def _check_local(payload: bytes, listed: list[_Listed], directory: int) -> None:
    """Check that entries in order of their headers fill the bytes before `directory`, one after another."""
    at = 0
    for one in listed:
        if one.header != at:
            raise entry_fault(one.entry.ordinal, "does not start where the entry before it ends")
        at = _end_of_data(payload, one, directory)
        if one.entry.flags & STREAMED:
            at += _descriptor_size(payload, at, one.entry)
    if at != directory:
        raise Fault("has bytes before its directory that belong to no entry")


def _end_of_data(payload: bytes, one: _Listed, directory: int) -> int:
    """Return where the stored bytes of an entry end, which its local header must not tell otherwise."""
    entry, at = one
    if at + _LOCAL.size > directory or not payload.startswith(_LOCAL_MARK, at):
        raise entry_fault(entry.ordinal, "has no local header")
    _, _, flags, method, _, _, *sizes, name_size, extra_size = _LOCAL.unpack_from(payload, at)
    name_at = at + _LOCAL.size
    extra_at = name_at + name_size
    end: int = extra_at + extra_size + entry.stored_size
    if end > directory:
        raise entry_fault(entry.ordinal, "reaches into the directory or beyond")
    _check_extra(payload[extra_at : extra_at + extra_size], entry.ordinal)
    declared = [entry.crc, entry.stored_size, entry.size]
    told = sizes == declared or (entry.flags & STREAMED and sizes == [0, 0, 0])
    same = (flags | _COMPRESSION_FLAGS, method) == (entry.flags | _COMPRESSION_FLAGS, entry.method)
    if not told or not same or payload[name_at:extra_at] != entry.name:
        raise entry_fault(entry.ordinal, "has a local header that differs from the directory")
    return end


def _descriptor_size(payload: bytes, at: int, entry: Entry) -> int:
    fields = _DESCRIPTOR.pack(entry.crc, entry.stored_size, entry.size)
    for descriptor in (_DESCRIPTOR_MARK + fields, fields):
        if payload.startswith(descriptor, at):
            return len(descriptor)
    raise entry_fault(entry.ordinal, "has sizes behind its bytes that differ from the directory")


def _placed(payload: bytes, one: _Listed) -> Entry:
    name_size, extra_size = _LOCAL.unpack_from(payload, one.header)[9:11]
    return one.entry._replace(start=one.header + _LOCAL.size + name_size + extra_size)


def entry_fault(ordinal: int, rule: str) -> Fault:
    """Return the fault of entry `ordinal` (from 1); its name stays out of it."""
    return Fault(rule, field=f"entry {ordinal:,}")
