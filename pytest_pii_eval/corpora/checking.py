"""Whether a folder holds the suite of a recipe: its receipt and the bytes of its files; no row is parsed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import read_input
from pytest_pii_eval.corpora.artifact import hashed
from pytest_pii_eval.corpora.claims import check_claims
from pytest_pii_eval.corpora.receipt import RECEIPT, read_receipt
from pytest_pii_eval.private import MARK, MARKER

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pii_eval.corpora.receipt import Receipt
    from pytest_pii_eval.corpora.recipe import Recipe


def check_prepared(recipe: Recipe, folder: Path, *, places: str = "") -> Receipt:
    """Return the receipt of the suite in `folder`, which says what `recipe` can give and what lies there.

    This is what a run checks before it scores. Raises `Fault` with the name of the file at fault and the
    command that makes the suite anew; `places` are the options that the command needs to find it.
    """
    try:
        return _checked(recipe, folder)
    except Fault as fault:
        rule = f"{fault.rule}; run 'pii-eval corpus prepare {recipe.pin.key}{places}'"
        raise Fault(rule, file=fault.file, line=fault.line, field=fault.field) from None


def _checked(recipe: Recipe, folder: Path) -> Receipt:
    receipt = read_receipt(folder)
    check_claims(recipe, receipt)
    there = {entry.name for entry in os.scandir(folder)}
    if there != {RECEIPT, MARKER, *receipt.files}:
        raise Fault(f"the prepared corpus holds {len(there)} files, and not those of its receipt")
    if read_input(folder / MARKER, limit=len(MARK)) != MARK:
        raise Fault("holds other bytes than the marker of a complete directory", file=MARKER)
    for name, committed in receipt.files.items():
        found = hashed(folder / name)
        if (found.bytes, found.sha256) != (committed.bytes, committed.sha256):
            raise Fault("holds other bytes than the receipt of the prepared corpus says", file=name)
    return receipt
