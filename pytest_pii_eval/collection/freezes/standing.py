"""Where the freezes file of a run stands, for the rules that look at its repository."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.git import Repository
from pytest_pii_eval.freezes.standing import Standing
from pytest_pii_eval.kinds import kind_of

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pii_eval.contracts.freezes_file import FreezesFile
    from pytest_pii_eval.settings import Settings


def standing_of(file: FreezesFile, settings: Settings) -> Standing:
    """Return what the rules look at; that there is no repository is for them to judge."""
    return Standing(
        file=file,
        root=settings.root,
        repository=_repository(file.path.parent),
        git_range=settings.git_range,
        kinds=lambda path: kind_of(path, settings),
        environment=os.environ,
    )


def _repository(folder: Path) -> Repository | Fault:
    try:
        return Repository.around(folder)
    except Fault as fault:
        return fault
