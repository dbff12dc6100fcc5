"""Making train lists: the ids that were trained on, of a suite, a sidecar or a list, as hashes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pytest_pii_eval.contracts.canonical import canonical_bytes
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import open_input
from pytest_pii_eval.contracts.identifiers import OPAQUE_ID_PATTERN
from pytest_pii_eval.contracts.provenance import parse_origin
from pytest_pii_eval.contracts.row_files import open_row_file
from pytest_pii_eval.contracts.strict_json import parse_line, refuse_foreign_start
from pytest_pii_eval.contracts.train_lists import template_hash
from pytest_pii_eval.freezes.committing import commitment_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from pytest_pii_eval.contracts.freezes_model import SplitKey
    from pytest_pii_eval.freezes.suites import Kinds

_ID: Final = re.compile(OPAQUE_ID_PATTERN.removesuffix("$"))
_LONGEST: Final = 4096


def hashes_of(source: Path, kinds: Kinds, *, split_key: SplitKey, root: Path | None = None) -> list[str]:
    """Return the hashes of the ids in a suite's directory or a provenance sidecar, sorted and unique.

    Raises `Fault` where a file breaks its contract, and where there is no id.
    """
    if source.is_dir():
        return commitment_of(source, kinds, split_key=split_key, root=root).templates
    if source.exists() and kinds(source) != "provenance":
        rule = "is neither the directory of a suite nor a provenance sidecar; give a list of ids as --ids"
        raise Fault(rule, file=source.name)
    return _hashed(_origins(source, split_key, root), source)


def hashes_in(source: Path, *, root: Path | None = None) -> list[str]:
    """Return the hashes of a list of ids, sorted and unique; raises `Fault` where one is no opaque id.

    The list has one id a line; in a file that ends in `.jsonl`, each as a JSON string. Nothing is trimmed or
    normalised: what looks like another id and is not would hide that a template was trained on.
    """
    return _hashed(_ids(source, root), source)


def train_list(hashes: Iterable[str]) -> bytes:
    """Return a train list as it is written."""
    return b"".join(canonical_bytes({"template_sha256": one}) + b"\n" for one in hashes)


def _hashed(ids: Iterable[str], source: Path) -> list[str]:
    hashes = sorted({template_hash(one) for one in ids})
    if not hashes:
        rule = (
            "holds no id; a train list of nothing shows nothing: state train_lists: none in the freezes file"
        )
        raise Fault(rule, file=source.name)
    return hashes


def _origins(source: Path, split_key: SplitKey, root: Path | None) -> Iterator[str]:
    with open_row_file(source, root=root) as file:
        for row in file.rows():
            try:
                origin = parse_origin(row.value)
            except Fault as fault:
                raise fault.at(file=source.name, line=row.line) from None
            yield origin.template_id if split_key == "template_id" else origin.document_id


def _ids(source: Path, root: Path | None) -> Iterator[str]:
    with open_input(source, root=root) as handle:
        line = 0
        while raw := handle.readline(_LONGEST + 1):
            line += 1
            try:
                if line == 1:
                    refuse_foreign_start(raw)
                yield _id(raw, is_json=source.suffix == ".jsonl")
            except Fault as fault:
                raise fault.at(file=source.name, line=line) from None


def _id(raw: bytes, *, is_json: bool) -> str:
    """Return the id in one line; raises `Fault` without place."""
    if len(raw) > _LONGEST:
        raise Fault(f"line is longer than the limit of {_LONGEST:,} bytes")
    if not raw.endswith(b"\n"):
        raise Fault("last line does not end with a line feed; the file may be cut off")
    value = parse_line(raw[:-1]) if is_json else _decoded(raw[:-1])
    if not isinstance(value, str):
        raise Fault("expected one JSON string per line, an id")
    if any(one.isspace() for one in value):
        raise Fault("holds white space; an id with it would match no other, and nothing is trimmed here")
    if not value.isascii():
        raise Fault("holds characters that are not ASCII; a look-alike would match no other id")
    if not _ID.fullmatch(value):
        raise Fault("is no id: letters, digits, dots, underscores and dashes, at most 128 of them")
    return value


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise Fault("is not valid UTF-8") from None
