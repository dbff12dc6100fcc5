"""What `pii-eval check` says of the files of a freeze; each is known by what it says it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_pii_eval.contracts.commitment_model import read_attestation, read_commitment
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import open_input
from pytest_pii_eval.contracts.floors_file import read_floors
from pytest_pii_eval.contracts.freezes_file import read_freezes
from pytest_pii_eval.contracts.train_lists import read_train_list
from pytest_pii_eval.freezes.ledger import read_ledger

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

_BEGINNING: Final = 1 << 16
_WORDS: Final = (
    (b"pii_eval.freezes.v", "freezes"),
    (b"pii_eval.floors.v", "floors"),
    (b'"pii_eval.freeze_commitment.v', "commitment"),
    (b'"pii_eval.freeze_attestation.v', "attestation"),
    (b'"pii_eval.ledger.v', "ledger"),
    (b'"template_sha256"', "train-list"),
)


def kind_of_freeze_file(path: Path) -> str | None:
    """Return which file of a freeze `path` is, by its beginning; None for any other, or one not readable."""
    try:
        with open_input(path) as handle:
            beginning = handle.read(_BEGINNING)
    except Fault:
        return None
    return next((kind for word, kind in _WORDS if word in beginning), None)


def _freezes(path: Path, root: Path) -> str:
    file = read_freezes(path, root=root)
    return f"a freezes file of {len(file.sets):,} sets"


def _floors(path: Path, root: Path) -> str:
    floors = read_floors(path, root=root)
    return f"{len(floors.floors):,} floors, {len(floors.open):,} of them open"


def _commitment(path: Path, root: Path) -> str:
    found = read_commitment(path, root=root)
    return f"a commitment to {found.documents:,} documents of {len(found.templates):,} templates"


def _attestation(path: Path, root: Path) -> str:
    return f"an attestation that {read_attestation(path, root=root).documents:,} documents were read"


def _ledger(path: Path, root: Path) -> str:
    ledger = read_ledger(path, root=root)
    return f"a ledger of {len(ledger.promotions):,} promotions; pii-eval freeze verify-ledger checks more"


def _train_list(path: Path, root: Path) -> str:
    return f"a train list of {len(read_train_list(path, root=root)):,} templates"


CHECKS: Final[Mapping[str, Callable[[Path, Path], str]]] = {
    "attestation": _attestation,
    "commitment": _commitment,
    "floors": _floors,
    "freezes": _freezes,
    "ledger": _ledger,
    "train-list": _train_list,
}
"""By kind: what checks a file below a root directory and says what it is; raises `Fault`."""
