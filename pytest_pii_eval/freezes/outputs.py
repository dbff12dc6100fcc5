"""Files that the commands about freezes write: where they may go, and that they come whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.suites import SUITE
from pytest_pii_eval.reports.write import write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pii_eval.freezes.suites import Kinds


def check_output(path: Path, kinds: Kinds, *, replace: bool) -> None:
    """Raise `Fault` where no file may be written to `path`; nothing is written."""
    if path.is_symlink():
        raise Fault("is a symlink; name the real file", file=path.name)
    if kinds(path) is not None or path.name == SUITE:
        raise Fault("is the name of a file of a suite; name another file", file=path.name)
    if not path.parent.is_dir():
        raise Fault("lies in a folder that does not exist; create it first", file=path.name)
    if path.exists() and not path.is_file():
        raise Fault("is no file; name one", file=path.name)
    if path.exists() and not replace:
        raise Fault("exists already; name a new file, or give --replace", file=path.name)


def write_output(path: Path, payload: bytes, kinds: Kinds, *, replace: bool) -> None:
    """Write `payload` to `path`; raises `Fault` where it may not go there, or `OSError`."""
    check_output(path, kinds, replace=replace)
    write_atomically(path, payload.decode("utf-8"))


def several(number: int, noun: str) -> str:
    """Return a number of things in words."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
