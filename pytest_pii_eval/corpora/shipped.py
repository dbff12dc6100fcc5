"""Where the corpora file of this package lies: beside this module in a wheel, on top in a checkout."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pytest_pii_eval.contracts.faults import Fault

CORPORA: Final = "corpora.yaml"
"""What a corpora file is called, wherever it lies."""


def shipped_path() -> Path:
    """Return the shipped corpora file; raises `Fault` where this installation has none."""
    beside, on_top = Path(__file__).with_name(CORPORA), Path(__file__).parents[2] / CORPORA
    for path in (beside, on_top):
        if path.is_file():
            return path
    raise Fault(f"there is no {CORPORA} here, and none came with this package; name one with --corpora")
