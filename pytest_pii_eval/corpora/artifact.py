"""Whether a file is the artifact that a pin names: byte count and SHA-256, streamed; nothing is parsed."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import open_input
from pytest_pii_eval.corpora.cache import known_hash
from pytest_pii_eval.corpora.receipt import Committed

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pii_eval.contracts.corpora_file import Pin

_BLOCK: Final = 1 << 20


def hashed(path: Path) -> Committed:
    """Return byte count and SHA-256 of the regular file at `path`; raises `Fault`."""
    digest = hashlib.sha256()
    size = 0
    with open_input(path) as handle:
        while block := handle.read(_BLOCK):
            digest.update(block)
            size += len(block)
    return Committed(bytes=size, sha256=f"sha256:{digest.hexdigest()}")


def check_artifact(pin: Pin, path: Path) -> Committed:
    """Return what the file at `path` holds; raises `Fault` with the key where it is not the pinned one."""
    wanted = known_hash(pin)
    shown = f"artifact of {pin.key}"
    try:
        found = hashed(path)
    except Fault as fault:
        raise Fault(fault.rule, file=shown) from None
    if pin.size is not None and found.bytes != pin.size:
        raise Fault(f"holds {found.bytes:,} bytes; the pin names {pin.size:,}", file=shown)
    if found.sha256 != wanted:
        raise Fault("has another sha256 than the pin; it is another file, or it is damaged", file=shown)
    return found
