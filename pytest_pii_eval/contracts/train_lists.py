"""Train lists: hashes of the template ids that a detector was trained on, and how an id is hashed."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from pydantic import ValidationError

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import open_input
from pytest_pii_eval.contracts.freezes_model import TRAIN
from pytest_pii_eval.contracts.jsonl import read_rows
from pytest_pii_eval.contracts.model_faults import fault_of

if TYPE_CHECKING:
    from pathlib import Path


def template_hash(name: str) -> str:
    """Return `sha256:` and the hex digest of an opaque id, its bytes in UTF-8 and nothing else."""
    return "sha256:" + hashlib.sha256(name.encode("utf-8")).hexdigest()


def read_train_list(path: Path, *, root: Path | None = None, shown: str | None = None) -> frozenset[str]:
    """Return the hashes in the train list at `path`, which may be none; raises `Fault` with file and line.

    A hash may stand there several times: what was trained on twice was trained on.
    """
    name = shown or path.name
    found = set()
    with open_input(path, root=root, shown=name) as handle:
        for row in read_rows(handle, file=name):
            try:
                found.add(TRAIN.validator.validate_python(row.value)["template_sha256"])
            except ValidationError as error:
                fault = fault_of(error, row.value)
                raise Fault(fault.rule, file=name, line=row.line, field=fault.field) from None
    return frozenset(found)
