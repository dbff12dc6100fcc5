"""The closed inventory of a ZIP archive, checked without extraction; its byte layout lives in zip_layout."""

from __future__ import annotations

import re
import stat
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple
from unicodedata import normalize

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import read_input
from pytest_pii_eval.corpora.zip_layout import STREAMED, UTF8_NAME, entry_fault, read_layout

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_pii_eval.corpora.zip_layout import Entry

_STORED: Final = 0
_DEFLATED: Final = 8
_KNOWN_FLAGS: Final = 0b110 | STREAMED | UTF8_NAME
_ENCRYPTED: Final = 1 | 1 << 6 | 1 << 13
_DRIVE: Final = re.compile(r"[A-Za-z]:")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_EMPTY_STREAM: Final = 2
"""Bytes that nothing at all becomes when it is deflated, as some writers do with folders."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What an archive may hold; whatever is not named here is refused.

    `member` matches the whole name of every file, `folders` are the names of the folders it may list, each
    with its slash. Sizes are bytes; `max_ratio` is the most bytes that one stored byte may become.
    """

    member: re.Pattern[str]
    folders: frozenset[str] = frozenset()
    max_archive_bytes: int = 2 * 1024 * 1024
    max_entries: int = 4096
    max_member_bytes: int = 1024 * 1024
    max_total_bytes: int = 16 * 1024 * 1024
    max_ratio: int = 200


class Member(NamedTuple):
    """One file of an archive: `ordinal` counts entries from 1, sizes are bytes; never print `name`."""

    ordinal: int
    name: str
    size: int
    stored_size: int
    start: int
    deflated: bool
    crc: int


def read_archive(path: Path, rules: Rules) -> bytes:
    """Return the bytes of the archive at `path`; raises `Fault` where it is too long or no regular file."""
    return read_input(path, limit=rules.max_archive_bytes)


def inventory(payload: bytes, rules: Rules) -> tuple[Member, ...]:
    """Return the files of the archive `payload`, in the order of its directory; nothing is decompressed.

    Raises `Fault`, with the ordinal of the entry where it is about one, unless every entry keeps `rules`: a
    plain relative name that no other entry has, also by case, a regular file or folder, no encryption, stored
    or deflated, and declared sizes within the limits.
    """
    if len(payload) > rules.max_archive_bytes:
        raise Fault(f"holds more than the limit of {rules.max_archive_bytes:,} bytes")
    entries = read_layout(payload, max_entries=rules.max_entries)
    names = [_checked(entry, rules) for entry in entries]
    _check_unique(names)
    total = sum(entry.size for entry in entries)
    if total > rules.max_total_bytes:
        raise Fault(f"declares {total:,} bytes in all; the limit is {rules.max_total_bytes:,}")
    return tuple(
        [_member(entry, name) for entry, name in zip(entries, names, strict=True) if not name.endswith("/")]
    )


def read_member(payload: bytes, member: Member) -> bytes:
    """Return the bytes of `member`; stops one byte past its declared size.

    Raises `Fault` where the bytes are more or fewer than declared, or have another checksum.
    """
    stored = payload[member.start : member.start + member.stored_size]
    content = _inflated(stored, member) if member.deflated else stored
    if len(content) != member.size:
        more = "more" if len(content) > member.size else "fewer"
        raise entry_fault(member.ordinal, f"holds {more} than the {member.size:,} bytes it declares")
    if zlib.crc32(content) != member.crc:
        raise entry_fault(member.ordinal, "has another checksum than it declares; the archive is damaged")
    return content


def _inflated(stored: bytes, member: Member) -> bytes:
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        content = stream.decompress(stored, member.size + 1)
    except zlib.error:
        raise entry_fault(member.ordinal, "cannot be decompressed; the archive is damaged") from None
    if len(content) <= member.size and (not stream.eof or stream.unused_data):
        raise entry_fault(member.ordinal, "has stored bytes that are no whole stream; the archive is damaged")
    return content


def _member(entry: Entry, name: str) -> Member:
    return Member(
        ordinal=entry.ordinal,
        name=name,
        size=entry.size,
        stored_size=entry.stored_size,
        start=entry.start,
        deflated=entry.method == _DEFLATED,
        crc=entry.crc,
    )


def _checked(entry: Entry, rules: Rules) -> str:
    """Return the name of an entry that keeps the rules."""
    try:
        name = _decoded(entry)
        _check_name(name)
        _check_kind(entry, folder=name.endswith("/"))
        _check_sizes(entry, rules)
        _check_place(entry, name, rules)
    except Fault as fault:
        raise entry_fault(entry.ordinal, fault.rule) from None
    return name


def _decoded(entry: Entry) -> str:
    try:
        return entry.name.decode("utf-8" if entry.flags & UTF8_NAME else "ascii")
    except UnicodeDecodeError:
        raise Fault("has a name in no stated encoding") from None


def _check_name(name: str) -> None:
    if _CONTROL.search(name):
        raise Fault("has a name with a control character")
    if "\\" in name:
        raise Fault("has a name with a backslash")
    if name.startswith("/") or _DRIVE.match(name):
        raise Fault("has an absolute name")
    if {"", ".", ".."} & set(name.removesuffix("/").split("/")):
        raise Fault("has a name with an empty part, a dot or two dots, which may lead out of its folder")
    if normalize("NFC", name) != name:
        raise Fault("has a name that is not in normal form NFC")


def _check_kind(entry: Entry, *, folder: bool) -> None:
    # The upper half is a mode of Unix where a system with such modes wrote the entry, and zero elsewhere.
    kind = stat.S_IFMT(entry.attributes >> 16)
    if kind not in (0, stat.S_IFDIR if folder else stat.S_IFREG):
        raise Fault("is a link, a device or of another kind than its name says")
    if entry.flags & _ENCRYPTED:
        raise Fault("is encrypted")
    if entry.flags & ~_KNOWN_FLAGS:
        raise Fault("has flags that no plain file has")
    if entry.method not in (_STORED, _DEFLATED):
        raise Fault("is compressed in another way than by deflate")


def _check_sizes(entry: Entry, rules: Rules) -> None:
    if entry.size > rules.max_member_bytes:
        raise Fault(f"declares {entry.size:,} bytes; the limit is {rules.max_member_bytes:,}")
    if entry.size > entry.stored_size * rules.max_ratio:
        raise Fault(f"declares more than {rules.max_ratio} bytes for each that is stored")
    if entry.method == _STORED and entry.size != entry.stored_size:
        raise Fault("is stored as it is, and declares two different sizes")


def _check_place(entry: Entry, name: str, rules: Rules) -> None:
    folder = name.endswith("/")
    if name not in rules.folders if folder else not rules.member.fullmatch(name):
        raise Fault("has a name that the layout of this archive has no place for")
    if folder and (entry.size or entry.stored_size > _EMPTY_STREAM):
        raise Fault("is a folder and holds bytes")


def _check_unique(names: Sequence[str]) -> None:
    first: dict[str, int] = {}
    for ordinal, name in enumerate(names, start=1):
        # Case folding can leave the normal form.
        key = normalize("NFC", name.casefold()).removesuffix("/")
        earlier = first.setdefault(key, ordinal)
        if earlier != ordinal:
            raise entry_fault(
                ordinal, f"has the name of entry {earlier:,}, or one that differs in case alone"
            )
