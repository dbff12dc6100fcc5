"""What a clone remembers of sealed runs beside the ledger: lines kept with git's own files, never cut."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from pydantic import ValidationError

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.ledger_model import LedgerLine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_pii_eval.freezes.git import Repository

_NAME: Final = "pii-eval-sealed-runs.jsonl"


def remember(repository: Repository, line: LedgerLine) -> None:
    """Keep a `started` where no checkout, reset or clean of a work tree reaches it.

    Raises `Fault` where the disk refuses: the ledger has the line already then.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
    try:
        descriptor = os.open(_path(repository), flags, 0o600)
        try:
            os.write(descriptor, line.rendered() + b"\n")
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError:
        raise Fault("the git repository takes no note of the run; its folder must be writable") from None


def remembered(repository: Repository) -> Iterator[LedgerLine]:
    """Yield the starts that this clone knows of; a line that was cut short says nothing."""
    try:
        rows = _path(repository).read_bytes().splitlines()
    except OSError:
        return
    for row in rows:
        try:
            yield LedgerLine.model_validate_json(row)
        except ValidationError:
            continue


def _path(repository: Repository) -> Path:
    return repository.shared_folder / _NAME
