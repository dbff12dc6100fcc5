"""A packed file as a stream of the bytes in it: bounded, and strict about its end; knows no format."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final, Protocol, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.strict_json import refuse_foreign_start

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

_CHUNK: Final = 1 << 15
_BUFFER: Final = 1 << 18


class Broken(Exception):
    """Packed bytes that cannot be unpacked, for a reason that is told elsewhere."""


class Unpacker(Protocol):
    """Unpacks one member of a packed file (gzip calls it so; a frame in Zstandard)."""

    @property
    def eof(self) -> bool:
        """Whether the member is complete."""

    @property
    def needs_input(self) -> bool:
        """Whether nothing comes without more packed bytes."""

    @property
    def unused_data(self) -> bytes:
        """What was given and lies behind the member."""

    def decompress(self, packed: bytes, max_length: int) -> bytes:
        """Return at most `max_length` bytes of what is in the member; raises `Broken`."""


@final
class Packing:
    """One way of packing: its name, how to unpack a member, and how the start of one is told."""

    def __init__(self, name: str, start: Callable[[], Unpacker], is_own: Callable[[bytes], bool]) -> None:
        self.name = name
        self.start = start
        self.is_own = is_own


def unpacked(handle: BinaryIO, packing: Packing) -> io.BufferedReader:
    """Return what is packed in `handle`, from its beginning; reading raises `Fault` without place.

    Memory is bounded by the chunks that are read and by what the unpacker keeps, whatever comes out.
    """
    handle.seek(0)
    return io.BufferedReader(_Unpacked(handle, packing), _BUFFER)


@final
class _Unpacked(io.RawIOBase):
    """All members of a packed file, one behind the other."""

    def __init__(self, handle: BinaryIO, packing: Packing) -> None:
        self._handle = handle
        self._packing = packing
        self._member: Unpacker | None = None
        self._is_first = True

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # what BufferedReader hands over
        try:
            content = self._read(len(buffer))
        except Broken:  # `from None`: its text is a stranger's
            raise Fault(f"{self._packing.name} data are broken in this line or behind it") from None
        buffer[: len(content)] = content
        return len(content)

    def _read(self, size: int) -> bytes:
        """Return at least one byte and at most `size`; none at the end of the file."""
        while True:
            member, packed = self._member, b""
            if member is None or member.eof:
                packed = self._behind(b"" if member is None else member.unused_data)
                if not packed:
                    return b""
                member = self._member = self._packing.start()
            elif member.needs_input:
                packed = self._handle.read(_CHUNK)
                if not packed:
                    raise Fault(f"{self._packing.name} data end too early; the file is cut off")
            content = member.decompress(packed, size)
            if content:
                return content

    def _behind(self, unused: bytes) -> bytes:
        """Return the start of the next member, b"" where there is none; raises `Fault` for anything else."""
        packed = unused + self._handle.read(_CHUNK) if len(unused) < _CHUNK else unused
        if self._packing.is_own(packed):
            self._is_first = False
            return packed
        if not self._is_first:
            if packed:
                raise Fault(f"goes on behind its {self._packing.name} data with something else")
            return b""
        if not packed:
            raise Fault(f"is empty; not even {self._packing.name} data of nothing are that")
        refuse_foreign_start(packed)
        raise Fault(f"is no {self._packing.name} file, which its name says it is")
