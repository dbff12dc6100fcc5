"""Unpacking Zstandard: any number of frames, in bounded memory; needs Python 3.14 or backports.zstd."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.packed import Broken, Packing
from pytest_pii_eval.contracts.packed_starts import SKIPPABLE, ZSTANDARD

if TYPE_CHECKING:
    from types import ModuleType

_LARGEST_WINDOW: Final = 27
"""Bits: 128 MiB, what `zstd` itself takes without being told to; a frame may ask for 2 GiB and more."""


def zstd_packing() -> Packing:
    """Return how Zstandard is unpacked; raises `Fault` where no library does."""
    library = _library()
    return Packing("Zstandard", lambda: _Frame(library), _is_own)


@final
class _Frame:
    """One frame, whose checksum is compared where it has one."""

    def __init__(self, library: ModuleType) -> None:
        limit = {library.DecompressionParameter.window_log_max: _LARGEST_WINDOW}
        self._inner: Any = library.ZstdDecompressor(options=limit)
        self._error: type[Exception] = library.ZstdError

    @property
    def eof(self) -> bool:
        return bool(self._inner.eof)

    @property
    def needs_input(self) -> bool:
        return bool(self._inner.needs_input)

    @property
    def unused_data(self) -> bytes:
        unused: bytes = self._inner.unused_data
        return unused

    def decompress(self, packed: bytes, max_length: int) -> bytes:
        try:
            content: bytes = self._inner.decompress(packed, max_length)
        except self._error:
            raise Broken from None
        return content


def _is_own(start: bytes) -> bool:
    return start.startswith(ZSTANDARD) or (start[1:4] == SKIPPABLE and 0x50 <= start[0] <= 0x5F)  # noqa: PLR2004  # RFC 8878, 3.1.2


def _library() -> ModuleType:
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd  # noqa: PLC0415  # only where a file is packed so
        else:
            from backports import zstd  # noqa: PLC0415  # optional
    except ImportError:
        rule = "is a Zstandard file; to read it, pip install 'pytest-pii-eval[zstd]'"
        raise Fault(rule) from None
    module: ModuleType = zstd
    return module
