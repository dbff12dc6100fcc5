"""What git keeps of a file by its content: many versions at once, or one beside the work tree; no history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import read_input
from pytest_pii_eval.freezes.git_process import ask, names_in, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

MAX_BYTES: Final = 256 * 1024 * 1024
"""How much all versions of one file may hold together."""

_MAX_COMPARED: Final = 64 * 1024 * 1024
_RAW: Final = ("-r", "-z", "-m", "--root", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff")
_FILES: Final = frozenset({"100644", "100755", "120000"})


def blobs_in(top: Path, commits: Sequence[str], name: str) -> dict[str, str]:
    """Return what the commits, newest first, made of the file `name`: blobs, each with the first that did."""
    found: dict[str, str] = {}
    commit = ""
    asked = "".join(f"{one}\n" for one in commits).encode("ascii")
    entries = iter(names_in(read(top, "diff-tree", "--stdin", *_RAW, "--", name, given=asked)))
    for entry in entries:
        if not entry.startswith(":"):
            commit = entry.split()[0]
            continue
        _, mode, _, digest, _ = entry.split(" ")
        if next(entries) == name and mode in _FILES:  # else it is in what was a folder of that name
            found[digest] = commit
    return found


def contents_of(top: Path, blobs: Iterable[str]) -> dict[str, bytes]:
    """Return the content of each blob; raises `Fault` where one is not here, or they are too large."""
    asked = "".join(f"{one}\n" for one in blobs).encode("ascii")
    if not asked:
        return {}
    sizes = [_size(line) for line in read(top, "cat-file", "--batch-check", given=asked).splitlines()]
    if sum(sizes) > MAX_BYTES:
        raise Fault("the versions of a file in git hold too much to be looked through")
    answer = read(top, "cat-file", "--batch", given=asked)
    found: dict[str, bytes] = {}
    at = 0
    for size in sizes:
        start = answer.index(b"\n", at) + 1
        found[answer[at:start].split(b" ")[0].decode("ascii")] = answer[start : start + size]
        at = start + size + 1
    return found


def is_blob(top: Path, digest: str, path: Path) -> bool:
    """Whether the file at `path` is the blob byte for byte but for line ends, whatever filters git has."""
    if path.is_symlink() or not path.is_file():
        return False
    asked = ask(top, "hash-object", "--no-filters", "--", str(path.absolute()))
    if asked.code == 0 and asked.out.decode("ascii").strip() == digest:
        return True
    try:
        found = read_input(path, limit=_MAX_COMPARED)
    except Fault:
        return False
    return _unified(read(top, "cat-file", "blob", digest)) == _unified(found)


def _unified(payload: bytes) -> bytes:
    return payload.replace(b"\r\n", b"\n")


def _size(line: bytes) -> int:
    """Return the size of one blob in bytes, as `git cat-file` says it."""
    _, _, size = line.rpartition(b" ")
    if not size.isdigit():
        raise Fault("the git repository lacks objects, as a partial clone does; clone it whole")
    return int(size)
