"""ZIP archives of a few members that hold one text, whole or with fields overwritten, for tests to refuse."""

from __future__ import annotations

import io
import re
import struct
import zipfile
from typing import Any

import pytest

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.archive import Rules, inventory, read_member

RULES = Rules(member=re.compile(r"top/[A-Za-z0-9éÉ]+\.txt"), folders=frozenset({"top/"}))
TEXT = b"text canary text canary"

# Where a field lies in a central and in a local header, and its size in bytes.
FIELDS = {
    "flags": (8, 6, "<H"),
    "method": (10, 8, "<H"),
    "crc": (16, 14, "<I"),
    "stored_size": (20, 18, "<I"),
    "size": (24, 22, "<I"),
    "disk": (34, None, "<H"),
    "attributes": (38, None, "<I"),
    "header": (42, None, "<I"),
}


class OneWay(io.BytesIO):
    """A target that cannot be moved in: Python's writer then puts sizes behind the bytes."""

    def seekable(self) -> bool:
        """Say no."""
        return False

    def tell(self) -> int:
        """Refuse, as a pipe does."""
        raise OSError

    def seek(self, *_: Any) -> int:
        """Refuse, as a pipe does."""
        raise OSError


def zipped(*names: str, target: io.BytesIO | None = None, method: int = 8, **changes: Any) -> bytes:
    """The archive of members with these names, `TEXT` in each; `changes` are set on every ZipInfo."""
    target = target or io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name in names:
            info = zipfile.ZipInfo("x")
            info.filename, info.compress_type = name, method
            for field, value in changes.items():
                setattr(info, field, value)
            archive.writestr(info, b"" if name.endswith("/") else TEXT)
    return target.getvalue()


def patched(payload: bytes, local: bool = True, **fields: int) -> bytes:  # noqa: FBT001, FBT002  # a test's short word
    """The archive with fields of its first entry overwritten, in its local header too where `local`."""
    out = bytearray(payload)
    for field, value in fields.items():
        central, beside, form = FIELDS[field]
        struct.pack_into(form, out, payload.index(b"PK\x01\x02") + central, value)
        if local and beside is not None:
            struct.pack_into(form, out, beside, value)
    return bytes(out)


def contents(payload: bytes, rules: Rules = RULES) -> dict[str, bytes]:
    """Every member of an archive with its bytes."""
    return {member.name: read_member(payload, member) for member in inventory(payload, rules)}


def refused(payload: bytes, rules: Rules = RULES) -> str:
    """The fault of an archive when it is read whole; nothing of names and texts is in it."""
    with pytest.raises(Fault) as caught:
        contents(payload, rules)
    assert "canary" not in str(caught.value)
    return str(caught.value)
