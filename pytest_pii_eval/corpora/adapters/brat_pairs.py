"""Finds the pairs of a brat corpus, text and annotations, in a folder or an archive; `brat` reads them."""

from __future__ import annotations

import errno
import os
import re
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import open_input
from pytest_pii_eval.contracts.quality_model import MAX_TEXT_BYTES
from pytest_pii_eval.corpora.archive import Rules, inventory, read_archive, read_member

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

TEXT: Final = ".txt"
ANNOTATIONS: Final = ".ann"

MAX_FILES: Final = 200_000
"""Files of one corpus."""

_RULES: Final = Rules(
    member=re.compile(r"(?:[^/]+/)*[^/]+\.(?:txt|ann)"),
    max_archive_bytes=128 * 1024 * 1024,
    max_entries=65_535,
    max_member_bytes=MAX_TEXT_BYTES,
    max_total_bytes=1024 * 1024 * 1024,
)


class Pair(NamedTuple):
    """A text and the annotations beside it, None where there are none; both are read when they are called.

    `stem` is the name without its ending, in an archive with the folders before it. Each call returns at
    most one byte more than a text may have.
    """

    stem: str
    text: Callable[[], bytes]
    annotations: Callable[[], bytes] | None


def pairs(path: Path) -> Iterator[Pair]:
    """Yield the pairs in the folder or archive at `path`, in the order of their names.

    Raises `Fault` for a link, a folder inside the folder, an archive that breaks a rule of `archive`, and
    annotations without a text; with an ordinal where one of many is meant, never with its name.
    """
    try:
        found = _in_folder(path) if path.is_dir() else _in_archive(path)
        return _paired(found)
    except Fault as fault:
        raise fault.at(file=path.name) from None


def _in_folder(path: Path) -> Mapping[str, Callable[[], bytes]]:
    if path.is_symlink():
        raise Fault("is a symlink; name the real folder")
    try:
        with os.scandir(path) as entries:
            names = [entry.name for entry in islice(filter(_is_wanted, entries), MAX_FILES + 1)]
    except OSError as error:
        code = errno.errorcode.get(error.errno or 0, "unknown error")
        raise Fault(f"cannot be listed ({code})") from None
    if len(names) > MAX_FILES:
        raise Fault(f"holds more than the limit of {MAX_FILES:,} files")
    return {name: partial(_bytes_of, path / name, path.name) for name in names}


def _is_wanted(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a text or annotations; raises `Fault` where it would be passed over in silence."""
    if entry.is_dir(follow_symlinks=False):
        raise Fault("holds a folder; name a folder that holds nothing but files")
    if not entry.name.endswith((TEXT, ANNOTATIONS)):
        return False
    if not entry.is_file(follow_symlinks=False):
        raise Fault("holds a link or something else that is no regular file")
    return True


def _bytes_of(path: Path, folder: str) -> bytes:
    # Its own name may be that of a person.
    with open_input(path, shown=f"{folder}/*{path.suffix}") as handle:
        return handle.read(MAX_TEXT_BYTES + 1)


def _in_archive(path: Path) -> Mapping[str, Callable[[], bytes]]:
    payload = read_archive(path, _RULES)
    return {member.name: partial(read_member, payload, member) for member in inventory(payload, _RULES)}


def _paired(found: Mapping[str, Callable[[], bytes]]) -> Iterator[Pair]:
    stems = sorted(name.removesuffix(TEXT) for name in found if name.endswith(TEXT))
    texts = set(stems)
    alone = [
        ordinal
        for ordinal, name in enumerate(sorted(name for name in found if name.endswith(ANNOTATIONS)), 1)
        if name.removesuffix(ANNOTATIONS) not in texts
    ]
    if alone:
        raise Fault(
            f"lacks the texts of {len(alone):,} of its files of annotations, the first of these being number"
            f" {alone[0]:,} in order of names"
        )
    return (Pair(stem, found[stem + TEXT], found.get(stem + ANNOTATIONS)) for stem in stems)
