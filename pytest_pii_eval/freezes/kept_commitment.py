"""One reading of a suite for all rules of a process: its commitment, kept until a file of it changes."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from pytest_pii_eval.contracts.files import state_of
from pytest_pii_eval.freezes.committing import commitment_of

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pii_eval.contracts.commitment_model import Commitment
    from pytest_pii_eval.contracts.freezes_model import SplitKey
    from pytest_pii_eval.freezes.suites import Kinds

_States: TypeAlias = tuple[tuple[str, tuple[int, ...]], ...]


def kept_commitment(
    folder: Path, kinds: Kinds, *, split_key: SplitKey, root: Path | None = None
) -> Commitment:
    """Return what `commitment_of` returns; of the suite that was read last, without reading it anew.

    Raises `Fault` where a file breaks its contract.
    """
    return _kept(folder, kinds, split_key, root, _states(folder))


@lru_cache(maxsize=1)
def _kept(folder: Path, kinds: Kinds, split_key: SplitKey, root: Path | None, _: _States) -> Commitment:
    return commitment_of(folder, kinds, split_key=split_key, root=root)


def _states(folder: Path) -> _States:
    try:
        return tuple((one.name, state_of(one)) for one in sorted(folder.iterdir()))
    except OSError:
        return ()  # reading it says why, and what raises is not kept
